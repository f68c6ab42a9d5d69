// One trip while it is being read: takes its snapshots in order, and says what is known of it.
import { CounterDistance } from './counter-distance.js';
import { DrivenPath } from './driven-path.js';
import type { Trip, TripPosition, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';

/** More than any engine burns in an hour, in litres. */
const MOST_FUEL = 500;

export class OpenTrip {
  readonly start: number;
  readonly isStartKnown: boolean;
  readonly #vehicleId: string;
  readonly #rules: TripLimits;
  readonly #drivers = new Set<string>();
  /** Who drove last: nearly always who drives now. */
  #driverId = '';
  readonly #harsh = new Map<string, number>();
  readonly #fixes: DrivenPath;
  readonly #odometer: CounterDistance;
  readonly #fuel: { readonly [Name in NonNullable<Trip['fuelBy']>]: CounterDistance };
  /** Kilometres by position at the first and the last reading of the odometer: what it has not seen is added. */
  #kmAtFirstReading = 0;
  #kmAtLastReading = 0;
  #movingMs = 0;
  #idleMs = 0;
  #topSpeed: number | null = null;
  #snapshots = 0;
  #time: number;
  #isOn = true;
  #isMoving = false;

  constructor(vehicleId: string, start: number, isStartKnown: boolean, rules: TripLimits) {
    this.#vehicleId = vehicleId;
    this.start = start;
    this.isStartKnown = isStartKnown;
    this.#rules = rules;
    this.#time = start;
    this.#fixes = new DrivenPath(rules.fastestKmh);
    this.#odometer = new CounterDistance(rules.fastestKmh, false);
    this.#fuel = {
      canTripFuelUsed: new CounterDistance(MOST_FUEL, true),
      canhrFuelUsed: new CounterDistance(MOST_FUEL, false),
      canFuelUsed: new CounterDistance(MOST_FUEL, false),
    };
  }

  /** The time of the last snapshot taken. */
  get lastSeen(): number {
    return this.#time;
  }

  /** A snapshot after the ones before; `isOn` is the ignition from now on. */
  take(time: number, row: TripSnapshot, isOn: boolean): void {
    this.#passTime(time);
    this.#isOn = isOn;
    this.#snapshots++;
    const { gps, driver, driverBehaviour, canBus } = row;
    if (gps) {
      const { latitude, longitude, speed } = gps;
      if (typeof latitude === 'number' && typeof longitude === 'number') this.#fixes.add(time, latitude, longitude);
      if (typeof speed === 'number') this.#takeSpeed(speed);
    }
    const driverId = driver?.driverId;
    if (driverId && driverId !== this.#driverId) {
      this.#drivers.add(driverId);
      this.#driverId = driverId;
    }
    const harsh = driverBehaviour?.driverBehaviourType;
    if (harsh) this.#harsh.set(harsh, (this.#harsh.get(harsh) ?? 0) + 1);
    if (canBus) this.#takeCanBus(time, canBus);
  }

  #passTime(time: number): void {
    if (this.#isOn) {
      if (this.#isMoving) this.#movingMs += time - this.#time;
      else this.#idleMs += time - this.#time;
    }
    this.#time = time;
  }

  #takeSpeed(speed: number): void {
    if (!(speed >= 0 && speed <= this.#rules.fastestKmh)) return;
    this.#isMoving = speed >= this.#rules.movingKmh;
    if (this.#topSpeed === null || speed > this.#topSpeed) this.#topSpeed = speed;
  }

  #takeCanBus(time: number, canBus: NonNullable<TripSnapshot['canBus']>): void {
    const { canDistance, canTripFuelUsed, canhrFuelUsed, canFuelUsed } = canBus;
    if (typeof canDistance === 'number') {
      if (this.#odometer.readings === 0) this.#kmAtFirstReading = this.#fixes.km;
      this.#kmAtLastReading = this.#fixes.km;
      this.#odometer.add(time, canDistance);
    }
    if (typeof canTripFuelUsed === 'number') this.#fuel.canTripFuelUsed.add(time, canTripFuelUsed);
    if (typeof canhrFuelUsed === 'number') this.#fuel.canhrFuelUsed.add(time, canhrFuelUsed);
    if (typeof canFuelUsed === 'number') this.#fuel.canFuelUsed.add(time, canFuelUsed);
  }

  /** The trip as it is known. `end` is null while it is open. */
  told(end: { readonly time: number; readonly by: 'ignition' | 'silence' } | null): Trip {
    const startedAt = new Date(this.start).toISOString();
    const { km, by } = this.#distance();
    const fuelBy = this.#fuelBy();
    return {
      id: `${this.#vehicleId}@${startedAt}`,
      vehicleId: this.#vehicleId,
      startedAt,
      endedAt: end === null ? null : new Date(end.time).toISOString(),
      lastSeenAt: new Date(this.#time).toISOString(),
      isOpen: end === null,
      endedBy: end?.by ?? null,
      isStartKnown: this.isStartKnown,
      driverIds: [...this.#drivers],
      distanceKm: rounded(km, 1000),
      distanceBy: by,
      durationSeconds: seconds((end?.time ?? this.#time) - this.start),
      movingSeconds: seconds(this.#movingMs),
      idleSeconds: seconds(this.#idleMs),
      topSpeedKmh: this.#topSpeed,
      meanSpeedKmh: this.#movingMs === 0 ? null : rounded(km / (this.#movingMs / 3_600_000), 10),
      fuelUsed: fuelBy === null ? null : rounded(this.#fuel[fuelBy].sum, 1000),
      fuelBy,
      harshEvents: Object.fromEntries(this.#harsh),
      startPosition: positionOf(this.#fixes.first),
      endPosition: positionOf(this.#fixes.last),
      snapshots: this.#snapshots,
    };
  }

  #distance(): { readonly km: number; readonly by: Trip['distanceBy'] } {
    const { km, steps } = this.#fixes;
    const { readings, isSane, sum } = this.#odometer;
    if (readings < 2 || !isSane) return { km, by: steps > 0 ? 'positions' : 'none' };
    return { km: this.#kmAtFirstReading + sum + (km - this.#kmAtLastReading), by: 'odometer' };
  }

  #fuelBy(): Trip['fuelBy'] {
    const names = ['canTripFuelUsed', 'canhrFuelUsed', 'canFuelUsed'] as const;
    return names.find((name) => this.#fuel[name].readings > 1 && this.#fuel[name].isSane) ?? null;
  }
}

function positionOf(position: TripPosition | null): TripPosition | null {
  return position === null ? null : { latitude: position.latitude, longitude: position.longitude };
}

function seconds(ms: number): number {
  return rounded(ms / 1000, 10);
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
