// What a watch remembers of a vehicle, and what a snapshot or the passing of time makes of it: events. Pure functions; the same snapshots
// give the same events, whether they are read while they arrive or after a pause.

import { type CurrentPosition, positionAfter } from '../../telemetry/current-position.js';
import { type LiveSnapshot, liveStatus } from '../../telemetry/live-status.js';
import { Readings, readFlag, readNumber, readText } from '../../telemetry/readings.js';
import { fixOf } from '../../telemetry/tracks/fix.js';
import { speedOf } from '../../telemetry/trips/open-trip.js';
import { speedingAfter } from '../../telemetry/trips/speeding.js';
import type { TripPosition } from '../../telemetry/trips/trip.js';
import { defaultLimits } from '../../telemetry/trips/trip-limits.js';
import { crossingsTo } from '../../telemetry/watch/geofence-crossings.js';
import type { Shape } from '../../telemetry/watch/geofence-shape.js';
import type { WatchedSnapshot } from '../../telemetry/watch/vehicle-state.js';
import type { AlertKind } from '../views/alert.js';
import { type AlertRule, isGeofenceKind } from './rule.js';

/** The parts of a snapshot that rules read. */
export interface AlertSnapshot extends WatchedSnapshot {
  readonly misc?: { readonly power?: number | null } | null | undefined;
}

