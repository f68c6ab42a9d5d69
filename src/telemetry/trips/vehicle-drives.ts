// Finds the trips of one vehicle: by ignition, or by movement when its ignition has never been on.
// The choice needs an ignition on, or all snapshots; until then trips by movement are held back.
import type { Warning } from '../../core/hooks.js';
import type { ActivityDetector, ActivityInProgress, ActivityKind } from '../activities/activity.js';
import type { Readings } from '../readings.js';
import { MovementTrips } from './movement-trips.js';
import { NEAR_TRIP_MS } from './open-trip.js';
import type { Trip, TripSnapshot } from './trip.js';
import type { TripLimits } from './trip-limits.js';
import { VehicleTrips, type VehicleTripsOptions } from './vehicle-trips.js';

const HOUR = 3_600_000;
const LOOK_BACKS_MS = [HOUR, 6 * HOUR, 24 * HOUR, 7 * 24 * HOUR];

export function tripKind(limits: TripLimits): ActivityKind<Trip> {
  const { lateMs, silenceMs, closeAfterMs } = limits;
  return {
    noun: 'trip',
    lateMs,
    requires: ['ignition'],
    silenceMs,
    readAheadMs: Math.max(silenceMs, closeAfterMs),
    contextMs: NEAR_TRIP_MS,
    lookBacksMs: LOOK_BACKS_MS,
    ...(limits.withDetails === true
      ? { select: detailedTripSelection, purpose: 'detailedTrips' }
      : { select: tripSelection, purpose: 'trips' }),
    detect: (options) => new TripDetector({ ...options, limits }),
  };
}

class TripDetector implements ActivityDetector<Trip> {
  readonly #vehicleId: string;
  readonly #readings: Readings;
  readonly #byIgnition: VehicleTrips;
  /** Null once the ignition has been on. */
  #byMovement: MovementTrips | null;
  #hasIgnition = false;
  /** True when it moved before its ignition was first on. */
  #hasLostTrips = false;

  constructor(options: Omit<VehicleTripsOptions, 'by'>) {
    this.#vehicleId = options.vehicleId;
    this.#readings = options.readings;
    this.#byIgnition = new VehicleTrips({ ...options, by: 'ignition' });
    this.#byMovement = new MovementTrips(options);
  }

  take(time: number, row: TripSnapshot): Trip | null {
    const isOn = this.#readings.flag('ignition', row.ignition?.engineStatus);
    if (isOn !== null) this.#hasIgnition = true;
    if (isOn === true && this.#byMovement !== null) {
      this.#hasLostTrips = this.#byMovement.count > 0 || this.#byMovement.tripInProgress !== null;
      this.#byMovement = null;
    }
    this.#byMovement?.take(time, row);
    return this.#byIgnition.take(time, row, isOn);
  }

  finish(until: number | null): readonly Trip[] {
    const last = this.#byIgnition.finish(until);
    return last === null ? (this.#byMovement?.finish(until) ?? []) : [last];
  }

  get inProgress(): ActivityInProgress | null {
    return this.#byIgnition.tripInProgress ?? this.#byMovement?.tripInProgress ?? null;
  }

  get begins(): number | null {
    return this.#byIgnition.tripInProgress?.start ?? this.#byMovement?.begins ?? null;
  }

  get restBegins(): number | null {
    return this.#byIgnition.tripInProgress?.start ?? this.#byMovement?.firstStart ?? null;
  }

  isFreeAt(time: number): boolean {
    if (this.#byMovement === null) return this.#byIgnition.isParkedAt(time);
    if (this.#byMovement.tripInProgress !== null) return false;
    return this.#hasIgnition ? this.#byIgnition.isParkedAt(time) : this.#byMovement.isParkedAt(time);
  }

  warning(): Pick<Warning, 'code' | 'message'> | null {
    if (this.#hasLostTrips) {
      const message = `The ignition of vehicle ${this.#vehicleId} was off in snapshots in which it moved, and on in later ones. Its earlier movement is in no trip: it was carried, or its ignition is not always reported.`;
      return { code: 'NO_IGNITION', message };
    }
    const movement = this.#byMovement;
    if (movement === null || movement.count === 0) return null;
    const ignition = this.#hasIgnition ? 'was never on' : 'is not reported';
    return {
      code: 'NO_IGNITION',
      message:
        `The ignition of vehicle ${this.#vehicleId} ${ignition}, but it moved. Its trips are read from its movement (tripsBy 'movement'). ` +
        'They end with a stop of five minutes.',
    };
  }
}

const tripSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  driverBehaviour: { driverBehaviourType: true },
  canBus: {
    canSpeed: true,
    canWheelSpeed: true,
    canDistance: true,
    canTripFuelUsed: true,
    canhrFuelUsed: true,
    canFuelUsed: true,
  },
} as const;

const detailedTripSelection = {
  ...tripSelection,
  driverBehaviour: { ...tripSelection.driverBehaviour, driverBehaviourValue: true },
  canBus: { ...tripSelection.canBus, engineWorkTime: true },
  fuel: { fuel: true },
  locationTimeZone: true,
} as const;
