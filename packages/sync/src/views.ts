// The views of a copy, for the most common questions.
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

const vehicleDays = `SELECT s.vehicle_id, v.name, s.local_day, count(DISTINCT s.trip_id) AS trips,
  sum(s.duration_s) AS duration_s, sum(s.distance_km) AS distance_km, sum(s.moving_s) AS moving_s, sum(s.idle_s) AS idle_s,
  min(s.started_at) AS first_started_at, max(coalesce(s.ended_at, t.last_seen_at)) AS last_seen_at
FROM trip_segments s
JOIN trips t ON t.id = s.trip_id
JOIN vehicles v ON v.id = s.vehicle_id
GROUP BY s.vehicle_id, v.name, s.local_day`;

const driverDays = `SELECT s.driver_id, p.first_name, p.last_name, s.local_day, count(DISTINCT s.trip_id) AS trips,
  sum(s.duration_s) AS duration_s, sum(s.distance_km) AS distance_km, sum(s.moving_s) AS moving_s, sum(s.idle_s) AS idle_s,
  min(s.started_at) AS first_started_at, max(coalesce(s.ended_at, t.last_seen_at)) AS last_seen_at
FROM trip_segments s
JOIN trips t ON t.id = s.trip_id
LEFT JOIN people p ON p.id = s.driver_id
WHERE s.driver_id IS NOT NULL
GROUP BY s.driver_id, p.first_name, p.last_name, s.local_day`;

/** A visit continues in the next trip of the vehicle if that begins in the same geofence. */
const geofenceVisits = (seconds: string) => `WITH ordered AS (
  SELECT id, lag(id) OVER own AS id_before, lead(id) OVER own AS id_after, lead(started_at) OVER own AS started_after
  FROM trips WINDOW own AS (PARTITION BY vehicle_id ORDER BY started_at, id)
), parts AS (
  SELECT v.*, o.id_after, o.started_after, CASE WHEN v.entered_at IS NULL AND EXISTS (
    SELECT 1 FROM trip_visits b WHERE b.trip_id = o.id_before AND b.geofence_id = v.geofence_id AND b.left_at IS NULL
  ) THEN 0 ELSE 1 END AS begins
  FROM trip_visits v JOIN ordered o ON o.id = v.trip_id
), numbered AS (
  SELECT p.*, sum(begins) OVER (PARTITION BY vehicle_id, geofence_id ORDER BY trip_started_at, ordinal) AS visit,
    CASE WHEN left_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM trip_visits a WHERE a.trip_id = p.id_after AND a.geofence_id = p.geofence_id AND a.entered_at IS NULL
    ) THEN started_after ELSE left_at END AS ends_at
  FROM parts p
), visits AS (
  SELECT vehicle_id, geofence_id, max(entered_at) AS entered_at, max(ends_at) AS left_at
  FROM numbered GROUP BY vehicle_id, geofence_id, visit
)
SELECT i.vehicle_id, v.name AS vehicle, i.geofence_id, g.name AS geofence, i.entered_at, i.left_at, ${seconds} AS dwell_s
FROM visits i
JOIN vehicles v ON v.id = i.vehicle_id
LEFT JOIN geofences g ON g.id = i.geofence_id`;

/** A trip keeps the offset from UTC of its begin. */
const tripHours = (sql: {
  readonly hours: string;
  readonly weekday: string;
  readonly local: (time: string) => string;
  readonly least: string;
  readonly greatest: string;
}) => `WITH RECURSIVE hours (hour) AS (
  ${sql.hours}
), parts AS (
  SELECT s.trip_id, s.vehicle_id, s.driver_id, s.local_day, ${sql.weekday} AS weekday,
    ${sql.local('s.started_at')} AS begins, ${sql.local('coalesce(s.ended_at, t.last_seen_at)')} AS ends
  FROM trip_segments s JOIN trips t ON t.id = s.trip_id
)
SELECT p.trip_id, p.vehicle_id, p.driver_id, p.local_day, p.weekday, h.hour,
  round(3600 * (${sql.least}(p.ends, h.hour + 1) - ${sql.greatest}(p.begins, h.hour))) AS driving_s
FROM parts p JOIN hours h ON p.begins < h.hour + 1 AND p.ends > h.hour`;

const hours = 'SELECT 0 UNION ALL SELECT hour + 1 FROM hours WHERE hour < 23';

const vehicleSilence = (hoursSince: string) => `SELECT v.id AS vehicle_id, v.name, v.license_plate, s.recorded_at,
  p.complete_until AS as_of, ${hoursSince} AS silent_h
FROM vehicles v
LEFT JOIN latest_snapshots s ON s.vehicle_id = v.id
LEFT JOIN sync_parts p ON p.part = 'latest'
WHERE v.deleted_at IS NULL`;

