// Reads trips or stops from the snapshots of one or several vehicles. Late snapshots are sorted;
// only those within `lateMs` are held in memory.
import { ProtocolError } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import { Readings } from '../readings.js';
import { compareRows } from '../row-numbering.js';
import { TimestampReader } from '../timestamp-reader.js';
import { ReorderBuffer } from '../trips/reorder-buffer.js';
import type { TripSnapshot } from '../trips/trip.js';
import type { Activity, ActivityDetector, ActivityInProgress, ActivityKind, DetectorOptions } from './activity.js';

const NONE: readonly never[] = [];

/** `clip` and `beginsAt`: none by default. */
export interface ActivityReaderOptions
  extends Pick<DetectorOptions, 'isFreeBefore'>,
    Partial<Pick<DetectorOptions, 'clip' | 'beginsAt'>> {
  /** The call that errors name. */
  readonly operation?: string;
}

interface VehicleState<Found> {
  readonly buffer: ReorderBuffer<TripSnapshot>;
  readonly detector: ActivityDetector<Found>;
  last: TripSnapshot | null;
  lastTime: number;
}

export class ActivityReader<Found extends Activity> {
  readonly #kind: ActivityKind<Found>;
  readonly #vehicles = new Map<string, VehicleState<Found>>();
  readonly #times = new TimestampReader();
  readonly #readings = new Readings();
  readonly #options: ActivityReaderOptions;
  #taken = 0;
  #tooLate = 0;
  #vehicleId = '';
  #current: VehicleState<Found> | null = null;

  constructor(kind: ActivityKind<Found>, options: ActivityReaderOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  expect(vehicleId: string): void {
    this.#stateOf(vehicleId);
  }

  take(row: TripSnapshot): readonly Found[] {
    const { timestamp, vehicleId } = row;
    const time = this.#times.read(timestamp);
    if (!vehicleId || time === null) return NONE;
    const state = this.#stateOf(vehicleId);
    if (!state.buffer.add(time, row)) {
      this.#tooLate++;
      return NONE;
    }
    this.#taken++;
    let ended: readonly Found[] = NONE;
    for (let next = state.buffer.take(); next !== null; next = state.buffer.take()) {
      const one = takeInOrder(state, next.time, next.row);
      if (one !== null) ended = [...ended, one];
    }
    return ended;
  }

  takeAll(rows: readonly TripSnapshot[]): readonly Found[] {
    let ended: readonly Found[] = NONE;
    for (const row of rows) {
      const endedByRow = this.take(row);
      if (endedByRow.length > 0) ended = [...ended, ...endedByRow];
    }
    return ended;
  }

  /**
   * Returns the remaining activities when there are no more snapshots before `until` (null: at
   * all).
   * @throws when a required value could not be read, or most snapshots came too late
   */
  finish(until: number | null): readonly Found[] {
    const found: Found[] = [];
    for (const state of this.#vehicles.values()) {
      for (let next = state.buffer.takeAny(); next !== null; next = state.buffer.takeAny()) {
        const one = takeInOrder(state, next.time, next.row);
        if (one !== null) found.push(one);
      }
      found.push(...state.detector.finish(until));
    }
    const { operation = null } = this.#options;
    for (const reading of this.#kind.requires) this.#readings.require(reading, operation);
    if (this.#tooLate > this.#taken) {
      throw new ProtocolError(`${this.#lateness()} Put them in order of time first.`, { operation });
    }
    return found;
  }

  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    const late = {
      code: 'ROWS_OUT_OF_ORDER' as const,
      message: `${this.#lateness()} They are in no ${this.#kind.noun}.`,
    };
    const vehicleWarnings = [...this.#vehicles.values()].flatMap(({ detector }) => detector.warning() ?? []);
    return [
      ...this.#readings.warnings(),
      ...vehicleWarnings,
      ...this.#clockWarning(),
      ...(this.#tooLate > 0 ? [late] : []),
    ];
  }

  #clockWarning(): readonly Pick<Warning, 'code' | 'message'>[] {
    const count = [...this.#vehicles.values()].reduce((sum, { buffer }) => sum + buffer.droppedAhead, 0);
    if (count === 0) return [];
    const snapshots = count === 1 ? '1 snapshot has a time' : `${count} snapshots have times`;
    const message = `${snapshots} a month or more ahead of the snapshots around, as when the clock of a device jumps. They are in no ${this.#kind.noun}.`;
    return [{ code: 'DEVICE_CLOCK', message }];
  }

  #lateness(): string {
    const snapshots = this.#tooLate === 1 ? '1 snapshot' : `${this.#tooLate} snapshots`;
    return `${snapshots} came more than ${this.#kind.lateMs} ms (lateMs) after a later one of the same vehicle.`;
  }

  /**
   * Returns the time to resume from after all snapshots up to `time`: the start of the activity in
   * progress, or the oldest snapshot in the buffer.
   */
  restBegins(time: number): number {
    return Math.min(
      time,
      ...[...this.#vehicles.values()].flatMap(({ buffer, detector }) => [
        detector.restBegins ?? time,
        buffer.oldest ?? time,
      ]),
    );
  }

  /** The activity in progress of the only vehicle, or null. Call it after `finish`. */
  get inProgress(): ActivityInProgress | null {
    return this.#current?.detector.inProgress ?? null;
  }

  /** The time from which snapshots of the only vehicle are still needed; null for none. */
  get begins(): number | null {
    return this.#current?.detector.begins ?? null;
  }

  /** Returns true when the only vehicle had no activity in progress then, after `finish`. */
  isFreeAt(time: number): boolean {
    return this.#current?.detector.isFreeAt(time) ?? false;
  }

  #stateOf(vehicleId: string): VehicleState<Found> {
    if (this.#current !== null && vehicleId === this.#vehicleId) return this.#current;
    const state = this.#vehicles.get(vehicleId) ?? {
      buffer: new ReorderBuffer<TripSnapshot>(this.#kind.lateMs),
      detector: this.#kind.detect({
        vehicleId,
        readings: this.#readings,
        clip: null,
        beginsAt: Number.NEGATIVE_INFINITY,
        ...this.#options,
      }),
      last: null,
      lastTime: Number.NaN,
    };
    this.#vehicles.set(vehicleId, state);
    this.#vehicleId = vehicleId;
    this.#current = state;
    return state;
  }
}

/** Passes a row to the detector, unless it repeats the previous row. */
function takeInOrder<Found>(state: VehicleState<Found>, time: number, row: TripSnapshot): Found | null {
  const { last } = state;
  if (last !== null && time === state.lastTime && last.timestamp === row.timestamp && compareRows(last, row) === 0) {
    return null;
  }
  state.last = row;
  state.lastTime = time;
  return state.detector.take(time, row);
}
