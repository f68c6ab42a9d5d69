// Finds the stops of one vehicle in its ordered snapshots. A position within 50 m of the stop
// continues it, and so does speed 0 with a position not far away. A snapshot that moves within 50 m
// is undecided: when the vehicle stands there again, the stop continues. Any other position ends
// the stop.
import { InvalidInputError } from '../../core/errors.js';
import { greatCircleKm } from '../../core/geo.js';
import type { ActivityDetector, ActivityInProgress, ActivityKind, DetectorOptions } from '../activities/activity.js';
import { CurrentDriver } from '../current-driver.js';
import { type Located, PositionCleaner } from '../position-cleaner.js';
import { speedOf } from '../trips/open-trip.js';
import type { TripSnapshot } from '../trips/trip.js';
import { defaultLimits } from '../trips/trip-limits.js';
import { UNSEEN_MS } from '../trips/trip-times.js';
import { type ContinuedStop, SHORTEST_STOP_MS, type Stop, type StopOptions, type StopSegment } from './stop.js';

/** Beyond this distance, a vehicle that moves or reports no speed has left. */
const PLACE_KM = 0.05;
/** The tolerance at speed 0: receivers jump around a standing vehicle, but not farther. */
const JUMP_KM = 0.3;
/** The device of a parked vehicle may sleep, and wake up after this distance. */
const WAKE_UP_KM = 2;
const HOUR = 3_600_000;
/** Most vehicles stand when a day begins, since the evening before or over a weekend. */
const LOOK_BACKS_MS = [24 * HOUR, 72 * HOUR, 7 * 24 * HOUR];

const stopSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  driver: { driverId: true },
  canBus: { canSpeed: true, canWheelSpeed: true },
} as const;

export function stopKind({
  minMs = SHORTEST_STOP_MS,
  lateMs = defaultLimits.lateMs,
  continued = [],
  withSegments = false,
}: StopOptions): ActivityKind<Stop> {
  if (withSegments && continued.length > 0) throw new InvalidInputError('withSegments excludes continued.');
  const open = new Map(continued.map((one) => [one.stop.vehicleId.toLowerCase(), one]));
  return {
    noun: 'stop',
    lateMs,
    requires: ['position', 'speed'],
    silenceMs: null,
    readAheadMs: Math.max(minMs, HOUR),
    select: stopSelection,
    purpose: 'trips',
    contextMs: Number.POSITIVE_INFINITY,
    lookBacksMs: LOOK_BACKS_MS,
    continues: (vehicleId) => open.has(vehicleId.toLowerCase()),
    detect: (options) => new VehicleStops(options, { minMs, withSegments }, open.get(options.vehicleId.toLowerCase())),
  };
}

/** The arrival of a driver, or the identification of another one, with the times until then. */
interface Handover {
  readonly driverId: string;
  readonly time: number;
  readonly idleMs: number;
  readonly unseenMs: number;
}

interface OpenStop {
  readonly start: number;
  readonly isWhole: boolean;
  /** Null before the first position. */
  position: Located | null;
  readonly handovers: Handover[];
  lastSeen: number;
  /** The engine at `lastSeen`; null when unknown. */
  wasOn: boolean | null;
  /** The snapshot after `lastSeen`, when undecided. */
  next: number | null;
  hasMoved: boolean;
  isEngineKnown: boolean;
  idleMs: number;
  unseenMs: number;
  /** Since `lastSeen`: added if the stop continues. */
  pendingIdleMs: number;
  pendingUnseenMs: number;
  readonly pendingHandovers: Handover[];
  /** Since then the engine is off and no driver came; null for never. */
  unchangedSince: number | null;
}

class VehicleStops implements ActivityDetector<Stop> {
  readonly #options: DetectorOptions;
  readonly #minMs: number;
  readonly #withSegments: boolean;
  readonly #positions = new PositionCleaner<Located>(defaultLimits.fastestKmh, () => undefined);
  #open: OpenStop | null = null;
  /** True when the snapshots show that no stop was in progress. Movement within 50 m does not. */
  #isFree: boolean;
  /** The first position since the last stop, and the farthest from it. */
  #sinceLastStop: { readonly first: Located; far: Located } | null = null;
  #lastTime = Number.NEGATIVE_INFINITY;
  #driver = new CurrentDriver();

  constructor(
    options: DetectorOptions,
    { minMs, withSegments }: { readonly minMs: number; readonly withSegments: boolean },
    continued: ContinuedStop | undefined,
  ) {
    this.#options = options;
    this.#minMs = minMs;
    this.#withSegments = withSegments;
    this.#isFree = options.isFreeBefore;
    if (continued !== undefined) this.#continue(continued);
  }

