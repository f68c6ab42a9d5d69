import { FleetError } from "../../core/errors.js";
import { timestampMs } from "../timestamps.js";
import { ActivityReader } from "./activity-reader.js";
const operation = "getSnapshots";
const FIRST_LOOK_BACK_MS = 36e5;
function endOfClipped({ to }, { readAheadMs }, now) {
  return Math.max(to, Math.min(to + readAheadMs, now));
}
async function* activitiesOfVehicles(asked, kind, dependencies, lookBacks) {
  const [lookBack = 0, ...longer] = lookBacks;
  const { now, onFailure } = dependencies;
  const isLast = longer.length === 0;
  const askedById = new Map(asked.map((one) => [one.vehicleId, one]));
  const vehicles = /* @__PURE__ */ new Map();
  const supposed = /* @__PURE__ */ new Map();
  const inProgress = [];
  const unknown = [];
  const { rows: snapshots, skip } = dependencies.read(
    asked.map((one) => from(one, kind.continues?.(one.vehicleId) ? 0 : lookBack))
  );
  for await (const { vehicleId, rows, end } of snapshots) {
    const one = askedById.get(vehicleId);
    if (one === void 0) continue;
    const vehicle = vehicles.get(vehicleId) ?? new VehicleReading(one, kind, lookBack, isLast);
    vehicles.set(vehicleId, vehicle);
    try {
      yield* vehicle.take(rows);
      if (end !== null && "error" in end) {
        vehicles.delete(vehicleId);
        await onFailure({ ...end, rowsGiven: vehicle.given, resumeFrom: vehicle.resumeFrom(end.resumeFrom) });
        continue;
      }
      dependencies.clocks.take(operation, vehicleId, rows.at(-1));
      if (end !== null) yield* vehicle.finish(now(), end.until);
      if (vehicle.isInProgress) {
        skip(vehicleId);
        vehicles.delete(vehicleId);
        inProgress.push(one);
        continue;
      }
      if (end !== null) {
        vehicles.delete(vehicleId);
        if (vehicle.isSupposed) supposed.set(vehicleId, vehicle);
        else await complete(vehicleId, vehicle, dependencies);
      } else if (vehicle.isSupposed && asked.length === 1) {
        for await (const [, wasFree] of beginnings([one], longer, kind, dependencies)) {
          if (wasFree) {
            yield* vehicle.confirm();
            continue;
          }
          skip(vehicleId);
          vehicles.delete(vehicleId);
          (wasFree === null ? unknown : inProgress).push(one);
        }
      }
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      skip(vehicleId);
      vehicles.delete(vehicleId);
      await onFailure({ vehicleId, error, rowsGiven: vehicle.given, resumeFrom: one.period.text(one.period.from) });
    }
  }
  const doubtful = asked.filter(({ vehicleId }) => supposed.has(vehicleId));
  for await (const [one, wasFree] of beginnings(doubtful, longer, kind, dependencies)) {
    const { vehicleId } = one;
    const vehicle = supposed.get(vehicleId);
    supposed.delete(vehicleId);
    if (!wasFree) (wasFree === null ? unknown : inProgress).push(one);
    else if (vehicle) {
      yield* vehicle.confirm();
      await complete(vehicleId, vehicle, dependencies);
    }
  }
  if (inProgress.length > 0) yield* activitiesOfVehicles(inProgress, kind, dependencies, longer);
  if (unknown.length > 0) yield* activitiesOfVehicles(unknown, kind, dependencies, lookBacks.slice(-1));
}
function from({ vehicleId, period }, lookBack, to = period.to) {
  return { vehicleId, period: { ...period, from: period.from - lookBack, to } };
}
async function complete(vehicleId, vehicle, { warn, onComplete }) {
  for (const warning of vehicle.warnings()) warn({ ...warning, operation });
  await onComplete({ vehicleId, until: vehicle.until, unchangedSince: vehicle.unchangedSince });
}
async function* beginnings(vehicles, lookBacks, kind, dependencies) {
  const remaining = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  for (const lookBack of lookBacks) {
    if (remaining.size === 0) return;
    for await (const [vehicleId, wasFree] of beginningsWithin(lookBack, remaining, kind, dependencies)) {
      const vehicle = remaining.get(vehicleId);
      if (wasFree === null || vehicle === void 0) continue;
      remaining.delete(vehicleId);
      yield [vehicle, wasFree];
    }
  }
  for (const vehicle of remaining.values()) yield [vehicle, null];
}
async function* beginningsWithin(lookBack, vehicles, kind, { read }) {
  const rowsBefore = /* @__PURE__ */ new Map();
  const before = [...vehicles.values()].map((vehicle) => from(vehicle, lookBack, vehicle.period.from - 1));
  for await (const { vehicleId, rows, end } of read(before).rows) {
    const own = rowsBefore.get(vehicleId) ?? [];
    for (const row of rows) own.push(row);
    rowsBefore.set(vehicleId, own);
    if (end === null) continue;
    rowsBefore.delete(vehicleId);
    const begin = vehicles.get(vehicleId)?.period.from;
    if ("error" in end || begin === void 0) yield [vehicleId, false];
    else yield [vehicleId, wasFreeAfter(own, begin, lookBack, kind)];
  }
}
function wasFreeAfter(before, from2, lookBack, kind) {
  try {
    const { inProgress, isKnown } = beginningOf(before, from2, lookBack, kind);
    return inProgress !== null ? false : isKnown ? true : null;
  } catch (error) {
    if (error instanceof FleetError) return false;
    throw error;
  }
}
function beginningOf(before, from2, lookBack, kind) {
  const reader = new ActivityReader(kind, { isFreeBefore: false, operation });
  for (const row of before) reader.take(row);
  reader.finish(from2);
  const { inProgress } = reader;
  const isSilence = before.length === 0 && kind.silenceMs !== null && lookBack >= kind.silenceMs;
  const isKnown = isSilence || (inProgress?.isWhole ?? reader.isFreeAt(from2));
  return { inProgress, begin: reader.begins ?? from2, isKnown };
}
class VehicleReading {
  given = 0;
  /**
   * The snapshots so far show neither that an activity was in progress when the period began nor
   * the opposite. The activities are held back until more has been read.
   */
  isSupposed = false;
  #vehicleId;
  #period;
  #kind;
  #lookBack;
  #clip;
  #isLast;
  #before = [];
  #held = [];
  #readUntil = "";
  /**
   * Null until the time before the period has been read; `in progress` when it does not show where
   * the one in progress began.
   */
  #reader = null;
  /** `isLast`: there is no longer look-back, so the beginning counts as what it seems to be. */
  constructor({ vehicleId, period, clip }, kind, lookBack, isLast) {
    this.#vehicleId = vehicleId;
    this.#clip = clip ?? null;
    this.#isLast = isLast;
    this.#period = period;
    this.#kind = kind;
    this.#lookBack = lookBack;
  }
  /** Returns the activities that have ended with these rows. */
  take(rows) {
    let at = 0;
    if (this.#reader === null) {
      at = rows.findIndex((row) => (timestampMs(row.timestamp) ?? 0) >= this.#period.from);
      this.#before.push(...at < 0 ? rows : rows.slice(0, at));
      if (at < 0) return [];
      this.#begin();
    }
    return this.#read(rows.slice(at));
  }
  /** The vehicle must be read again from further back. */
  get isInProgress() {
    return this.#reader === "in progress";
  }
  /** Returns the last ones. `readUntil`: the end of the snapshots that have been read, as text. */
  finish(now, readUntil) {
    this.#readUntil = readUntil;
    if (this.#reader === null) this.#begin();
    if (!(this.#reader instanceof ActivityReader)) return [];
    const { from: from2, to } = this.#period;
    const last = this.#reader.finish(Math.min(to, now));
    const offSince = this.#reader.inProgress?.offSince ?? null;
    return this.#deliver(offSince !== null && offSince < from2 ? last.filter(({ isOpen }) => !isOpen) : last);
  }
  /** Returns the activities that were held back, when none was in progress as the period began. */
  confirm() {
    this.isSupposed = false;
    return this.#deliver(this.#held.splice(0));
  }
  /**
   * Returns the time from which the rest can be read again, when the snapshots have been read up to
   * a time.
   */
  resumeFrom(readUntil) {
    const { from: from2 } = this.#period;
    const reader = this.#reader;
    const rest = reader instanceof ActivityReader && !this.isSupposed ? reader.restBegins(Date.parse(readUntil)) : from2;
    return this.#period.text(Math.max(from2, rest));
  }
  /**
   * The time from which to read it the next time, as text: the start of the activity in progress.
   * Call it after `finish`.
   */
  get until() {
    const readUntil = Date.parse(this.#readUntil);
    const end = this.#clip === null ? readUntil : Math.min(readUntil, this.#clip.to);
    const inProgress = this.#reader instanceof ActivityReader ? this.#reader.inProgress : null;
    const rest = inProgress === null ? end : Math.min(end, inProgress.start);
    return new Date(Math.max(this.#period.from, rest)).toISOString();
  }
  /** Since when the activity in progress has not changed, as text. Call it after `finish`. */
  get unchangedSince() {
    const since = this.#reader instanceof ActivityReader ? this.#reader.inProgress?.unchangedSince : null;
    return since === null || since === void 0 ? null : new Date(since).toISOString();
  }
  warnings() {
    return this.#reader instanceof ActivityReader ? this.#reader.warnings() : [];
  }
  /** Looks for the activity that was in progress when the period began. */
  #begin() {
    const { from: from2 } = this.#period;
    const before = this.#before;
    this.#before = [];
    if (this.#kind.continues?.(this.#vehicleId)) {
      this.#reader = new ActivityReader(this.#kind, { isFreeBefore: false, operation, clip: this.#clip });
      this.#reader.expect(this.#vehicleId);
      return;
    }
    const { inProgress, begin, isKnown } = beginningOf(before, from2, this.#lookBack, this.#kind);
    if (!isKnown && inProgress !== null && !this.#isLast) {
      this.#reader = "in progress";
      return;
    }
    this.isSupposed = !isKnown && !this.#isLast;
    const isFreeBefore = isKnown || this.isSupposed;
    this.#reader = new ActivityReader(this.#kind, { isFreeBefore, operation, clip: this.#clip, beginsAt: begin });
    const first = begin - this.#kind.contextMs;
    this.#read(before.filter((row) => (timestampMs(row.timestamp) ?? Number.NEGATIVE_INFINITY) >= first));
  }
  #read(rows) {
    if (!(this.#reader instanceof ActivityReader)) return [];
    return this.#deliver(this.#reader.takeAll(rows));
  }
  #deliver(found) {
    const { from: from2 } = this.#period;
    const isContinued = this.#kind.continues?.(this.#vehicleId) === true;
    const inside = found.filter(({ endedAt }) => isContinued || endedAt === null || Date.parse(endedAt) >= from2);
    if (this.isSupposed) {
      this.#held.push(...inside);
      return [];
    }
    this.given += inside.length;
    return inside;
  }
}
export {
  FIRST_LOOK_BACK_MS,
  activitiesOfVehicles,
  endOfClipped
};
