// The state of a vehicle under rules, and the transitions that a snapshot or elapsed time causes.
// Pure functions: replayed snapshots give the same transitions as live ones.
import { greatCircleKm } from '../../core/geo.js';
import { canonicalZone } from '../../core/time-zone.js';
import { type CurrentPosition, nextPosition } from '../current-position.js';
import { liveStatus, staleAfterMs } from '../live-status.js';
import { POSITION_NOISE_KM } from '../position-cleaner.js';
import { readText } from '../readings.js';
import { SHORTEST_STOP_MS } from '../stops/stop.js';
import { nextSpeeding } from '../trips/speeding.js';
import type { TripPosition } from '../trips/trip.js';
import type { Shape } from '../watch/geofence-shape.js';
import { type CompleteRule, type EventKind, isGeofenceKind, isMomentary } from './event-rule.js';
import { findCrossings } from './geofence-crossings.js';
import { readSnapshot, type SnapshotReadings, type WatchedSnapshot } from './snapshot-readings.js';
import type { WeeklyHours } from './weekly-hours.js';

/** A condition of a rule that currently holds for a vehicle. */
export interface Condition {
  readonly rule: string;
  /** The geofence id; `on` or `off` for the ignition; empty for other rules. */
  readonly subject: string;
  /** The time of the snapshot with which it began, in milliseconds since 1970. */
  readonly since: number;
  /** The last snapshot that shows it, for `speeding` and `movement`. */
  readonly until: number;
  /** True when emitted, or when it held at the start of the watch and must not be emitted. */
  readonly isEmitted: boolean;
  /** True when emitted and its end emits an event too. */
  readonly awaitsEnd?: true;
  readonly value: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

/** A movement, from the first to the last snapshot that shows it. */
interface Movement {
  readonly since: number;
  readonly until: number;
  readonly position: TripPosition | null;
}

/** The state of a vehicle. It can be stored as JSON. */
export interface WatchedState extends CurrentPosition {
  /** The time of the last snapshot, else the start of the watch, in milliseconds since 1970. */
  readonly seenAt: number;
  readonly inside: readonly string[];
  readonly engineOn: boolean | null;
  readonly isIdling: boolean;
  readonly movement: Movement | null;
  /** The next move is measured from here. */
  readonly anchor: TripPosition | null;
  /** The last time zone in a snapshot. */
  readonly zone?: string;
  /** True while no snapshot was read since the start of the watch. */
  readonly isUnseen?: true;
  readonly rules: readonly string[];
  readonly conditions: readonly Condition[];
}

/** The beginning or the end of a condition, to be emitted as an event. */
export interface Transition {
  readonly rule: CompleteRule;
  readonly condition: Condition;
  /** The start of the condition, or a later opening of the hours of the rule. */
  readonly from: number;
  /** When it had lasted long enough or ended, in milliseconds since 1970. */
  readonly dueAt: number;
  /** Null for a beginning. */
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

/** The rules, geofences, hours and time zone that apply to a vehicle. */
export interface RuleContext {
  readonly rules: readonly CompleteRule[];
  readonly geofences: ReadonlyMap<string, { readonly shape: Shape | null }>;
  appliesTo(rule: CompleteRule, geofenceId: string): boolean;
  /** Returns the hours in which a rule counts; null for every hour. */
  hoursOf(rule: CompleteRule): WeeklyHours | null;
  /** For snapshots without a time zone; undefined for the machine's. */
  readonly zone: string | undefined;
}

/** Kinds whose condition holds, even in silence, until a snapshot ends it. */
const kindsHeldInSilence: ReadonlySet<EventKind> = new Set(['silent', 'offline', 'idle', 'geofence-dwell']);

/** Kinds whose condition holds only while snapshots show it. */
const kindsShownBySnapshots: ReadonlySet<EventKind> = new Set(['speeding', 'movement']);

/** Returns the first state; its conditions emit no event. `now`: the start of the watch. */
export function firstState(snapshot: WatchedSnapshot, time: number, now: number, context: RuleContext): WatchedState {
  const empty = emptyState(time, context.rules);
  const { state, facts } = observe(empty, snapshot, time, context);
  const conditions = context.rules.flatMap((rule) =>
    conditionsOf(rule, empty, state, facts, context).map((one) => initialCondition(one, rule, now, state, context)),
  );
  return { ...state, conditions };
}

/** Returns the state before a plausible snapshot: until then, only silence emits an event. */
export function unseenState(now: number, { rules }: RuleContext): WatchedState {
  const empty = emptyState(now, rules);
  const silences = rules.filter(({ on }) => on === 'silent' || on === 'offline');
  return {
    ...empty,
    isUnseen: true,
    conditions: silences.map((rule) => newCondition(rule, '', empty, now, null, null)),
  };
}

function emptyState(seenAt: number, rules: readonly CompleteRule[]): WatchedState {
  return {
    seenAt,
    position: null,
    inside: [],
    engineOn: null,
    isIdling: false,
    movement: null,
    anchor: null,
    rules: namesOf(rules),
    conditions: [],
  };
}

/** Returns the change by a later snapshot. A snapshot that is not later changes nothing. */
export function applySnapshot(
  before: WatchedState,
  snapshot: WatchedSnapshot,
  time: number,
  context: RuleContext,
): StateChange {
  if (time <= before.seenAt) return { state: before, transitions: [] };
  const passed = applyTime(before, time, context);
  const { state, facts } = observe(passed.state, snapshot, time, context);
  const conditions = context.rules.flatMap((rule) => {
    const found = conditionsOf(rule, passed.state, state, facts, context);
    if (before.isUnseen) return found.map((one) => initialCondition(one, rule, time, state, context));
    return found.map((one) =>
      isWaiting(one, rule, state, time, context) ? updatedCondition(one, rule, state, facts) : one,
    );
  });
  const endTransitions = findEnds(passed.state, conditions, context.rules, { ...facts, position: state.position });
  const due = emitDue({ ...state, conditions }, time, context);
  return { state: due.state, transitions: [...passed.transitions, ...endTransitions, ...due.transitions] };
}

/** Returns the transitions of conditions that have ended, for rules that report the end. */
function findEnds(
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

/** Returns the change by elapsed time: no snapshot has arrived until `time`. */
export function applyTime(before: WatchedState, time: number, context: RuleContext): StateChange {
  return emitDue(before, time, context);
}

/** Returns the state under changed rules. Conditions that new rules find emit no event. */
export function applyRules(before: WatchedState, now: number, context: RuleContext): WatchedState {
  const names = namesOf(context.rules);
  if (names.length === before.rules.length && names.every((name, index) => name === before.rules[index])) return before;
  const remaining = before.conditions.filter(({ rule }) => names.includes(rule));
  const facts: Facts = { time: before.seenAt, speedKmh: null, power: null, driverId: null };
  const empty = { ...before, inside: [], engineOn: null, isIdling: false, movement: null, conditions: [] };
  const found = context.rules
    .filter(({ name }) => !before.rules.includes(name))
    .flatMap((rule) =>
      conditionsOf(rule, empty, before, facts, context).map((one) => initialCondition(one, rule, now, before, context)),
    );
  return { ...before, rules: names, conditions: [...remaining, ...found] };
}

/** Returns the state after geofences changed. No vehicle has moved, so nothing is emitted. */
export function applyGeofences(before: WatchedState, changed: ReadonlySet<string>, context: RuleContext): WatchedState {
  const { position } = before;
  const isUnchanged = (id: string) => !changed.has(id);
  const changedGeofences = new Map([...context.geofences].filter(([id]) => changed.has(id)));
  // The changed geofences that contain the vehicle.
  const containing = position === null ? [] : findCrossings(position, new Set(), changedGeofences).entered;
  const remaining = before.conditions.filter(({ subject }) => isUnchanged(subject));
  if (containing.length === 0 && remaining.length === before.conditions.length && before.inside.every(isUnchanged))
    return before;
  const found = context.rules
    .filter(({ on }) => on === 'geofence-enter' || on === 'geofence-dwell')
    .flatMap((rule) =>
      containing
        .filter((id) => context.appliesTo(rule, id))
        .map((subject) => ({ ...newCondition(rule, subject, before, before.seenAt, null, null), isEmitted: true })),
    );
  return {
    ...before,
    inside: [...before.inside.filter(isUnchanged), ...containing],
    conditions: [...remaining, ...found],
  };
}

interface Facts {
  readonly time: number;
  readonly speedKmh: number | null;
  readonly power: number | null;
  readonly driverId: string | null;
}

function observe(
  before: WatchedState,
  snapshot: WatchedSnapshot,
  time: number,
  { geofences }: RuleContext,
): { readonly state: WatchedState; readonly facts: Facts } {
  const { isUnseen: _, ...rest } = before;
  const readings = readSnapshot(snapshot);
  const { fix, engineOn, speedKmh, power, driverId, live } = readings;
  const current = nextPosition(before, fix === null ? null : { ...fix, time });
  const status = liveStatus(live, { now: time });
  const zone = zoneAfter(before.zone, readText(snapshot.locationTimeZone));
  const state: WatchedState = {
    ...rest,
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

/** Returns true when the vehicle idles. A missing speed or ignition keeps the last value. */
function isIdlingAfter(
  { engineOn: before, isIdling }: WatchedState,
  { live, speedKmh, engineOn }: SnapshotReadings,
  time: number,
): boolean {
  const engineStatus = engineOn ?? before;
  if (speedKmh === null && before === true) return engineStatus === true && isIdling;
  return liveStatus({ ...live, ignition: { engineStatus } }, { now: time }) === 'idling';
}

function zoneAfter(before: string | undefined, named: string | null): string | undefined {
  if (named === null || named === before) return before;
  return canonicalZone(named) ?? before;
}

/**
 * Returns the movement after a snapshot. A snapshot shows movement by the live status `moving`, or
 * by a position beyond the noise of receivers, with or without ignition. A movement ends after a
 * standstill, or after a longer time without a snapshot.
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
  geofences: RuleContext['geofences'],
): readonly string[] {
  const { left, entered } = findCrossings(position, new Set(before), geofences);
  return left.length + entered.length === 0 ? before : [...before.filter((id) => !left.includes(id)), ...entered];
}

/** Returns the conditions of a rule that hold after a snapshot, continued ones first. */
function conditionsOf(
  rule: CompleteRule,
  before: WatchedState,
  after: WatchedState,
  facts: Facts,
  context: RuleContext,
): readonly Condition[] {
  const ownConditions = before.conditions.filter((condition) => condition.rule === rule.name);
  const begin = (subject = '', value: number | null = null) => {
    const condition = newCondition(rule, subject, after, facts.time, value, facts.driverId);
    // Outside of its hours, an event of one moment is not emitted.
    return { ...condition, isEmitted: isMomentary(rule.on) && !isOpenAt(facts.time, rule, after, context) };
  };
  const [only] = ownConditions;
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
      if (facts.power === null || batteryBelow === null) return ownConditions;
      return facts.power < batteryBelow ? [only ?? begin('', facts.power)] : [];
    }
    case 'speeding':
      return speedingConditions(rule, only, facts, begin);
    case 'ignition': {
      if (after.engineOn === null || before.engineOn === after.engineOn) return ownConditions;
      const condition = begin(after.engineOn ? 'on' : 'off');
      return [{ ...condition, isEmitted: condition.isEmitted || before.engineOn === null }];
    }
    case 'geofence-enter':
    case 'geofence-dwell': {
      const entered = after.inside
        .filter((id) => !before.inside.includes(id) && context.appliesTo(rule, id))
        .map((id) => begin(id));
      const inside = ownConditions.filter(({ subject }) => after.inside.includes(subject));
      // The first position is not an arrival.
      const isFirst = rule.on === 'geofence-enter' && before.position === null;
      return [...inside, ...entered.map((one) => ({ ...one, isEmitted: one.isEmitted || isFirst }))];
    }
    case 'geofence-exit': {
      const left = before.inside.filter((id) => !after.inside.includes(id) && context.appliesTo(rule, id));
      const waiting = ownConditions.filter(({ subject, isEmitted }) => !isEmitted && !after.inside.includes(subject));
      return [...waiting, ...left.map((id) => begin(id))];
    }
  }
}

/** Continues the condition of the same movement, or begins one for another movement. */
function movementCondition(
  { since, until, position }: Movement,
  before: Condition | undefined,
  begin: () => Condition,
): Condition {
  return before?.since === since ? { ...before, until } : { ...begin(), since, until, position };
}

/** Continues the current speeding, ends it, or begins another one. */
function speedingConditions(
  { speedLimitKmh }: CompleteRule,
  before: Condition | undefined,
  facts: Facts,
  begin: (subject: string, value: number) => Condition,
): readonly Condition[] {
  if (speedLimitKmh === null) return [];
  const stretch = before ? { from: before.since, to: before.until, topSpeedKmh: before.value ?? 0 } : null;
  const after = nextSpeeding(stretch, facts, speedLimitKmh);
  if (after === null) return [];
  if (before?.since !== after.from) return [begin('', after.topSpeedKmh)];
  return [{ ...before, until: after.to, value: after.topSpeedKmh }];
}

function newCondition(
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
 * Marks a condition that holds when the watch begins: it emits no event. Two kinds may still become
 * due: conditions that hold in silence, and conditions before their hours open.
 */
function initialCondition(
  condition: Condition,
  rule: CompleteRule,
  now: number,
  state: WatchedState,
  context: RuleContext,
): Condition {
  const isPending = kindsHeldInSilence.has(rule.on) || isWaiting(condition, rule, state, now, context);
  return { ...condition, isEmitted: !(isPending && dueAt(condition, rule, state, context) > now) };
}

/** Returns true for a lasting condition, not yet emitted, outside of the hours of its rule. */
function isWaiting(
  condition: Condition,
  rule: CompleteRule,
  state: WatchedState,
  time: number,
  context: RuleContext,
): boolean {
  return !condition.isEmitted && !isMomentary(rule.on) && !isOpenAt(time, rule, state, context);
}

/** Updates a condition that waits for its hours: the event shows the vehicle at the opening. */
function updatedCondition(
  condition: Condition,
  { on }: CompleteRule,
  { position }: WatchedState,
  facts: Facts,
): Condition {
  const { value: before } = condition;
  const value = on === 'movement' ? facts.speedKmh : on === 'low-battery' ? (facts.power ?? before) : before;
  return { ...condition, position, value, driverId: facts.driverId ?? condition.driverId };
}

function isOpenAt(time: number, rule: CompleteRule, { zone }: WatchedState, context: RuleContext): boolean {
  return context.hoursOf(rule)?.isOpenAt(time, zone ?? context.zone) ?? true;
}

/** Returns the first time, from `time` on, at which a lasting condition counts. */
function countsFrom(time: number, rule: CompleteRule, { zone }: WatchedState, context: RuleContext): number {
  const hours = isMomentary(rule.on) ? null : context.hoursOf(rule);
  return hours?.firstOpen(time, zone ?? context.zone) ?? time;
}

function dueAt({ since }: Condition, rule: CompleteRule, state: WatchedState, context: RuleContext): number {
  return countsFrom(since + rule.forMs, rule, state, context);
}

/** Emits the conditions that have lasted long enough, ordered by the time they became due. */
function emitDue(state: WatchedState, time: number, context: RuleContext): StateChange {
  const transitions: Transition[] = [];
  let conditions: Condition[] | null = null;
  for (const rule of context.rules) {
    for (const [index, condition] of state.conditions.entries()) {
      if (condition.isEmitted || condition.rule !== rule.name) continue;
      const due = dueAt(condition, rule, state, context);
      if ((kindsShownBySnapshots.has(rule.on) ? condition.until : time) < due) continue;
      // An event before its hours is delayed to the time at which it is due.
      const isDelayed = due > condition.since + rule.forMs || !isOpenAt(condition.since, rule, state, context);
      const from = isDelayed && !isMomentary(rule.on) ? due : condition.since;
      transitions.push({ rule, condition, from, dueAt: due, end: null });
      conditions ??= [...state.conditions];
      conditions[index] = { ...condition, isEmitted: true, ...(rule.resolved ? { awaitsEnd: true } : {}) };
    }
  }
  if (conditions === null) return { state, transitions };
  const exits = new Set(context.rules.filter(({ on }) => on === 'geofence-exit').map(({ name }) => name));
  const left = conditions.filter(({ isEmitted, rule }) => !(isEmitted && exits.has(rule)));
  return { state: { ...state, conditions: left }, transitions: transitions.sort((a, b) => a.dueAt - b.dueAt) };
}

function namesOf(rules: readonly CompleteRule[]): readonly string[] {
  return rules.map(({ name }) => name);
}

export function needsGeofences(rules: readonly CompleteRule[]): boolean {
  return rules.some(({ on }) => isGeofenceKind(on));
}