/** Something that is so, by a rule. */
export interface Holding {
  /** The name of the rule. */
  readonly rule: string;
  /** What it is so of: a geofence, `on` or `off`, or nothing. */
  readonly subject: string;
  /** The snapshot with which it began, in milliseconds since 1970. */
  readonly since: number;
  /** Of `speeding`: the last snapshot above the limit. */
  readonly until: number;
  /** It was so when the watch began, or its event has been made. */
  readonly isTold: boolean;
  /** Its event has been made, and its end is to be one too. */
  readonly isAwaited?: true;
  readonly value: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

export interface VehicleMemory extends CurrentPosition {
  /** The time of the last snapshot, or the beginning of the watch, in milliseconds since 1970. */
  readonly seenAt: number;
  /** The ids of geofences. */
  readonly inside: readonly string[];
  readonly engineOn: boolean | null;
  readonly isIdling: boolean;
  /** No snapshot has been read yet: the watch began without one. */
  readonly isUnseen?: true;
  /** The names of the rules that it is under. */
  readonly rules: readonly string[];
  readonly holdings: readonly Holding[];
}

/** What has become an event. */
export interface Alert {
  readonly rule: AlertRule;
  readonly holding: Holding;
  /** When it had lasted long enough or was over, in milliseconds since 1970. */
  readonly dueAt: number;
  /** The snapshot with which it was over; null when it is so. */
  readonly end: End | null;
}

export interface End {
  readonly time: number;
  readonly power: number | null;
  readonly position: TripPosition | null;
  readonly driverId: string | null;
}

export interface MemoryStep {
  readonly memory: VehicleMemory;
  readonly alerts: readonly Alert[];
}

/** What a vehicle is compared with. */
export interface Surroundings {
  /** The rules that the vehicle is under. */
  readonly rules: readonly AlertRule[];
  readonly geofences: ReadonlyMap<string, { readonly shape: Shape | null }>;
  /** Whether a rule is about a geofence. */
  isAbout(rule: AlertRule, geofenceId: string): boolean;
}

/** These begin with a snapshot after which nothing needs to come: they last as long as nothing else is known. */
const lastInSilence: ReadonlySet<AlertKind> = new Set(['silent', 'offline', 'idle']);

/** What is known after the first snapshot of a vehicle. How things are then is not an event. `now`: when the watch begins. */
export function firstSight(snapshot: AlertSnapshot, time: number, now: number, around: Surroundings): VehicleMemory {
  const nothing = nothingKnown(time, around.rules);
  const { memory, facts } = observed(nothing, snapshot, time, around);
  const holdings = around.rules.flatMap((rule) =>
    holdingsOf(rule, nothing, memory, facts, around).map((holding) => asFound(holding, rule, now)),
  );
  return { ...memory, holdings };
}

/** Begins the watch of a vehicle that has no snapshot whose time can be believed. Only its silence can become an event before one comes. */
export function withoutSight(now: number, { rules }: Surroundings): VehicleMemory {
  const nothing = nothingKnown(now, rules);
  const silences = rules.filter(({ on }) => on === 'silent' || on === 'offline');
  return { ...nothing, isUnseen: true, holdings: silences.map((rule) => begun(rule, '', nothing, now, null, null)) };
}

function nothingKnown(seenAt: number, rules: readonly AlertRule[]): VehicleMemory {
  return {
    ...{ seenAt, position: null, inside: [], engineOn: null, isIdling: false },
    ...{ rules: namesOf(rules), holdings: [] },
  };
}

/** What a later snapshot changes. One that is not later changes nothing. */
export function afterSnapshot(
  before: VehicleMemory,
  snapshot: AlertSnapshot,
  time: number,
  around: Surroundings,
): MemoryStep {
  if (time <= before.seenAt) return { memory: before, alerts: [] };
  const passed = afterTime(before, time, around);
  const { memory, facts } = observed(passed.memory, snapshot, time, around);
  const holdings = around.rules.flatMap((rule) => {
    const found = holdingsOf(rule, passed.memory, memory, facts, around);
    return before.isUnseen ? found.map((holding) => asFound(holding, rule, time)) : found;
  });
  const over = overWith(passed.memory, holdings, around.rules, { ...facts, position: memory.position });
  const ripe = ripened({ ...memory, holdings }, time, around.rules);
  return { memory: ripe.memory, alerts: [...passed.alerts, ...over, ...ripe.alerts] };
}

/** What is awaited and no longer so after a snapshot. */
function overWith(
  before: VehicleMemory,
  after: readonly Holding[],
  rules: readonly AlertRule[],
  end: End,
): readonly Alert[] {
  return rules.flatMap((rule) =>
    before.holdings
      .filter((holding) => holding.isAwaited === true && holding.rule === rule.name)
      .filter(({ since }) => !after.some((holding) => holding.rule === rule.name && holding.since === since))
      .map((holding) => ({ rule, holding, dueAt: end.time, end })),
  );
}

/** What it changes that no snapshot has come until a time. */
export function afterTime(before: VehicleMemory, time: number, { rules }: Surroundings): MemoryStep {
  // Whether a vehicle still drives too fast only its snapshots say.
  return ripened(
    before,
    time,
    rules.filter(({ on }) => on !== 'speeding'),
  );
}

/** For rules that are new, or that the vehicle is newly under: how things are is not an event. Rules that are gone are forgotten. */
export function underRules(before: VehicleMemory, now: number, around: Surroundings): VehicleMemory {
  const names = namesOf(around.rules);
  if (names.length === before.rules.length && names.every((name, index) => name === before.rules[index])) return before;
  const kept = before.holdings.filter(({ rule }) => names.includes(rule));
  const facts: Facts = { time: before.seenAt, speedKmh: null, power: null, driverId: null };
  const nothing = { ...before, inside: [], engineOn: null, isIdling: false, holdings: [] };
  const found = around.rules
    .filter(({ name }) => !before.rules.includes(name))
    .flatMap((rule) => holdingsOf(rule, nothing, before, facts, around).map((holding) => asFound(holding, rule, now)));
  return { ...before, rules: names, holdings: [...kept, ...found] };
}

/** For geofences that were created, redrawn or deleted around vehicles: no vehicle has moved, so nothing is an event. */
export function amongGeofences(
  before: VehicleMemory,
  changed: ReadonlySet<string>,
  around: Surroundings,
): VehicleMemory {
  const { position } = before;
  const isKept = (id: string) => !changed.has(id);
  const drawn = new Map([...around.geofences].filter(([id]) => changed.has(id)));
  const now = position === null ? [] : crossingsTo(position, new Set(), drawn).entered;
  const kept = before.holdings.filter(({ subject }) => isKept(subject));
  if (now.length === 0 && kept.length === before.holdings.length && before.inside.every(isKept)) return before;
  const found = around.rules
    .filter(({ on }) => on === 'geofence-enter')
    .flatMap((rule) =>
      now
        .filter((id) => around.isAbout(rule, id))
        .map((subject) => ({ ...begun(rule, subject, before, before.seenAt, null, null), isTold: true })),
    );
  return { ...before, inside: [...before.inside.filter(isKept), ...now], holdings: [...kept, ...found] };
}

interface Facts {
  readonly time: number;
  readonly speedKmh: number | null;
  readonly power: number | null;
  readonly driverId: string | null;
}

/** What a snapshot says, beside which rules. */
function observed(
  before: VehicleMemory,
  snapshot: AlertSnapshot,
  time: number,
  { geofences }: Surroundings,
): { readonly memory: VehicleMemory; readonly facts: Facts } {
  const { gps, ignition, driver, misc } = snapshot;
  const { isUnseen: _, ...known } = before;
  const fix = fixOf({ timestamp: snapshot.timestamp ?? null, gps: gps ?? null });
  const current = positionAfter(before, fix === null ? null : { ...fix, time });
  const status = liveStatus(liveSnapshotOf(snapshot), { now: time });
  const memory: VehicleMemory = {
    ...known,
    seenAt: time,
    ...current,
    inside:
      fix === null || current.position === null
        ? before.inside
        : insideAfter(before.inside, current.position, geofences),
    engineOn: readFlag(ignition?.engineStatus) ?? before.engineOn,
    isIdling: status === 'idling',
  };
  const { canSpeed = null, canWheelSpeed = null } = snapshot.canBus ?? {};
  const speedKmh = speedOf(
    { gps: gps ?? null, canBus: { canSpeed, canWheelSpeed } },
    fix !== null,
    defaultLimits.fastestKmh,
    new Readings(),
  );
  return {
    memory,
    facts: { time, speedKmh, power: readNumber(misc?.power) ?? null, driverId: readText(driver?.driverId) },
  };
}

function liveSnapshotOf({ timestamp, gps, ignition, canBus }: AlertSnapshot): LiveSnapshot {
  return { timestamp, gps: { speed: gps?.speed }, ignition: { engineStatus: ignition?.engineStatus }, canBus };
}

function insideAfter(
  before: readonly string[],
  position: TripPosition,
  geofences: Surroundings['geofences'],
): readonly string[] {
  const { left, entered } = crossingsTo(position, new Set(before), geofences);
  return left.length + entered.length === 0 ? before : [...before.filter((id) => !left.includes(id)), ...entered];
}

/** What is so by a rule after a snapshot: what was so and goes on, and what begins. */
function holdingsOf(
  rule: AlertRule,
  before: VehicleMemory,
  after: VehicleMemory,
  facts: Facts,
  around: Surroundings,
): readonly Holding[] {
  const mine = before.holdings.filter((holding) => holding.rule === rule.name);
  const begin = (subject = '', value: number | null = null) =>
    begun(rule, subject, after, facts.time, value, facts.driverId);
  const [only] = mine;
  switch (rule.on) {
    case 'silent':
    case 'offline':
      return [begin()];
    case 'idle':
      return after.isIdling ? [only ?? begin()] : [];
    case 'low-battery': {
      const { batteryBelow } = rule;
      if (facts.power === null || batteryBelow === null) return mine;
      return facts.power < batteryBelow ? [only ?? begin('', facts.power)] : [];
    }
    case 'speeding':
      return speedingHoldings(rule, only, facts, begin);
    case 'ignition': {
      if (after.engineOn === null || before.engineOn === after.engineOn) return mine;
      return [{ ...begin(after.engineOn ? 'on' : 'off'), isTold: before.engineOn === null }];
    }
    case 'geofence-enter': {
      const entered = after.inside.filter((id) => !before.inside.includes(id) && around.isAbout(rule, id));
      // With its first position the vehicle has not come from anywhere.
      const isTold = before.position === null;
      const inside = mine.filter(({ subject }) => after.inside.includes(subject));
      return [...inside, ...entered.map((id) => ({ ...begin(id), isTold }))];
    }
    case 'geofence-exit': {
      const left = before.inside.filter((id) => !after.inside.includes(id) && around.isAbout(rule, id));
      // One that has been told is nothing more to wait for.
      const waiting = mine.filter(({ subject, isTold }) => !isTold && !after.inside.includes(subject));
      return [...waiting, ...left.map((id) => begin(id))];
    }
  }
}

function speedingHoldings(
  { speedLimitKmh }: AlertRule,
  before: Holding | undefined,
  facts: Facts,
  begin: (subject: string, value: number) => Holding,
): readonly Holding[] {
  if (speedLimitKmh === null) return [];
  const stretch = before ? { from: before.since, to: before.until, topSpeedKmh: before.value ?? 0 } : null;
  const after = speedingAfter(stretch, facts, speedLimitKmh);
  if (after === null) return [];
  if (before?.since !== after.from) return [begin('', after.topSpeedKmh)];
  return [{ ...before, until: after.to, value: after.topSpeedKmh }];
}

function begun(
  { name }: AlertRule,
  subject: string,
  { position }: VehicleMemory,
  since: number,
  value: number | null,
  driverId: string | null,
): Holding {
  return { rule: name, subject, since, until: since, isTold: false, value, position, driverId };
}

/** How things are when the watch begins is not an event; but what lasts without a snapshot may still last long enough. */
function asFound(holding: Holding, rule: AlertRule, now: number): Holding {
  const mayRipen = lastInSilence.has(rule.on) && now - holding.since < rule.forMs;
  return { ...holding, isTold: !mayRipen };
}

/** What has lasted long enough at a time, in the order in which it did. */
function ripened(memory: VehicleMemory, time: number, rules: readonly AlertRule[]): MemoryStep {
  const alerts: Alert[] = [];
  let holdings: Holding[] | null = null;
  for (const rule of rules) {
    for (const [index, holding] of memory.holdings.entries()) {
      if (holding.isTold || holding.rule !== rule.name) continue;
      const dueAt = holding.since + rule.forMs;
      // Speeding lasts from snapshot to snapshot.
      if ((rule.on === 'speeding' ? holding.until : time) < dueAt) continue;
      alerts.push({ rule, holding, dueAt, end: null });
      holdings ??= [...memory.holdings];
      holdings[index] = { ...holding, isTold: true, ...(rule.resolved ? { isAwaited: true } : {}) };
    }
  }
  if (holdings === null) return { memory, alerts };
  const told = new Set(rules.filter(({ on }) => on === 'geofence-exit').map(({ name }) => name));
  const left = holdings.filter(({ isTold, rule }) => !(isTold && told.has(rule)));
  return { memory: { ...memory, holdings: left }, alerts: alerts.sort((a, b) => a.dueAt - b.dueAt) };
}

function namesOf(rules: readonly AlertRule[]): readonly string[] {
  return rules.map(({ name }) => name);
}

/** Whether a rule needs the geofences of the service. */
export function needsGeofences(rules: readonly AlertRule[]): boolean {
  return rules.some(({ on }) => isGeofenceKind(on));
}
