// The state of a vehicle under rules, and the transitions that a snapshot or the passing of time
// causes. Pure functions: the same snapshots give the same transitions, whether they are read while
// they arrive or after a pause.
import { greatCircleKm } from '../../core/geo.js';
import { zoneNamed } from '../../core/time-zone.js';
import { type CurrentPosition, positionAfter } from '../current-position.js';
import { liveStatus, staleAfterMs } from '../live-status.js';
import { POSITION_NOISE_KM } from '../position-cleaner.js';
import { readText } from '../readings.js';
import { SHORTEST_STOP_MS } from '../stops/stop.js';
import { speedingAfter } from '../trips/speeding.js';
import type { TripPosition } from '../trips/trip.js';
import type { Shape } from '../watch/geofence-shape.js';
import { type CompleteRule, type EventKind, isGeofenceKind, isMomentary } from './event-rule.js';
import { crossingsTo } from './geofence-crossings.js';
import { readSnapshot, type SnapshotReadings, type WatchedSnapshot } from './snapshot-readings.js';
import type { WeeklyHours } from './weekly-hours.js';

/** A condition of a rule that holds for a vehicle. */
export interface Condition {
  /** The name of the rule. */
  readonly rule: string;
  /** The geofence id, or `on` and `off` of the ignition; empty for other rules. */
  readonly subject: string;
  /** The snapshot with which it began, in milliseconds since 1970. */
  readonly since: number;
  /** The last snapshot that showed it, for `speeding` and `movement`. */
  readonly until: number;
  /** True when it was emitted, or must not be: it held when the watch began. */
  readonly isEmitted: boolean;
  /** True when it was emitted, and its end is an event too. */
  readonly awaitsEnd?: true;
  readonly value: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

/** A movement: from the first snapshot that shows it to the last one. */
interface Movement {
  readonly since: number;
  readonly until: number;
  readonly position: TripPosition | null;
}

/** The state of a vehicle. It can be stored as JSON. */
export interface WatchedState extends CurrentPosition {
  /** The time of the last snapshot, or the beginning of the watch, in milliseconds since 1970. */
  readonly seenAt: number;
  /** The ids of geofences. */
  readonly inside: readonly string[];
  readonly engineOn: boolean | null;
  readonly isIdling: boolean;
  readonly movement: Movement | null;
  /** The position from which the next move is measured. */
  readonly anchor: TripPosition | null;
  /** The time zone of the last snapshot that names one. */
  readonly zone?: string;
  /** True when the watch began without a snapshot, and none was read since. */
  readonly isUnseen?: true;
  /** The names of the rules for the vehicle. */
  readonly rules: readonly string[];
  readonly conditions: readonly Condition[];
}

/** A condition that became an event, or the end of one. */
export interface Transition {
  readonly rule: CompleteRule;
  readonly condition: Condition;
  /**
   * The time from which the condition counts: its begin, or the opening of the hours of the rule.
   */
  readonly from: number;
  /** The time at which it had lasted long enough, or was over; in milliseconds since 1970. */
  readonly dueAt: number;
  /** The snapshot that ended it; null for a begin. */
  readonly end: ConditionEnd | null;
}

export interface ConditionEnd {
  readonly time: number;
  readonly power: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

export interface StateChange {
  readonly state: WatchedState;
  readonly transitions: readonly Transition[];
}

/** Everything that a vehicle is compared with. */
export interface Surroundings {
  /** The rules for the vehicle. */
  readonly rules: readonly CompleteRule[];
  readonly geofences: ReadonlyMap<string, { readonly shape: Shape | null }>;
  /** Returns true when a rule is for a geofence. */
  isAbout(rule: CompleteRule, geofenceId: string): boolean;
  /** Returns the hours in which a rule counts; null for every hour. */
  hoursOf(rule: CompleteRule): WeeklyHours | null;
  /** The time zone of vehicles whose snapshots name none; undefined for that of the machine. */
  readonly zone: string | undefined;
}

/** Conditions that hold until a snapshot ends them, whether or not others come. */
const lastsInSilence: ReadonlySet<EventKind> = new Set(['silent', 'offline', 'idle', 'geofence-dwell']);

/** Conditions that hold only as long as snapshots show them. */
const needsSnapshots: ReadonlySet<EventKind> = new Set(['speeding', 'movement']);

/**
 * Returns the state after the first snapshot. Conditions that hold then are no events. `now`: the
 * begin of the watch.
 */
export function firstState(snapshot: WatchedSnapshot, time: number, now: number, around: Surroundings): WatchedState {
  const nothing = emptyState(time, around.rules);
  const { state, facts } = observe(nothing, snapshot, time, around);
  const conditions = around.rules.flatMap((rule) =>
    conditionsOf(rule, nothing, state, facts, around).map((one) => asFound(one, rule, now, state, around)),
  );
  return { ...state, conditions };
}

/**
 * Returns the state of a vehicle without a plausible snapshot. Only its silence is an event before
 * one comes.
 */
export function unseenState(now: number, { rules }: Surroundings): WatchedState {
  const nothing = emptyState(now, rules);
  const silences = rules.filter(({ on }) => on === 'silent' || on === 'offline');
  return { ...nothing, isUnseen: true, conditions: silences.map((rule) => begun(rule, '', nothing, now, null, null)) };
}

function emptyState(seenAt: number, rules: readonly CompleteRule[]): WatchedState {
  return {
    ...{ seenAt, position: null, inside: [], engineOn: null, isIdling: false, movement: null, anchor: null },
    ...{ rules: namesOf(rules), conditions: [] },
  };
}

/** Takes a later snapshot. One that is not later changes nothing. */
export function afterSnapshot(
  before: WatchedState,
  snapshot: WatchedSnapshot,
  time: number,
  around: Surroundings,
): StateChange {
  if (time <= before.seenAt) return { state: before, transitions: [] };
  const passed = afterTime(before, time, around);
  const { state, facts } = observe(passed.state, snapshot, time, around);
  const conditions = around.rules.flatMap((rule) => {
    const found = conditionsOf(rule, passed.state, state, facts, around);
    if (before.isUnseen) return found.map((one) => asFound(one, rule, time, state, around));
    return found.map((one) => (isWaiting(one, rule, state, time, around) ? refreshed(one, rule, state, facts) : one));
  });
  const over = endsOf(passed.state, conditions, around.rules, { ...facts, position: state.position });
  const due = emitDue({ ...state, conditions }, time, around);
  return { state: due.state, transitions: [...passed.transitions, ...over, ...due.transitions] };
}

/** Returns the ends of emitted conditions that no longer hold. */
function endsOf(
  before: WatchedState,
  after: readonly Condition[],
  rules: readonly CompleteRule[],
  end: ConditionEnd,
): readonly Transition[] {
  return rules.flatMap((rule) =>
    before.conditions
      .filter((one) => one.awaitsEnd === true && one.rule === rule.name)
      .filter((one) => !after.some((other) => isSame(one, other)))
      .map((condition) => ({ rule, condition, from: condition.since, dueAt: end.time, end })),
  );
}

function isSame(one: Condition, other: Condition): boolean {
  return one.rule === other.rule && one.since === other.since && one.subject === other.subject;
}

/** Takes the passing of time: no snapshot has come until `time`. */
export function afterTime(before: WatchedState, time: number, around: Surroundings): StateChange {
  return emitDue(before, time, around);
}

/**
 * Takes the rules of the vehicle. Conditions of new rules are no events; those of removed rules are
 * dropped.
 */
export function underRules(before: WatchedState, now: number, around: Surroundings): WatchedState {
  const names = namesOf(around.rules);
  if (names.length === before.rules.length && names.every((name, index) => name === before.rules[index])) return before;
  const kept = before.conditions.filter(({ rule }) => names.includes(rule));
  const facts: Facts = { time: before.seenAt, speedKmh: null, power: null, driverId: null };
  const nothing = { ...before, inside: [], engineOn: null, isIdling: false, movement: null, conditions: [] };
  const found = around.rules
    .filter(({ name }) => !before.rules.includes(name))
    .flatMap((rule) =>
      conditionsOf(rule, nothing, before, facts, around).map((one) => asFound(one, rule, now, before, around)),
    );
  return { ...before, rules: names, conditions: [...kept, ...found] };
}

/**
 * Takes geofences that were created, redrawn or deleted. No vehicle has moved, so this is no event.
 */
export function amongGeofences(before: WatchedState, changed: ReadonlySet<string>, around: Surroundings): WatchedState {
  const { position } = before;
  const isKept = (id: string) => !changed.has(id);
  const drawn = new Map([...around.geofences].filter(([id]) => changed.has(id)));
  const now = position === null ? [] : crossingsTo(position, new Set(), drawn).entered;
  const kept = before.conditions.filter(({ subject }) => isKept(subject));
  if (now.length === 0 && kept.length === before.conditions.length && before.inside.every(isKept)) return before;
  const found = around.rules
    .filter(({ on }) => on === 'geofence-enter' || on === 'geofence-dwell')
    .flatMap((rule) =>
      now
        .filter((id) => around.isAbout(rule, id))
        .map((subject) => ({ ...begun(rule, subject, before, before.seenAt, null, null), isEmitted: true })),
    );
  return { ...before, inside: [...before.inside.filter(isKept), ...now], conditions: [...kept, ...found] };
}

interface Facts {
  readonly time: number;
  readonly speedKmh: number | null;
  readonly power: number | null;
  readonly driverId: string | null;
}

/** Takes the values of a snapshot, apart from rules. */
function observe(
  before: WatchedState,
  snapshot: WatchedSnapshot,
  time: number,
  { geofences }: Surroundings,
): { readonly state: WatchedState; readonly facts: Facts } {
  const { isUnseen: _, ...known } = before;
  const readings = readSnapshot(snapshot);
  const { fix, engineOn, speedKmh, power, driverId, live } = readings;
  const current = positionAfter(before, fix === null ? null : { ...fix, time });
  const status = liveStatus(live, { now: time });
  const zone = zoneAfter(before.zone, readText(snapshot.locationTimeZone));
  const state: WatchedState = {
    ...known,
    seenAt: time,
    ...current,
    ...movementAfter(before, time, status === 'moving', current.position),
    ...(zone === undefined ? {} : { zone }),
    inside:
      fix === null || current.position === null
        ? before.inside
        : insideAfter(before.inside, current.position, geofences),
    engineOn: engineOn ?? before.engineOn,
    isIdling: isIdlingAfter(before, readings, time),
  };
  return { state, facts: { time, speedKmh, power, driverId } };
}

/**
 * Returns true when the vehicle idles. Snapshots without speed or ignition keep what is known of
 * them.
 */
function isIdlingAfter(
  { engineOn: before, isIdling }: WatchedState,
  { live, speedKmh, engineOn }: SnapshotReadings,
  time: number,
): boolean {
  const engineStatus = engineOn ?? before;
  if (speedKmh === null && before === true) return engineStatus === true && isIdling;
  return liveStatus({ ...live, ignition: { engineStatus } }, { now: time }) === 'idling';
}

/** Returns the zone that a snapshot names, else the one before. */
function zoneAfter(before: string | undefined, named: string | null): string | undefined {
  if (named === null || named === before) return before;
  return zoneNamed(named) ?? before;
}

/**
 * Returns the movement after a snapshot. It shows movement by the live status `moving`, or by a
 * position beyond the noise of receivers, with or without ignition. A movement ends when the
 * vehicle has stood, or with a longer time without a snapshot.
 */
function movementAfter(
  { movement: before, anchor }: WatchedState,
  time: number,
  isMoving: boolean,
  position: TripPosition | null,
): Pick<WatchedState, 'movement' | 'anchor'> {
  const movement = before !== null && time - before.until >= staleAfterMs ? null : before;
  const hasMoved = anchor !== null && position !== null && greatCircleKm(anchor, position) > POSITION_NOISE_KM;
  if (isMoving || hasMoved) {
    const began = movement ?? { since: time, position };
    return { movement: { ...began, until: time }, anchor: position ?? anchor };
  }
  const hasStood = movement !== null && time - movement.until >= SHORTEST_STOP_MS;
  return { movement: hasStood ? null : movement, anchor: anchor ?? position };
}

function insideAfter(
  before: readonly string[],
  position: TripPosition,
  geofences: Surroundings['geofences'],
): readonly string[] {
  const { left, entered } = crossingsTo(position, new Set(before), geofences);
  return left.length + entered.length === 0 ? before : [...before.filter((id) => !left.includes(id)), ...entered];
}

/** Returns the conditions of a rule that hold after a snapshot, continued ones first. */
function conditionsOf(
  rule: CompleteRule,
  before: WatchedState,
  after: WatchedState,
  facts: Facts,
  around: Surroundings,
): readonly Condition[] {
  const mine = before.conditions.filter((condition) => condition.rule === rule.name);
  const begin = (subject = '', value: number | null = null) => {
    const condition = begun(rule, subject, after, facts.time, value, facts.driverId);
    // An event of one moment outside of the hours is none.
    return { ...condition, isEmitted: isMomentary(rule.on) && !isOpenAt(facts.time, rule, after, around) };
  };
  const [only] = mine;
  switch (rule.on) {
    case 'silent':
    case 'offline':
      return [begin()];
    case 'idle':
      return after.isIdling ? [only ?? begin()] : [];
    case 'movement':
      return after.movement === null ? [] : [movementCondition(after.movement, only, () => begin('', facts.speedKmh))];
    case 'low-battery': {
      const { batteryBelow } = rule;
      if (facts.power === null || batteryBelow === null) return mine;
      return facts.power < batteryBelow ? [only ?? begin('', facts.power)] : [];
    }
    case 'speeding':
      return speedingConditions(rule, only, facts, begin);
    case 'ignition': {
      if (after.engineOn === null || before.engineOn === after.engineOn) return mine;
      const condition = begin(after.engineOn ? 'on' : 'off');
      return [{ ...condition, isEmitted: condition.isEmitted || before.engineOn === null }];
    }
    case 'geofence-enter':
    case 'geofence-dwell': {
      const entered = after.inside
        .filter((id) => !before.inside.includes(id) && around.isAbout(rule, id))
        .map((id) => begin(id));
      const inside = mine.filter(({ subject }) => after.inside.includes(subject));
      // A first position is no arrival: the vehicle has not come from anywhere.
      const isFirst = rule.on === 'geofence-enter' && before.position === null;
      return [...inside, ...entered.map((one) => ({ ...one, isEmitted: one.isEmitted || isFirst }))];
    }
    case 'geofence-exit': {
      const left = before.inside.filter((id) => !after.inside.includes(id) && around.isAbout(rule, id));
      // An emitted exit has nothing more to wait for.
      const waiting = mine.filter(({ subject, isEmitted }) => !isEmitted && !after.inside.includes(subject));
      return [...waiting, ...left.map((id) => begin(id))];
    }
  }
}

function movementCondition(
  { since, until, position }: Movement,
  before: Condition | undefined,
  begin: () => Condition,
): Condition {
  return before?.since === since ? { ...before, until } : { ...begin(), since, until, position };
}

function speedingConditions(
  { speedLimitKmh }: CompleteRule,
  before: Condition | undefined,
  facts: Facts,
  begin: (subject: string, value: number) => Condition,
): readonly Condition[] {
  if (speedLimitKmh === null) return [];
  const stretch = before ? { from: before.since, to: before.until, topSpeedKmh: before.value ?? 0 } : null;
  const after = speedingAfter(stretch, facts, speedLimitKmh);
  if (after === null) return [];
  if (before?.since !== after.from) return [begin('', after.topSpeedKmh)];
  return [{ ...before, until: after.to, value: after.topSpeedKmh }];
}

function begun(
  { name }: CompleteRule,
  subject: string,
  { position }: WatchedState,
  since: number,
  value: number | null,
  driverId: string | null,
): Condition {
  return { rule: name, subject, since, until: since, isEmitted: false, value, position, driverId };
}

/**
 * Marks a condition that holds when the watch begins: it is no event, but one that needs no
 * snapshot may still last long enough, and one outside of its hours may last until they open.
 */
function asFound(
  condition: Condition,
  rule: CompleteRule,
  now: number,
  state: WatchedState,
  around: Surroundings,
): Condition {
  const isPending = lastsInSilence.has(rule.on) || isWaiting(condition, rule, state, now, around);
  return { ...condition, isEmitted: !(isPending && dueAt(condition, rule, state, around) > now) };
}

/**
 * Returns true for a lasting condition that was not emitted yet, outside of the hours of its rule.
 */
function isWaiting(
  condition: Condition,
  rule: CompleteRule,
  state: WatchedState,
  time: number,
  around: Surroundings,
): boolean {
  return !condition.isEmitted && !isMomentary(rule.on) && !isOpenAt(time, rule, state, around);
}

/** An event of hours that open later shows the vehicle as it was then. */
function refreshed(condition: Condition, { on }: CompleteRule, { position }: WatchedState, facts: Facts): Condition {
  const { value: before } = condition;
  const value = on === 'movement' ? facts.speedKmh : on === 'low-battery' ? (facts.power ?? before) : before;
  return { ...condition, position, value, driverId: facts.driverId ?? condition.driverId };
}

function isOpenAt(time: number, rule: CompleteRule, { zone }: WatchedState, around: Surroundings): boolean {
  return around.hoursOf(rule)?.isOpenAt(time, zone ?? around.zone) ?? true;
}

/** Returns the first moment from a time on at which a lasting condition counts. */
function countsFrom(time: number, rule: CompleteRule, { zone }: WatchedState, around: Surroundings): number {
  const hours = isMomentary(rule.on) ? null : around.hoursOf(rule);
  return hours?.firstOpen(time, zone ?? around.zone) ?? time;
}

function dueAt({ since }: Condition, rule: CompleteRule, state: WatchedState, around: Surroundings): number {
  return countsFrom(since + rule.forMs, rule, state, around);
}

/** Emits the conditions that have lasted long enough at a time, in the order in which they did. */
function emitDue(state: WatchedState, time: number, around: Surroundings): StateChange {
  const transitions: Transition[] = [];
  let conditions: Condition[] | null = null;
  for (const rule of around.rules) {
    for (const [index, condition] of state.conditions.entries()) {
      if (condition.isEmitted || condition.rule !== rule.name) continue;
      const due = dueAt(condition, rule, state, around);
      if ((needsSnapshots.has(rule.on) ? condition.until : time) < due) continue;
      // Hours that open later move an event to the moment at which it is due.
      const isDelayed = due > condition.since + rule.forMs || !isOpenAt(condition.since, rule, state, around);
      const from = isDelayed && !isMomentary(rule.on) ? due : condition.since;
      transitions.push({ rule, condition, from, dueAt: due, end: null });
      conditions ??= [...state.conditions];
      conditions[index] = { ...condition, isEmitted: true, ...(rule.resolved ? { awaitsEnd: true } : {}) };
    }
  }
  if (conditions === null) return { state, transitions };
  const exits = new Set(around.rules.filter(({ on }) => on === 'geofence-exit').map(({ name }) => name));
  const left = conditions.filter(({ isEmitted, rule }) => !(isEmitted && exits.has(rule)));
  return { state: { ...state, conditions: left }, transitions: transitions.sort((a, b) => a.dueAt - b.dueAt) };
}

function namesOf(rules: readonly CompleteRule[]): readonly string[] {
  return rules.map(({ name }) => name);
}

/** Returns true when a rule needs the geofences of the service. */
export function needsGeofences(rules: readonly CompleteRule[]): boolean {
  return rules.some(({ on }) => isGeofenceKind(on));
}
