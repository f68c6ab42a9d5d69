// Splits the fixes of a vehicle into track segments: at long silences, at engine starts, and where
// the path is unknown. Sorts late fixes and drops wrong ones. Memory holds at most one segment of
// MAX_FIXES fixes.
import { defaultLateMs, ReorderBuffer } from '../trips/reorder-buffer.js';
import { FixCleaner } from './fix-cleaner.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';
import type { Fix } from './position-fix.js';

/** A longer segment is split; the next part begins with the last fix of the previous one. */
const MAX_FIXES = 5_000;

export interface SegmentOptions {
  readonly gapMs: number;
  readonly splitAtIgnitionOff: boolean;
  readonly lateMs: number;
  readonly nameOf: (vehicleId: string | null) => string | null;
}

export const defaultSegmentRules = { gapMs: 1_800_000, splitAtIgnitionOff: true, lateMs: defaultLateMs } as const;

/**
 * Yields the segments. Rows of a vehicle must be consecutive. A fix later than `lateMs` is dropped.
 * A feature passes through and ends the current track.
 */
export async function* segmentsOf(
  items: Items<Fix | MapFeature>,
  options: SegmentOptions,
): AsyncGenerator<MapItem, void> {
  let track: Track | null = null;
  for await (const item of items) {
    if (track !== null && ('kind' in item || track.vehicleId !== item.vehicleId)) {
      yield* track.end();
      track = null;
    }
    if ('kind' in item) {
      yield item;
      continue;
    }
    track ??= new Track(item.vehicleId, options);
    yield* track.add(item);
  }
  if (track !== null) yield* track.end();
}

class Track {
  readonly vehicleId: string | null;
  readonly #options: SegmentOptions;
  readonly #name: string | null;
  readonly #order: ReorderBuffer<Fix>;
  readonly #cleaner = new FixCleaner();
  #fixes: Fix[] = [];
  #number = 0;
  #continues = false;
  #ignition: boolean | null = null;

  constructor(vehicleId: string | null, options: SegmentOptions) {
    this.vehicleId = vehicleId;
    this.#options = options;
    this.#name = options.nameOf(vehicleId);
    this.#order = new ReorderBuffer(options.lateMs);
  }

  *add(fix: Fix): Generator<Segment, void> {
    if (!this.#order.add(fix.time, fix)) return;
    for (let next = this.#order.take(); next !== null; next = this.#order.take()) yield* this.#append(next.row);
  }

  *end(): Generator<Segment, void> {
    for (let next = this.#order.takeAny(); next !== null; next = this.#order.takeAny()) yield* this.#append(next.row);
    if (this.#fixes.length > 0) yield this.#segment();
  }

  *#append(next: Fix): Generator<Segment, void> {
    for (const { fix, isNewPlace } of this.#cleaner.add(next)) yield* this.#draw(fix, isNewPlace);
  }

  *#draw(fix: Fix, isNewPlace: boolean): Generator<Segment, void> {
    const last = this.#fixes.at(-1);
    if (last !== undefined) {
      if (isNewPlace || this.#startsNewSegment(last, fix)) {
        yield this.#segment();
        this.#fixes = [];
        this.#continues = false;
      } else if (this.#fixes.length >= MAX_FIXES) {
        yield this.#segment();
        this.#fixes = [last];
        this.#continues = true;
      }
    }
    this.#ignition = fix.ignition ?? this.#ignition;
    this.#fixes.push(fix);
  }

  #startsNewSegment(last: Fix, fix: Fix): boolean {
    const isOff = this.#options.splitAtIgnitionOff && this.#ignition === false;
    // Fixes of a parked vehicle belong to the segment that ended there, even after long silences.
    if (isOff) return fix.ignition === true;
    return fix.time - last.time > this.#options.gapMs;
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