  #continue({ stop, unchangedSince }: ContinuedStop): void {
    const since = Date.parse(unchangedSince);
    this.#driver = new CurrentDriver(stop.driverIds.at(-1) ?? null, stop.idleSeconds === null ? null : false);
    this.#lastTime = Date.parse(stop.lastSeenAt);
    const position = stop.position && { ...stop.position, time: since };
    if (position !== null) this.#positions.add(position, true);
    this.#open = {
      ...openStop(Date.parse(stop.startedAt), stop.isStartKnown, position, stop.driverIds, this.#driver.isOn),
      lastSeen: this.#lastTime,
      unchangedSince: since,
      idleMs: (stop.idleSeconds ?? 0) * 1_000,
      unseenMs: stop.unseenSeconds * 1_000,
    };
  }

  take(time: number, row: TripSnapshot): Stop | null {
    const { readings } = this.#options;
    const hasFix = !row.gps || readings.flag('fix', row.gps.state) !== false;
    const speed = speedOf(row, hasFix, defaultLimits.fastestKmh, readings);
    const position = hasFix ? this.#positionOf(time, row, speed) : null;
    const open = this.#open;
    if (open !== null) this.#pass(open, time);
    this.#driver.take(row, readings.flag('ignition', row.ignition?.engineStatus));
    this.#lastTime = time;
    if (open === null) {
      this.#begin(time, position, speed);
      return null;
    }
    const km = position === null || open.position === null ? null : greatCircleKm(open.position, position);
    const isAtStop =
      km === null
        ? open.position !== null || !isMoving(speed)
        : km <= PLACE_KM || (speed === 0 && !open.hasMoved && km <= JUMP_KM);
    if (!isAtStop) {
      const ended = this.#end(open, time, km);
      this.#begin(time, position, speed);
      return ended;
    }
    this.#takeHandover(open, time);
    if (isMoving(speed) || (position === null && (speed === null || open.hasMoved))) {
      open.unchangedSince = null;
      open.hasMoved ||= isMoving(speed);
      open.next ??= time;
      return null;
    }
    this.#stand(open, time, position);
    return null;
  }

  finish(until: number | null): readonly Stop[] {
    const open = this.#open;
    if (open === null) return [];
    let end = open.lastSeen;
    if (!open.hasMoved) {
      end = Math.max(this.#lastTime, until ?? this.#lastTime);
      const { clip } = this.#options;
      // A clipped part ends with the period, whatever snapshots come later.
      if (clip !== null && end >= clip.to && end - this.#lastTime > UNSEEN_MS) this.#pass(open, end);
      settle(open, this.#driver.isOn);
    }
    const stop = this.#toStop(open, end, true);
    return stop === null ? [] : [stop];
  }

  get inProgress(): ActivityInProgress | null {
    if (this.#open === null) return null;
    const { start, isWhole, handovers, unchangedSince } = this.#open;
    // The next stop may inherit the driver of this one.
    const isLastDriver = isSameId(handovers.at(-1)?.driverId, this.#driver.driverId);
    return { start, isWhole, offSince: null, unchangedSince: isLastDriver ? unchangedSince : null };
  }

  get begins(): number | null {
    return this.#open?.start ?? null;
  }

  get restBegins(): number | null {
    return this.begins;
  }

  isFreeAt(): boolean {
    return this.#open === null && this.#isFree;
  }

  warning(): null {
    return null;
  }

  #positionOf(time: number, { gps }: TripSnapshot, speed: number | null): Located | null {
    const latitude = gps ? this.#options.readings.number('position', gps.latitude) : null;
    const longitude = gps ? this.#options.readings.number('position', gps.longitude) : null;
    if (latitude === null || longitude === null) return null;
    const position = { time, latitude, longitude };
    const isAtRest = speed !== null && !isMoving(speed);
    const isAccepted = this.#positions.accepts(position, isAtRest);
    this.#positions.add(position, isAtRest);
    return isAccepted ? position : null;
  }

  #takeHandover(open: OpenStop, time: number): void {
    const { driverId } = this.#driver;
    const last = open.pendingHandovers.at(-1) ?? open.handovers.at(-1);
    if (driverId === null || isSameId(last?.driverId, driverId)) return;
    const [idleMs, unseenMs] = [open.idleMs + open.pendingIdleMs, open.unseenMs + open.pendingUnseenMs];
    open.pendingHandovers.push({ driverId, time, idleMs, unseenMs });
  }

  #begin(time: number, position: Located | null, speed: number | null): void {
    const { beginsAt, clip } = this.#options;
    this.#trackDeparture(position, speed);
    if (isMoving(speed) || (position === null && speed === null)) return;
    if (time < beginsAt || (clip !== null && time >= clip.to)) return;
    const { driverId, isOn } = this.#driver;
    this.#open = openStop(time, this.#isFree, position, driverId === null ? [] : [driverId], isOn);
  }

  #trackDeparture(position: Located | null, speed: number | null): void {
    if (position === null) {
      // The speed decides while no position has been accepted.
      this.#isFree ||= isMoving(speed) && this.#positions.last === null;
      return;
    }
    this.#sinceLastStop ??= { first: position, far: position };
    const { first, far } = this.#sinceLastStop;
    if (greatCircleKm(first, position) > greatCircleKm(first, far)) this.#sinceLastStop.far = position;
    // No stop contains both: each would be within 50 m of its place.
    this.#isFree ||= greatCircleKm(first, position) > 2 * PLACE_KM || greatCircleKm(far, position) > 2 * PLACE_KM;
  }

  #pass(open: OpenStop, time: number): void {
    if (this.#driver.isOn !== true) return;
    const { clip } = this.#options;
    const from = clip === null ? this.#lastTime : Math.max(this.#lastTime, clip.from);
    const ms = Math.max(0, (clip === null ? time : Math.min(time, clip.to)) - from);
    if (time - this.#lastTime > UNSEEN_MS) open.pendingUnseenMs += ms;
    else open.pendingIdleMs += ms;
  }

  #stand(open: OpenStop, time: number, position: Located | null): void {
    const { isOn } = this.#driver;
    const [handovers, wasEngineKnown] = [open.handovers.length, open.isEngineKnown];
    settle(open, isOn);
    open.position ??= position;
    const isChanged = open.handovers.length > handovers || open.isEngineKnown !== wasEngineKnown;
    if (isChanged || isOn === true || open.position === null) open.unchangedSince = null;
    if (isOn !== true && open.position !== null) open.unchangedSince ??= time;
    open.lastSeen = time;
    open.wasOn = isOn;
    open.next = null;
    open.hasMoved = false;
  }

  /** `km`: the distance from the place of the stop. */
  #end(open: OpenStop, time: number, km: number | null): Stop | null {
    this.#open = null;
    this.#sinceLastStop = null;
    this.#isFree = open.isWhole || km === null || km >= 2 * JUMP_KM;
    const isNear = open.next !== null || km === null || km <= WAKE_UP_KM;
    return this.#toStop(open, open.wasOn !== true && isNear ? (open.next ?? time) : open.lastSeen, false);
  }

  /** `end`: the end of the stop, or of reading while it is open. */
  #toStop(open: OpenStop, end: number, isOpen: boolean): Stop | null {
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
      endedBy: isCut ? 'period' : hasEnded ? 'departure' : null,
      isStartKnown: open.isWhole,
      driverIds: [...new Set(open.handovers.map(({ driverId }) => driverId))],
      durationSeconds: (to - from) / 1000,
      idleSeconds: open.isEngineKnown ? open.idleMs / 1000 : null,
      unseenSeconds: open.unseenMs / 1000,
      position: position === null ? null : { latitude: position.latitude, longitude: position.longitude },
      ...(this.#withSegments && { segments: segmentsOf(open, from, to, hasEnded) }),
    };
  }
}