const snapshotGaps = (seconds: string) => `SELECT g.vehicle_id, v.name, g.recorded_at, g.next_at, ${seconds} AS gap_s
FROM (
  SELECT vehicle_id, recorded_at, lead(recorded_at) OVER (PARTITION BY vehicle_id ORDER BY recorded_at, ordinal) AS next_at
  FROM snapshots
) g
JOIN vehicles v ON v.id = g.vehicle_id
WHERE g.next_at > g.recorded_at`;

const groupTree = `WITH RECURSIVE tree (group_id, below_id, depth) AS (
  SELECT id, id, 0 FROM groups WHERE deleted_at IS NULL
  UNION
  SELECT t.group_id, g.id, t.depth + 1 FROM tree t
  JOIN groups g ON g.parent_id = t.below_id
  WHERE g.deleted_at IS NULL AND t.depth < 50
)
SELECT group_id, below_id, min(depth) AS depth FROM tree GROUP BY group_id, below_id`;

const vehicleGroupsAll = `SELECT DISTINCT t.group_id, g.name AS group_name, m.vehicle_id
FROM group_tree t
JOIN groups g ON g.id = t.group_id
JOIN vehicle_groups m ON m.group_id = t.below_id`;

/**
 * The groups of each vehicle and those above, for the times in which all memberships were valid.
 * Its start is known when that of any version is: where all begin with the history, the vehicle may
 * have been in the group before. Times that are adjacent or overlap, for example over two
 * subgroups, are merged.
 */
const vehicleGroupsAllHistory = `WITH RECURSIVE tree (vehicle_id, group_id, group_name, depth, valid_from, valid_to, is_start_known) AS (
  SELECT vehicle_id, group_id, group_name, 0, valid_from, valid_to, is_start_known FROM vehicle_groups_history
  UNION
  SELECT t.vehicle_id, g.parent_id, NULL, t.depth + 1,
    CASE WHEN g.valid_from > t.valid_from THEN g.valid_from ELSE t.valid_from END,
    CASE WHEN t.valid_to IS NULL OR g.valid_to < t.valid_to THEN g.valid_to ELSE t.valid_to END,
    t.is_start_known OR g.is_start_known
  FROM tree t
  JOIN groups_history g ON g.id = t.group_id
  WHERE g.parent_id IS NOT NULL AND t.depth < 50
    AND (g.valid_to IS NULL OR g.valid_to > t.valid_from) AND (t.valid_to IS NULL OR t.valid_to > g.valid_from)
), marked AS (
  SELECT *, CASE WHEN count(*) OVER earlier > count(valid_to) OVER earlier OR valid_from <= max(valid_to) OVER earlier
    THEN 0 ELSE 1 END AS begins
  FROM tree
  WINDOW earlier AS (PARTITION BY vehicle_id, group_id ORDER BY valid_from ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), numbered AS (
  SELECT *, sum(begins) OVER (PARTITION BY vehicle_id, group_id ORDER BY valid_from ROWS UNBOUNDED PRECEDING) AS stay
  FROM marked
), stays AS (
  SELECT vehicle_id, group_id, max(group_name) AS group_name, min(valid_from) AS valid_from,
    CASE WHEN count(*) = count(valid_to) THEN max(valid_to) END AS valid_to,
    min(CASE WHEN is_start_known THEN 1 ELSE 0 END) = 1 AS is_start_known
  FROM numbered GROUP BY vehicle_id, group_id, stay
)
SELECT s.group_id, coalesce(g.name, s.group_name) AS group_name, s.vehicle_id, s.valid_from, s.valid_to, s.is_start_known
FROM stays s
LEFT JOIN groups g ON g.id = s.group_id`;

const tripGroups = `SELECT t.id AS trip_id, t.vehicle_id, t.driver_id, t.started_at, t.local_day, t.distance_km, t.duration_s,
  g.group_id, g.group_name, g.valid_from <= t.started_at AS is_known
FROM trips t
JOIN vehicle_groups_all_history g ON g.vehicle_id = t.vehicle_id
  AND (g.valid_from <= t.started_at OR NOT g.is_start_known) AND (g.valid_to IS NULL OR g.valid_to > t.started_at)`;

