// The fuel used in a trip. A counter that freezes while another increases is rejected.
import { readNumber } from '../readings.js';
import { CounterDistance } from './counter-distance.js';
import type { Trip, TripSnapshot } from './trip.js';

type CanBus = NonNullable<TripSnapshot['canBus']>;
type FuelCounter = NonNullable<Trip['fuelBy']>;
export type FuelSums = Readonly<Record<FuelCounter, number>>;

/** In order of preference. */
const counters: readonly FuelCounter[] = ['canTripFuelUsed', 'canhrFuelUsed', 'canFuelUsed'];

/** In litres; above any engine. */
const MAX_PER_HOUR = 500;
/** A frozen counter misses more of another's increases than this share, and than a coarse one. */
const MAX_MISSED_SHARE = 0.2;
/** A counter that has not increased over a longer distance is unusable. */
const MAX_UNCHANGED_KM = 10;
/** The increase of another counter that proves a counter to be frozen, not only coarse. */
const COARSE_UNITS = 1.5;

class FuelCount {
  readonly counter: CounterDistance;
  increases = 0;
  /** Missed increases of other counters: the maximum, and their total at the last own increase. */
  readonly #missed = new Map<FuelCount, number>();
  readonly #increasesBefore = new Map<FuelCount, number>();

  constructor(canReset: boolean) {
    this.counter = new CounterDistance(MAX_PER_HOUR, canReset);
  }

  /** `isAfter`: the reading is from after the trip, whose end is at `time`. */
  add(time: number, value: number, all: readonly FuelCount[], isAfter: boolean): void {
    const before = this.counter.sum;
    if (isAfter) this.counter.addAfter(time, value);
    else this.counter.add(time, value);
    if (this.counter.sum === before) return;
    this.increases++;
    for (const other of all) {
      if (other === this || other.increases === 0) continue;
      this.#missed.set(other, this.#missedOf(other));
      this.#increasesBefore.set(other, other.increases);
    }
  }

  /** Returns true when it missed more increases of the other counter than coarse units explain. */
  isFrozenComparedTo(other: FuelCount): boolean {
    if (other === this) return false;
    const missed = this.#missedOf(other);
    if (missed < 2) return false;
    if (this.increases === 0) return other.counter.sum >= COARSE_UNITS;
    return missed / other.increases > Math.max(MAX_MISSED_SHARE, 2 / (this.increases + 1));
  }

  isUsable(km: number): boolean {
    return this.counter.readings > 1 && this.counter.isPlausible && (this.increases > 0 || km <= MAX_UNCHANGED_KM);
  }

  #missedOf(other: FuelCount): number {
    return Math.max(this.#missed.get(other) ?? 0, other.increases - (this.#increasesBefore.get(other) ?? 0));
  }
}

export class TripFuel {
  readonly #counts: Readonly<Record<FuelCounter, FuelCount>> = {
    canTripFuelUsed: new FuelCount(true),
    canhrFuelUsed: new FuelCount(false),
    canFuelUsed: new FuelCount(false),
  };
  readonly #all = Object.values(this.#counts);

  /** Adds the readings of a snapshot in the trip, or after it: then `time` is the end. */
  take(time: number, canBus: CanBus, isAfter = false): void {
    for (const name of counters) {
      const value = readNumber(canBus[name]) ?? null;
      if (value !== null) this.#counts[name].add(time, value, this.#all, isAfter);
    }
  }

  takeBefore(start: number, canBus: CanBus): void {
    for (const name of counters) {
      const value = readNumber(canBus[name]) ?? null;
      if (value !== null) this.#counts[name].counter.addBefore(start, value);
    }
  }

  get sums(): FuelSums {
    const { canTripFuelUsed, canhrFuelUsed, canFuelUsed } = this.#counts;
    return {
      canTripFuelUsed: canTripFuelUsed.counter.sum,
      canhrFuelUsed: canhrFuelUsed.counter.sum,
      canFuelUsed: canFuelUsed.counter.sum,
    };
  }

  /** Returns the best counter for a trip of this distance, or null. */
  counterFor(km: number): FuelCounter | null {
    const usable = counters.filter((name) => this.#counts[name].isUsable(km));
    const isFrozen = (name: FuelCounter) =>
      usable.some((other) => this.#counts[name].isFrozenComparedTo(this.#counts[other]));
    return usable.find((name) => !isFrozen(name)) ?? usable[0] ?? null;
  }
}