/** Cuts the stop where another driver is identified. */
function segmentsOf(open: OpenStop, from: number, to: number, hasEnded: boolean): readonly StopSegment[] {
  const { handovers, idleMs, unseenMs, isEngineKnown } = open;
  return handovers.flatMap(({ driverId, ...handover }, index) => {
    const next = handovers[index + 1] ?? { time: to, idleMs, unseenMs };
    // The first driver also has the time before.
    const before = index === 0 ? { time: from, idleMs: 0, unseenMs: 0 } : handover;
    const [start, end] = [Math.max(from, before.time), Math.min(to, next.time)];
    if (end < start || (end === start && handovers.length > 1)) return [];
    return {
      driverId,
      startedAt: new Date(start).toISOString(),
      endedAt: end === to && !hasEnded ? null : new Date(end).toISOString(),
      durationSeconds: (end - start) / 1000,
      idleSeconds: isEngineKnown ? (next.idleMs - before.idleMs) / 1000 : null,
      unseenSeconds: (next.unseenMs - before.unseenMs) / 1000,
    };
  });
}

function openStop(
  start: number,
  isWhole: boolean,
  position: Located | null,
  driverIds: readonly string[],
  isOn: boolean | null,
): OpenStop {
  return {
    start,
    isWhole,
    position,
    handovers: driverIds.map((driverId) => ({ driverId, time: start, idleMs: 0, unseenMs: 0 })),
    lastSeen: start,
    wasOn: isOn,
    next: null,
    hasMoved: false,
    isEngineKnown: isOn !== null,
    idleMs: 0,
    unseenMs: 0,
    pendingIdleMs: 0,
    pendingUnseenMs: 0,
    pendingHandovers: [],
    unchangedSince: isOn === true || position === null ? null : start,
  };
}

/** Ids are not case-sensitive. */
function isSameId(one: string | undefined, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function isMoving(speed: number | null): boolean {
  return speed !== null && speed >= defaultLimits.movingKmh;
}

/** Adds the pending times and drivers, as the stop continues. */
function settle(open: OpenStop, isOn: boolean | null): void {
  open.isEngineKnown ||= isOn !== null;
  open.idleMs += open.pendingIdleMs;
  open.unseenMs += open.pendingUnseenMs;
  open.handovers.push(...open.pendingHandovers.splice(0));
  open.pendingIdleMs = 0;
  open.pendingUnseenMs = 0;
}
