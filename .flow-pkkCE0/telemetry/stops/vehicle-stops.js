import { greatCircleKm } from "../../core/geo.js";
import { PositionCleaner } from "../position-cleaner.js";
import { identifiedDriver } from "../readings.js";
import { speedOf } from "../trips/open-trip.js";
import { defaultLimits } from "../trips/trip-limits.js";
import { UNSEEN_MS } from "../trips/trip-times.js";
import { SHORTEST_STOP_MS } from "./stop.js";
const PLACE_KM = 0.05;
const JUMP_KM = 0.3;
const WAKE_UP_KM = 2;
const HOUR = 36e5;
const LOOK_BACKS_MS = [24 * HOUR, 72 * HOUR, 7 * 24 * HOUR];
const stopSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  canBus: { canSpeed: true, canWheelSpeed: true }
};
function stopKind({
  minMs = SHORTEST_STOP_MS,
  lateMs = defaultLimits.lateMs,
  continued = []
}) {
  const open = new Map(continued.map((one) => [one.stop.vehicleId.toLowerCase(), one]));
  return {
    noun: "stop",
    lateMs,
    requires: ["position", "speed"],
    silenceMs: null,
    readAheadMs: Math.max(minMs, HOUR),
    select: stopSelection,
    purpose: "trips",
    contextMs: Number.POSITIVE_INFINITY,
    lookBacksMs: LOOK_BACKS_MS,
    continues: (vehicleId) => open.has(vehicleId.toLowerCase()),
    detect: (options) => new VehicleStops(options, minMs, open.get(options.vehicleId.toLowerCase()))
  };
}
class VehicleStops {
  #options;
  #minMs;
  #positions = new PositionCleaner(defaultLimits.fastestKmh, () => void 0);
  #open = null;
  /**
   * True when the snapshots so far show that no stop was in progress: moving within 50 m alone does
   * not.
   */
  #isFree;
  /** The first position since the last stop ended, and the farthest one from it. */
  #away = null;
  #lastTime = Number.NEGATIVE_INFINITY;
  #isOn = null;
  /** The driver who was identified last, since the engine was started. */
  #driverId = null;
  constructor(options, minMs, continued) {
    this.#options = options;
    this.#minMs = minMs;
    this.#isFree = options.isFreeBefore;
    if (continued !== void 0) this.#continue(continued);
  }
  #continue({ stop, unchangedSince }) {
    const since = Date.parse(unchangedSince);
    this.#isOn = stop.idleSeconds === null ? null : false;
    this.#driverId = stop.driverIds.at(-1) ?? null;
    this.#lastTime = Date.parse(stop.lastSeenAt);
    const position = stop.position && { ...stop.position, time: since };
    if (position !== null) this.#positions.add(position, true);
    this.#open = {
      ...openStop(Date.parse(stop.startedAt), stop.isStartKnown, position, stop.driverIds, this.#isOn),
      ...{ lastSeen: this.#lastTime, unchangedSince: since },
      ...{ idleMs: (stop.idleSeconds ?? 0) * 1e3, unseenMs: stop.unseenSeconds * 1e3 }
    };
  }
  take(time, row) {
    const { readings } = this.#options;
    const hasFix = !row.gps || readings.flag("fix", row.gps.state) !== false;
    const speed = speedOf(row, hasFix, defaultLimits.fastestKmh, readings);
    const position = hasFix ? this.#positionOf(time, row, speed) : null;
    const open = this.#open;
    if (open !== null) this.#pass(open, time);
    this.#takeEngineAndDriver(row);
    this.#lastTime = time;
    if (open === null) {
      this.#begin(time, position, speed);
      return null;
    }
    const km = position === null || open.position === null ? null : greatCircleKm(open.position, position);
    const isThere = km === null ? open.position !== null || !isMoving(speed) : km <= PLACE_KM || speed === 0 && !open.hasMoved && km <= JUMP_KM;
    if (!isThere) {
      const ended = this.#end(open, time, km);
      this.#begin(time, position, speed);
      return ended;
    }
    if (this.#driverId !== null) open.pendingDriverIds.add(this.#driverId);
    if (isMoving(speed) || position === null && (speed === null || open.hasMoved)) {
      open.unchangedSince = null;
      open.hasMoved ||= isMoving(speed);
      open.next ??= time;
      return null;
    }
    this.#stand(open, time, position);
    return null;
  }
  finish(until) {
    const open = this.#open;
    if (open === null) return [];
    let end = open.lastSeen;
    if (!open.hasMoved) {
      end = Math.max(this.#lastTime, until ?? this.#lastTime);
      const { clip } = this.#options;
      if (clip !== null && end >= clip.to && end - this.#lastTime > UNSEEN_MS) this.#pass(open, end);
      settle(open, this.#isOn);
    }
    const stop = this.#toStop(open, end, true);
    return stop === null ? [] : [stop];
  }
  get inProgress() {
    if (this.#open === null) return null;
    const { start, isWhole, driverIds, unchangedSince } = this.#open;
    const isLastDriver = isSameId([...driverIds].at(-1), this.#driverId);
    return { start, isWhole, offSince: null, unchangedSince: isLastDriver ? unchangedSince : null };
  }
  get begins() {
    return this.#open?.start ?? null;
  }
  get restBegins() {
    return this.begins;
  }
  isFreeAt() {
    return this.#open === null && this.#isFree;
  }
  warning() {
    return null;
  }
  #positionOf(time, { gps }, speed) {
    const latitude = gps ? this.#options.readings.number("position", gps.latitude) : null;
    const longitude = gps ? this.#options.readings.number("position", gps.longitude) : null;
    if (latitude === null || longitude === null) return null;
    const position = { time, latitude, longitude };
    const isAtRest = speed !== null && !isMoving(speed);
    const isBelieved = this.#positions.believes(position, isAtRest);
    this.#positions.add(position, isAtRest);
    return isBelieved ? position : null;
  }
  #takeEngineAndDriver({ ignition, driver }) {
    const isOn = this.#options.readings.flag("ignition", ignition?.engineStatus);
    const isStarted = isOn === true && this.#isOn === false;
    this.#isOn = isOn ?? this.#isOn;
    this.#driverId = identifiedDriver(driver) ?? (isStarted ? null : this.#driverId);
  }
  #begin(time, position, speed) {
    const { beginsAt, clip } = this.#options;
    this.#noteWhere(position, speed);
    if (isMoving(speed) || position === null && speed === null) return;
    if (time < beginsAt || clip !== null && time >= clip.to) return;
    const driverIds = this.#driverId === null ? [] : [this.#driverId];
    this.#open = openStop(time, this.#isFree, position, driverIds, this.#isOn);
  }
  #noteWhere(position, speed) {
    if (position === null) {
      this.#isFree ||= isMoving(speed) && this.#positions.last === null;
      return;
    }
    this.#away ??= { first: position, far: position };
    const { first, far } = this.#away;
    if (greatCircleKm(first, position) > greatCircleKm(first, far)) this.#away.far = position;
    this.#isFree ||= greatCircleKm(first, position) > 2 * PLACE_KM || greatCircleKm(far, position) > 2 * PLACE_KM;
  }
  /** Counts the time since the snapshot before. */
  #pass(open, time) {
    if (this.#isOn !== true) return;
    const { clip } = this.#options;
    const from = clip === null ? this.#lastTime : Math.max(this.#lastTime, clip.from);
    const ms = Math.max(0, (clip === null ? time : Math.min(time, clip.to)) - from);
    if (time - this.#lastTime > UNSEEN_MS) open.pendingUnseenMs += ms;
    else open.pendingIdleMs += ms;
  }
  #stand(open, time, position) {
    const [drivers, wasEngineKnown] = [open.driverIds.size, open.isEngineKnown];
    settle(open, this.#isOn);
    open.position ??= position;
    const isChanged = open.driverIds.size > drivers || open.isEngineKnown !== wasEngineKnown;
    if (isChanged || this.#isOn === true || open.position === null) open.unchangedSince = null;
    if (this.#isOn !== true && open.position !== null) open.unchangedSince ??= time;
    open.lastSeen = time;
    open.wasOn = this.#isOn;
    open.next = null;
    open.hasMoved = false;
  }
  /** `km`: from its place to where it is now. */
  #end(open, time, km) {
    this.#open = null;
    this.#away = null;
    this.#isFree = open.isWhole || km === null || km >= 2 * JUMP_KM;
    const isNear = open.next !== null || km === null || km <= WAKE_UP_KM;
    return this.#toStop(open, open.wasOn !== true && isNear ? open.next ?? time : open.lastSeen, false);
  }
  /** `end`: that of the stop, or of what was read while it is open. */
  #toStop(open, end, isOpen) {
    const { clip, vehicleId } = this.#options;
    const from = Math.max(open.start, clip?.from ?? open.start);
    const isCut = clip !== null && end >= clip.to && (isOpen || end > clip.to);
    const to = isCut ? clip.to : end;
    if (end - open.start < this.#minMs || to <= from) return null;
    const { position } = open;
    const hasEnded = isCut || !isOpen;
    return {
      id: `${vehicleId}@${new Date(open.start).toISOString()}`,
      vehicleId,
      startedAt: new Date(from).toISOString(),
      endedAt: hasEnded ? new Date(to).toISOString() : null,
      lastSeenAt: new Date(open.lastSeen).toISOString(),
      isOpen: !hasEnded,
      endedBy: isCut ? "period" : hasEnded ? "departure" : null,
      isStartKnown: open.isWhole,
      driverIds: [...open.driverIds],
      durationSeconds: (to - from) / 1e3,
      idleSeconds: open.isEngineKnown ? open.idleMs / 1e3 : null,
      unseenSeconds: open.unseenMs / 1e3,
      position: position === null ? null : { latitude: position.latitude, longitude: position.longitude }
    };
  }
}
function openStop(start, isWhole, position, driverIds, isOn) {
  return {
    ...{ start, isWhole, position, driverIds: new Set(driverIds), lastSeen: start, wasOn: isOn, next: null },
    ...{ hasMoved: false, isEngineKnown: isOn !== null, idleMs: 0, unseenMs: 0, pendingIdleMs: 0, pendingUnseenMs: 0 },
    ...{ pendingDriverIds: /* @__PURE__ */ new Set(), unchangedSince: isOn === true || position === null ? null : start }
  };
}
function isSameId(one, other) {
  return one?.toLowerCase() === other?.toLowerCase();
}
function isMoving(speed) {
  return speed !== null && speed >= defaultLimits.movingKmh;
}
function settle(open, isOn) {
  open.isEngineKnown ||= isOn !== null;
  open.idleMs += open.pendingIdleMs;
  open.unseenMs += open.pendingUnseenMs;
  for (const id of open.pendingDriverIds) {
    if (![...open.driverIds].some((known) => isSameId(known, id))) open.driverIds.add(id);
  }
  open.pendingDriverIds.clear();
  open.pendingIdleMs = 0;
  open.pendingUnseenMs = 0;
}
export {
  stopKind
};
