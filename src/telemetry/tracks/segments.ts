// Cuts a vehicle's fixes into the pieces of a track: at long silences and where the engine is started again. Fixes that come a
// little late are put in their place. Memory holds one piece, and no piece is longer than MOST_FIXES.
import { ReorderBuffer } from '../trips/reorder-buffer.js';
import type { Fix } from './fix.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';

/** A longer piece is given in parts that touch. */
const MOST_FIXES = 5_000;

export interface SegmentRules {
  readonly gapMs: number;
  readonly splitAtIgnitionOff: boolean;
  readonly lateMs: number;
  readonly nameOf: (vehicleId: string | null) => string | null;
}

/** The rules that apply where the caller sets none. */
export const defaultSegmentRules = { gapMs: 1_800_000, splitAtIgnitionOff: true, lateMs: 60_000 } as const;

/**
 * Rows of one vehicle come after each other; a fix that is late by more than `lateMs` is left out. Features pass as they are,
 * and end the track before them.
 */
export async function* segmentsOf(steps: Items<Fix | MapFeature>, rules: SegmentRules): AsyncGenerator<MapItem, void> {
  let vehicle: Track | null = null;
  for await (const step of steps) {
    if (vehicle !== null && ('kind' in step || vehicle.vehicleId !== step.vehicleId)) {
      yield* vehicle.end();
      vehicle = null;
    }
    if ('kind' in step) {
      yield step;
      continue;
    }
    vehicle ??= new Track(step.vehicleId, rules);
    yield* vehicle.add(step);
  }
  if (vehicle !== null) yield* vehicle.end();
}

class Track {
  readonly vehicleId: string | null;
  readonly #rules: SegmentRules;
  readonly #name: string | null;
  readonly #order: ReorderBuffer<Fix>;
  #fixes: Fix[] = [];
  #number = 0;
  #continues = false;
  /** What the ignition was last known to be. */
  #ignition: boolean | null = null;

  constructor(vehicleId: string | null, rules: SegmentRules) {
    this.vehicleId = vehicleId;
    this.#rules = rules;
    this.#name = rules.nameOf(vehicleId);
    this.#order = new ReorderBuffer(rules.lateMs);
  }

  *add(fix: Fix): Generator<Segment, void> {
    if (!this.#order.add(fix.time, fix)) return;
    for (let next = this.#order.take(); next !== null; next = this.#order.take()) yield* this.#append(next.row);
  }

  *end(): Generator<Segment, void> {
    for (let next = this.#order.takeAny(); next !== null; next = this.#order.takeAny()) yield* this.#append(next.row);
    if (this.#fixes.length > 0) yield this.#segment();
  }

  *#append(fix: Fix): Generator<Segment, void> {
    const last = this.#fixes.at(-1);
    if (last !== undefined) {
      if (this.#isApart(last, fix)) {
        yield this.#segment();
        this.#fixes = [];
        this.#continues = false;
      } else if (this.#fixes.length >= MOST_FIXES) {
        yield this.#segment();
        this.#fixes = [last];
        this.#continues = true;
      }
    }
    this.#ignition = fix.ignition ?? this.#ignition;
    this.#fixes.push(fix);
  }

  #isApart(last: Fix, fix: Fix): boolean {
    const isOff = this.#rules.splitAtIgnitionOff && this.#ignition === false;
    // What a parked vehicle sends now and then belongs to where it stopped, however far apart it comes.
    if (isOff) return fix.ignition === true;
    return fix.time - last.time > this.#rules.gapMs;
  }

  #segment(): Segment {
    this.#number++;
    return {
      kind: 'segment',
      vehicleId: this.vehicleId,
      name: this.#name,
      number: this.#number,
      continues: this.#continues,
      fixes: this.#fixes,
    };
  }
}
