import { ProtocolError } from "../../core/errors.js";
import { compareRows } from "../moments.js";
import { Readings } from "../readings.js";
import { TimestampReader } from "../timestamp-reader.js";
import { ReorderBuffer } from "../trips/reorder-buffer.js";
const NONE = [];
class ActivityReader {
  #kind;
  #vehicles = /* @__PURE__ */ new Map();
  #isFreeBefore;
  #clip;
  #beginsAt;
  #times = new TimestampReader();
  #readings = new Readings();
  #operation;
  #taken = 0;
  #tooLate = 0;
  #vehicleId = "";
  #current = null;
  /**
   * `isFreeBefore`: no activity was in progress before the first snapshot. `operation` names the
   * call in errors. `clip`: only what lies inside of it counts.
   */
  constructor(kind, {
    isFreeBefore,
    operation = null,
    clip = null,
    beginsAt = Number.NEGATIVE_INFINITY
  }) {
    this.#clip = clip;
    this.#beginsAt = beginsAt;
    this.#kind = kind;
    this.#operation = operation;
    this.#isFreeBefore = isFreeBefore;
  }
  /** Makes the detector of a vehicle that may have no snapshots. */
  expect(vehicleId) {
    this.#stateOf(vehicleId);
  }
  /** Returns the activities that have ended with this snapshot, usually none. */
  take(row) {
    const { timestamp, vehicleId } = row;
    const time = this.#times.read(timestamp);
    if (!vehicleId || time === null) return NONE;
    const state = this.#stateOf(vehicleId);
    if (!state.buffer.add(time, row)) {
      this.#tooLate++;
      return NONE;
    }
    this.#taken++;
    let ended = NONE;
    for (let next = state.buffer.take(); next !== null; next = state.buffer.take()) {
      const one = takeInOrder(state, next.time, next.row);
      if (one !== null) ended = [...ended, one];
    }
    return ended;
  }
  /** Returns the activities that have ended with these snapshots. */
  takeAll(rows) {
    let ended = NONE;
    for (const row of rows) {
      const ofRow = this.take(row);
      if (ofRow.length > 0) ended = [...ended, ...ofRow];
    }
    return ended;
  }
  /**
   * Returns the remaining activities, when there are no more snapshots before `until`, or none at
   * all. Throws when they would be wrong, because a required value could not be read or most
   * snapshots came too late.
   */
  finish(until) {
    const found = [];
    for (const state of this.#vehicles.values()) {
      for (let next = state.buffer.takeAny(); next !== null; next = state.buffer.takeAny()) {
        const one = takeInOrder(state, next.time, next.row);
        if (one !== null) found.push(one);
      }
      found.push(...state.detector.finish(until));
    }
    for (const reading of this.#kind.requires) this.#readings.require(reading, this.#operation);
    if (this.#tooLate > this.#taken) {
      throw new ProtocolError(`${this.#lateness()} Put them in order of time first.`, { operation: this.#operation });
    }
    return found;
  }
  /** Returns warnings about snapshots that are in no activity. */
  warnings() {
    const late = {
      code: "ROWS_OUT_OF_ORDER",
      message: `${this.#lateness()} They are in no ${this.#kind.noun}.`
    };
    const ofVehicles = [...this.#vehicles.values()].flatMap(({ detector }) => detector.warning() ?? []);
    return [...this.#readings.warnings(), ...ofVehicles, ...this.#clockWarning(), ...this.#tooLate > 0 ? [late] : []];
  }
  #clockWarning() {
    const count = [...this.#vehicles.values()].reduce((sum, { buffer }) => sum + buffer.wrongAhead, 0);
    if (count === 0) return [];
    const snapshots = count === 1 ? "1 snapshot has a time" : `${count} snapshots have times`;
    const message = `${snapshots} a month or more ahead of the snapshots around, as when the clock of a device jumps. They are in no ${this.#kind.noun}.`;
    return [{ code: "DEVICE_CLOCK", message }];
  }
  #lateness() {
    const snapshots = this.#tooLate === 1 ? "1 snapshot" : `${this.#tooLate} snapshots`;
    return `${snapshots} came more than ${this.#kind.lateMs} ms (lateMs) after a later one of the same vehicle.`;
  }
  /**
   * Returns the earliest time that the rest can be read from, when all snapshots up to `time` have
   * been taken: the start of the activity in progress, or the oldest snapshot that is held back.
   */
  restBegins(time) {
    return Math.min(
      time,
      ...[...this.#vehicles.values()].flatMap(({ buffer, detector }) => [
        detector.restBegins ?? time,
        buffer.oldest ?? time
      ])
    );
  }
  /**
   * The activity in progress of the only vehicle; null when there is none. Call it after `finish`.
   */
  get inProgress() {
    return this.#current?.detector.inProgress ?? null;
  }
  /**
   * The time from which snapshots of the only vehicle are needed to read what follows; null for
   * none.
   */
  get begins() {
    return this.#current?.detector.begins ?? null;
  }
  /**
   * Returns true when the only vehicle had no activity in progress at this time. Call it after
   * `finish`.
   */
  isFreeAt(time) {
    return this.#current?.detector.isFreeAt(time) ?? false;
  }
  #stateOf(vehicleId) {
    if (this.#current !== null && vehicleId === this.#vehicleId) return this.#current;
    const state = this.#vehicles.get(vehicleId) ?? {
      buffer: new ReorderBuffer(this.#kind.lateMs),
      detector: this.#kind.detect({
        vehicleId,
        readings: this.#readings,
        isFreeBefore: this.#isFreeBefore,
        clip: this.#clip,
        beginsAt: this.#beginsAt
      }),
      last: null,
      lastTime: Number.NaN
    };
    this.#vehicles.set(vehicleId, state);
    this.#vehicleId = vehicleId;
    this.#current = state;
    return state;
  }
}
function takeInOrder(state, time, row) {
  const { last } = state;
  if (last !== null && time === state.lastTime && last.timestamp === row.timestamp && compareRows(last, row) === 0) {
    return null;
  }
  state.last = row;
  state.lastTime = time;
  return state.detector.take(time, row);
}
export {
  ActivityReader
};
