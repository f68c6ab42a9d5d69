// The true movement of a vehicle: legs and stops become position, speed, odometer, ignition, fuel
// and driver at every second. Devices observe this world, and trips are measured against it.

/** The truth at one second. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  /** Kilometres since the vehicle was built. */
  readonly odometerKm: number;
  readonly isOn: boolean;
  /** Litres since the vehicle was built. */
  readonly litres: number;
  readonly driverId: string;
  /** False in a tunnel and in a garage. */
  readonly seesSky: boolean;
}

/** A piece of road, or a time without driving. */
export type Part =
  | {
      readonly metres: number;
      /** The speed after acceleration. */
      readonly kmh: number;
      /** The total turn to the right. */
      readonly turn?: number;
      readonly seesSky?: boolean;
      /** By a ferry or a tow truck: the engine is off, and the odometer does not move. */
      readonly isCarried?: boolean;
    }
  | { readonly seconds: number; readonly isOn: boolean; readonly seesSky?: boolean; readonly nextDriver?: string };

/** A true trip: from ignition on to ignition off, including short stops. */
export interface TrueTrip {
  readonly start: number;
  readonly end: number;
  readonly km: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
  readonly litres: number;
  readonly topSpeedKmh: number;
  readonly driverIds: readonly string[];
}

export interface World {
  readonly moments: readonly Moment[];
  readonly trips: readonly TrueTrip[];
}

const start = Date.UTC(2026, 2, 2);
const accelerateMs2 = 1.2;
const brakeMs2 = 1.5;
const litresPerHourIdle = 2;
const litresPerKm = 0.25;
/** The maximum time off within a trip. */
const shortStopSeconds = 120;
const movingKmh = 2;

const metresPerDegree = (Math.PI / 180) * 6_371_008.8;

/** Returns the world of a vehicle that drives these parts, from midnight on. */
export function worldOf(parts: readonly Part[]): World {
  const moments = [...drive(parts)];
  return { moments, trips: tripsIn(moments) };
}

function* drive(parts: readonly Part[]): Generator<Moment> {
  let [time, latitude, longitude, heading] = [start, 59.43, 24.75, 20];
  let [speed, metres, litres, driverId] = [0, 81_234_500, 12_345, 'driver-1'];
  /** Metres by which the last second of a part extends into the next one. */
  let ahead = 0;
  const moment = (isOn: boolean, seesSky: boolean): Moment => ({
    time,
    latitude,
    longitude,
    speedKmh: speed * 3.6,
    odometerKm: metres / 1000,
    isOn,
    litres,
    driverId,
    seesSky,
  });
  for (const [at, part] of parts.entries()) {
    const seesSky = part.seesSky ?? true;
    if ('seconds' in part) {
      speed = 0;
      ahead = 0;
      if (part.nextDriver !== undefined) driverId = part.nextDriver;
      for (let second = 0; second < part.seconds; second++) {
        yield moment(part.isOn, seesSky);
        time += 1000;
        if (part.isOn) litres += litresPerHourIdle / 3600;
      }
      continue;
    }
    const { turn = 0, isCarried = false } = part;
    for (let driven = ahead; driven < part.metres; ) {
      yield moment(!isCarried, seesSky);
      time += 1000;
      const before = speed;
      speed = Math.min(speed + accelerateMs2, part.kmh / 3.6, fastestBefore(parts, at, part.metres - driven));
      // The last metre before a stop.
      if (speed < 0.6 && parts[at + 1] !== undefined && part.metres - driven < 1) break;
      speed = Math.max(speed, 0.5);
      const step = (before + speed) / 2;
      driven += step;
      ahead = driven - part.metres;
      if (!isCarried) {
        metres += step;
        litres += (litresPerKm * step) / 1000;
      }
      heading += (turn * step) / part.metres;
      const direction = (heading * Math.PI) / 180;
      latitude += (Math.cos(direction) * step) / metresPerDegree;
      longitude += (Math.sin(direction) * step) / (metresPerDegree * Math.cos((latitude * Math.PI) / 180));
    }
    ahead = Math.max(ahead, 0);
  }
}

/** Returns the maximum speed in m/s from which the vehicle can still brake. */
function fastestBefore(parts: readonly Part[], at: number, metresLeft: number): number {
  let fastest = Number.POSITIVE_INFINITY;
  let distance = Math.max(metresLeft, 0);
  for (let next = at + 1; distance < 500; next++) {
    const part = parts[next];
    const limit = part === undefined || 'seconds' in part ? 0 : part.kmh / 3.6;
    fastest = Math.min(fastest, Math.sqrt(limit ** 2 + 2 * brakeMs2 * distance));
    if (part === undefined || 'seconds' in part) break;
    distance += part.metres;
  }
  return fastest;
}

function tripsIn(moments: readonly Moment[]): readonly TrueTrip[] {
  const trips: TrueTrip[] = [];
  let [first, lastOn]: [number, number] = [-1, -1];
  for (const [at, { isOn }] of moments.entries()) {
    const offSeconds = at - (lastOn + 1);
    if (first >= 0 && offSeconds >= shortStopSeconds) {
      trips.push(tripBetween(moments.slice(first, lastOn + 2)));
      first = -1;
    }
    if (!isOn) continue;
    if (first < 0) first = at;
    lastOn = at;
  }
  return trips;
}

function tripBetween(moments: readonly Moment[]): TrueTrip {
  const [begin, end] = [moments[0], moments.at(-1)];
  if (begin === undefined || end === undefined) throw new RangeError('A trip has moments.');
  const on = moments.filter(({ isOn }) => isOn);
  const moving = on.filter(({ speedKmh }) => speedKmh >= movingKmh);
  return {
    start: begin.time,
    end: end.time,
    km: end.odometerKm - begin.odometerKm,
    movingSeconds: moving.length,
    idleSeconds: on.length - moving.length,
    litres: end.litres - begin.litres,
    topSpeedKmh: Math.max(...moments.map(({ speedKmh }) => speedKmh)),
    driverIds: [...new Set(on.map(({ driverId }) => driverId))],
  };
}
