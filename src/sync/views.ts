// The views of a copy: the questions that people ask first.
interface View {
  readonly name: string;
  readonly about: string;
  readonly sql: { readonly sqlite: string; readonly postgres: string };
}

const vehicleNow = `SELECT v.id AS vehicle_id, v.name, v.license_plate, s.recorded_at, s.latitude_deg, s.longitude_deg,
  s.speed_kmh, s.is_ignition_on, s.odometer_km, s.fuel, s.driver_id, p.first_name, p.last_name
FROM vehicles v
LEFT JOIN latest_snapshots s ON s.vehicle_id = v.id
LEFT JOIN people p ON p.id = s.driver_id
WHERE v.deleted_at IS NULL`;

const tripsDaily = (day: string) => `SELECT t.vehicle_id, v.name, ${day} AS day, count(*) AS trips,
  sum(t.distance_km) AS distance_km, sum(t.duration_s) AS duration_s, sum(t.moving_s) AS moving_s,
  sum(t.idle_s) AS idle_s, max(t.top_speed_kmh) AS top_speed_kmh, sum(t.unseen_s) AS unseen_s,
  count(t.distance_doubt) AS doubtful_trips
FROM trips t
JOIN vehicles v ON v.id = t.vehicle_id
GROUP BY t.vehicle_id, v.name, ${day}`;

const driverToday = (isToday: string) => `SELECT t.driver_id, p.first_name, p.last_name, count(*) AS trips,
  sum(t.distance_km) AS distance_km, sum(t.duration_s) AS duration_s, min(t.started_at) AS first_started_at,
  max(t.last_seen_at) AS last_seen_at, max(t.top_speed_kmh) AS top_speed_kmh
FROM trips t
LEFT JOIN people p ON p.id = t.driver_id
WHERE t.driver_id IS NOT NULL AND ${isToday}
GROUP BY t.driver_id, p.first_name, p.last_name`;

const freshness = (age: string) => `SELECT part, complete_until, ${age} AS age_s, complete_at, read_at, failures, run_id
FROM sync_parts`;

export const views: readonly View[] = [
  {
    name: 'vehicle_now',
    about: 'Each vehicle with its newest position, speed and driver. Vehicles that are gone are left out.',
    sql: { sqlite: vehicleNow, postgres: vehicleNow },
  },
  {
    name: 'trips_daily',
    about:
      'Trips, distance and times of each vehicle and day on which trips began, in UTC; `unseen_s` is in none of the other times, and the distance of `doubtful_trips` is doubted.',
    sql: {
      sqlite: tripsDaily('substr(t.started_at, 1, 10)'),
      postgres: tripsDaily("(t.started_at AT TIME ZONE 'UTC')::date"),
    },
  },
  {
    name: 'driver_today',
    about: 'Trips, distance and times of each driver today, in UTC: trips that began today.',
    sql: {
      sqlite: driverToday("substr(t.started_at, 1, 10) = date('now')"),
      postgres: driverToday("(t.started_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date"),
    },
  },
  {
    name: 'sync_freshness',
    about:
      'How old each part of the copy is: up to `complete_until` all of it is there, `age_s` seconds ago. `failures` are those of the sync that has read it last.',
    sql: {
      sqlite: freshness("round((julianday('now') - julianday(complete_until)) * 86400)"),
      postgres: freshness('round(extract(epoch FROM now() - complete_until))::double precision'),
    },
  },
];