export const views: readonly View[] = [
  {
    name: 'vehicle_now',
    about: 'Each vehicle with its newest position, speed and driver. Vehicles that are gone are left out.',
    sql: { sqlite: vehicleNow, postgres: vehicleNow },
  },
  {
    name: 'trips_daily',
    about:
      'Trips, distance and times of each vehicle and UTC day on which trips began: around midnight it differs from `vehicle_days`, which has local days. No other time includes `unseen_s`. The distance of `doubtful_trips` is uncertain.',
    sql: {
      sqlite: tripsDaily('substr(t.started_at, 1, 10)'),
      postgres: tripsDaily("(t.started_at AT TIME ZONE 'UTC')::date"),
    },
  },
  {
    name: 'driver_today',
    about: 'Trips, distance and times of each driver of trips that began today in UTC. `driver_days` has local days.',
    sql: {
      sqlite: driverToday("substr(t.started_at, 1, 10) = date('now')"),
      postgres: driverToday("(t.started_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date"),
    },
  },
  {
    name: 'sync_freshness',
    about:
      'How current each part of the copy is: it is complete up to `complete_until`, `age_s` seconds ago. `failures` are those of the sync that has read it last.',
    sql: {
      sqlite: freshness("round((julianday('now') - julianday(complete_until)) * 86400)"),
      postgres: freshness('round(extract(epoch FROM now() - complete_until))::double precision'),
    },
  },
  {
    name: 'vehicle_days',
    about:
      'Trips, distance and times of each vehicle and local day; `trips_daily` has UTC days. A trip across midnight counts on both days, each with its part of it. `duration_s` is more than moving and idle time where nobody saw the vehicle.',
    sql: { sqlite: vehicleDays, postgres: vehicleDays },
  },
  {
    name: 'driver_days',
    about:
      'Trips, distance and times of each driver and local day. Of a trip with several drivers, each has his or her own part.',
    sql: { sqlite: driverDays, postgres: driverDays },
  },
  {
    name: 'geofence_visits',
    about:
      'When each vehicle was in each geofence, and for how long. `entered_at` is null when the vehicle was there before its first trip in the copy; `left_at` is null while it is there. A vehicle that begins its next trip elsewhere has left by then.',
    sql: {
      sqlite: geofenceVisits('round((julianday(i.left_at) - julianday(i.entered_at)) * 86400, 1)'),
      postgres: geofenceVisits('round(extract(epoch FROM i.left_at - i.entered_at)::numeric, 1)::double precision'),
    },
  },
  {
    name: 'trip_hours',
    about:
      'How long each trip lasted in each hour of its local day: `weekday` is 1 for Monday to 7 for Sunday, `hour` 0 to 23. A trip goes on at the offset from UTC that it began at.',
    sql: {
      sqlite: tripHours({
        hours,
        weekday: "(strftime('%w', s.local_day) + 6) % 7 + 1",
        local: (time) =>
          `(julianday(${time}) + julianday(t.local_started_at) - julianday(t.started_at) - julianday(s.local_day)) * 24`,
        least: 'min',
        greatest: 'max',
      }),
      postgres: tripHours({
        hours,
        weekday: 'extract(isodow FROM s.local_day)::integer',
        local: (time) =>
          `extract(epoch FROM (${time} - t.started_at) + (t.local_started_at - s.local_day))::double precision / 3600`,
        least: 'least',
        greatest: 'greatest',
      }),
    },
  },
  {
    name: 'vehicle_silence',
    about:
      'For how many hours each vehicle had sent nothing when the newest snapshots were read, at `as_of`. `silent_h` is null for a vehicle that never sent any.',
    sql: {
      sqlite: vehicleSilence('round((julianday(p.complete_until) - julianday(s.recorded_at)) * 24, 2)'),
      postgres: vehicleSilence(
        'round(extract(epoch FROM p.complete_until - s.recorded_at)::numeric / 3600, 2)::double precision',
      ),
    },
  },
  {
    name: 'snapshot_gaps',
    about:
      'The times between two snapshots of a vehicle that follow each other, with `--snapshots`. Ask for those that are long.',
    sql: {
      sqlite: snapshotGaps('round((julianday(g.next_at) - julianday(g.recorded_at)) * 86400, 1)'),
      postgres: snapshotGaps('round(extract(epoch FROM g.next_at - g.recorded_at)::numeric, 1)::double precision'),
    },
  },
  {
    name: 'group_tree',
    about: 'Each group with every group below it, and with itself at depth 0.',
    sql: { sqlite: groupTree, postgres: groupTree },
  },
  {
    name: 'vehicle_groups_all',
    about:
      'Which vehicle is in which group, or in a group below it. Groups that the user may not see are only in `vehicle_groups` and `trip_groups`.',
    sql: { sqlite: vehicleGroupsAll, postgres: vehicleGroupsAll },
  },
  {
    name: 'vehicle_groups_all_history',
    about:
      'Which vehicle was in which group, or in a group below it, and from when to when, in a copy that keeps [history](#history).',
    sql: { sqlite: vehicleGroupsAllHistory, postgres: vehicleGroupsAllHistory },
  },
  {
    name: 'trip_groups',
    about:
      'The groups that the vehicle of each trip was in when the trip began, and those above them, in a copy that keeps [history](#history). Trips before the history have the groups that it begins with, and `is_known` is false.',
    sql: { sqlite: tripGroups, postgres: tripGroups },
  },
];
