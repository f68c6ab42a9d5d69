// A trip that is being read: takes its snapshots in order and sums them up.
import { type Readings, readText } from '../readings.js';
import { CounterDistance } from './counter-distance.js';
import { DrivenPath } from './driven-path.js';
import { DrivenTrack } from './driven-track.js';
import type { Trip, TripPosition, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

/** What had been counted when the clip of the trips began. */
interface Beginning {
  readonly time: number;
  readonly position: TripPosition | null;
  readonly km: number;
  readonly movingMs: number;
  readonly idleMs: number;
  readonly snapshots: number;
  readonly fuel: Readonly<Record<NonNullable<Trip['fuelBy']>, number>>;
  readonly harshEvents: ReadonlyMap<string, number>;
}

/** More than any engine uses in an hour, in litres. */
const MAX_FUEL_PER_HOUR = 500;

export class OpenTrip {
  readonly start: number;
  readonly isStartKnown: boolean;
  readonly #vehicleId: string;
  readonly #limits: TripLimits;
  readonly #readings: Readings;
  readonly #drivers = new Set<string>();
  /** The last driver, who is nearly always the present one too. */
  #driverId = '';
  readonly #harshEvents = new Map<string, number>();
  readonly #path: DrivenPath;
  /** Null unless the caller wants the positions. */
  readonly #track: DrivenTrack | null;
  readonly #odometer: CounterDistance;
  readonly #fuel: { readonly [Name in NonNullable<Trip['fuelBy']>]: CounterDistance };
  /** Kilometres by positions at the first and the last odometer reading. What lies before and after is added to the odometer's. */
  #kmAtFirstReading = 0;
  #kmAtLastReading = 0;
  #movingMs = 0;
  #idleMs = 0;
  #topSpeed: number | null = null;
  #snapshots = 0;
  /** Up to when times have been counted. */
  #time: number;
  #lastSeen: number;
  #isOn = true;
  #isMoving = false;
  /** Null when the trip counts from its start on. */
  #beginning: Beginning | null = null;

  constructor(vehicleId: string, start: number, isStartKnown: boolean, limits: TripLimits, readings: Readings) {
    this.#readings = readings;
    this.#vehicleId = vehicleId;
    this.start = start;
    this.isStartKnown = isStartKnown;
    this.#limits = limits;
    this.#time = start;
    this.#lastSeen = start;
    this.#track = limits.withTrack ? new DrivenTrack() : null;
    this.#path = new DrivenPath(limits.fastestKmh, this.#track);
    this.#odometer = new CounterDistance(limits.fastestKmh, false);
    this.#fuel = {
      canTripFuelUsed: new CounterDistance(MAX_FUEL_PER_HOUR, true),
      canhrFuelUsed: new CounterDistance(MAX_FUEL_PER_HOUR, false),
      canFuelUsed: new CounterDistance(MAX_FUEL_PER_HOUR, false),
    };
  }

  /** Takes the next snapshot; `isOn` is the ignition from then on. */
  take(time: number, row: TripSnapshot, isOn: boolean): void {
    this.#passTime(time);
    this.#lastSeen = time;
    this.#isOn = isOn;
    this.#snapshots++;
    const { gps, driver, driverBehaviour, canBus } = row;
    if (gps) {
      const latitude = this.#readings.number('position', gps.latitude);
      const longitude = this.#readings.number('position', gps.longitude);
      const speed = this.#readings.number('speed', gps.speed);
      const hasFix = this.#track === null || this.#readings.flag('fix', gps.state) !== false;
      if (latitude !== null && longitude !== null) this.#path.add(time, latitude, longitude, hasFix);
      if (speed !== null) this.#takeSpeed(speed);
    }
    const driverId = driver ? readText(driver.driverId) : null;
    if (driverId && driverId !== this.#driverId) {
      this.#drivers.add(driverId);
      this.#driverId = driverId;
    }
    const eventType = driverBehaviour ? readText(driverBehaviour.driverBehaviourType) : null;
    if (eventType) this.#harshEvents.set(eventType, (this.#harshEvents.get(eventType) ?? 0) + 1);
    if (canBus) this.#takeCanBus(time, canBus);
  }

  /** Leaves out what lies before this time. Call it before the first snapshot of this time or later is taken. */
  countFrom(time: number): void {
    if (this.#beginning !== null || this.start >= time) return;
    this.#passTime(time);
    const { canTripFuelUsed, canhrFuelUsed, canFuelUsed } = this.#fuel;
    this.#beginning = {
      time,
      position: this.#path.last,
      km: this.#distance().km,
      movingMs: this.#movingMs,
      idleMs: this.#idleMs,
      snapshots: this.#snapshots,
      fuel: {
        canTripFuelUsed: canTripFuelUsed.sum,
        canhrFuelUsed: canhrFuelUsed.sum,
        canFuelUsed: canFuelUsed.sum,
      },
      harshEvents: new Map(this.#harshEvents),
    };
    this.#topSpeed = null;
    this.#drivers.clear();
    if (this.#driverId !== '') this.#drivers.add(this.#driverId);
  }

  /** The trip up to a time at which it goes on. */
  cutAt(time: number): Trip {
    this.#passTime(time);
    return this.toTrip({ time, by: 'period' });
  }

  #passTime(time: number): void {
    if (this.#isOn) {
      if (this.#isMoving) this.#movingMs += time - this.#time;
      else this.#idleMs += time - this.#time;
    }
    this.#time = time;
  }

  #takeSpeed(speed: number): void {
    if (!(speed >= 0 && speed <= this.#limits.fastestKmh)) return;
    this.#isMoving = speed >= this.#limits.movingKmh;
    if (this.#topSpeed === null || speed > this.#topSpeed) this.#topSpeed = speed;
  }

  #takeCanBus(time: number, canBus: NonNullable<TripSnapshot['canBus']>): void {
    const { canDistance, canTripFuelUsed, canhrFuelUsed, canFuelUsed } = canBus;
    if (typeof canDistance === 'number') {
      if (this.#odometer.readings === 0) this.#kmAtFirstReading = this.#path.km;
      this.#kmAtLastReading = this.#path.km;
      this.#odometer.add(time, canDistance);
    }
    if (typeof canTripFuelUsed === 'number') this.#fuel.canTripFuelUsed.add(time, canTripFuelUsed);
    if (typeof canhrFuelUsed === 'number') this.#fuel.canhrFuelUsed.add(time, canhrFuelUsed);
    if (typeof canFuelUsed === 'number') this.#fuel.canFuelUsed.add(time, canFuelUsed);
  }

  /** The trip so far. `end` is null while it is open. */
  toTrip(end: { readonly time: number; readonly by: NonNullable<Trip['endedBy']> } | null): Trip {
    const beginning = this.#beginning;
    const { km, by } = this.#distance();
    const fuelBy = this.#fuelBy();
    // What each part has is the difference of two rounded numbers, so that the parts add up to the whole.
    const [kmBefore, msBefore] = [beginning?.km ?? 0, beginning?.movingMs ?? 0];
    const movingHours = (this.#movingMs - msBefore) / 3_600_000;
    return {
      id: `${this.#vehicleId}@${new Date(this.start).toISOString()}`,
      vehicleId: this.#vehicleId,
      startedAt: new Date(beginning?.time ?? this.start).toISOString(),
      endedAt: end === null ? null : new Date(end.time).toISOString(),
      lastSeenAt: new Date(this.#lastSeen).toISOString(),
      isOpen: end === null,
      endedBy: end?.by ?? null,
      isStartKnown: this.isStartKnown,
      driverIds: [...this.#drivers],
      distanceKm: difference(km, kmBefore, 1000),
      distanceBy: by,
      durationSeconds: seconds(
        (end?.time ?? this.#time) - this.start,
        beginning === null ? 0 : beginning.time - this.start,
      ),
      movingSeconds: seconds(this.#movingMs, msBefore),
      idleSeconds: seconds(this.#idleMs, beginning?.idleMs),
      topSpeedKmh: this.#topSpeed,
      meanSpeedKmh: movingHours === 0 ? null : rounded((km - kmBefore) / movingHours, 10),
      fuelUsed: fuelBy === null ? null : difference(this.#fuel[fuelBy].sum, beginning?.fuel[fuelBy] ?? 0, 1000),
      fuelBy,
      harshEvents: this.#harshSince(beginning),
      startPosition: positionOf(beginning?.position ?? this.#path.first),
      endPosition: positionOf(this.#path.last),
      snapshots: this.#snapshots - (beginning?.snapshots ?? 0),
      ...(this.#track === null ? {} : { track: this.#track.toPoints(beginning?.time) }),
    };
  }

  #harshSince(beginning: Beginning | null): Trip['harshEvents'] {
    const counts = [...this.#harshEvents].map(
      ([type, count]) => [type, count - (beginning?.harshEvents.get(type) ?? 0)] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  #distance(): { readonly km: number; readonly by: Trip['distanceBy'] } {
    const { km, steps } = this.#path;
    const { readings, isPlausible: isSane, sum } = this.#odometer;
    if (readings < 2 || !isSane) return { km, by: steps > 0 ? 'positions' : 'none' };
    return { km: this.#kmAtFirstReading + sum + (km - this.#kmAtLastReading), by: 'odometer' };
  }

  #fuelBy(): Trip['fuelBy'] {
    const names = ['canTripFuelUsed', 'canhrFuelUsed', 'canFuelUsed'] as const;
    return names.find((name) => this.#fuel[name].readings > 1 && this.#fuel[name].isPlausible) ?? null;
  }
}

function positionOf(position: TripPosition | null): TripPosition | null {
  return position === null ? null : { latitude: position.latitude, longitude: position.longitude };
}

function seconds(ms: number, msBefore = 0): number {
  return difference(ms / 1000, msBefore / 1000, 10);
}

/** Of two rounded numbers, itself rounded: numbers such as 0.1 are not exact. */
function difference(value: number, before: number, factor: number): number {
  return rounded(rounded(value, factor) - rounded(before, factor), factor);
}

function rounded(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}
