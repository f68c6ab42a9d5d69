// `watchEvents`: its options, its rules, and the events that it yields.
import { toDate } from '../../core/dates.js';
import {
  type Checks,
  demand,
  flag,
  members,
  numberFrom,
  oneOf,
  pauseMs,
  positiveMs,
  someIds,
} from '../../core/option-checks.js';
import { refusedInput } from '../../core/refused-input.js';
import { canonicalZone } from '../../core/time-zone.js';
import { isAhead } from '../latest.js';
import { isoTime } from '../timestamps.js';
import type { OutageEvent, RecoveredEvent, TimedEvent, WatchOptions } from '../watch/events.js';
import { watchedSnapshotSelection } from '../watch/fleet-reader.js';
import type { TimedAnswer } from '../watch/poll.js';
import { pollWithOutages, type WatchDependencies, watchCallOptions } from '../watch/watch-events.js';
import {
  type CompleteRule,
  checkGeofences,
  completeRule,
  type EventRule,
  eventKinds,
  InvalidRuleError,
} from './event-rule.js';
import { isEventState } from './event-state.js';
import type { FleetEvent } from './fleet-event.js';
import { FleetEvents, type FoundPart, type RuleScopes, ruleSelection } from './fleet-events.js';
import type { WatchedState } from './vehicle-state.js';
import { weekdays } from './weekly-hours.js';

/** A rule of `watchEvents`. */
export interface WatchEventRule extends EventRule {
  /** The vehicles of the rule. Default: those of the watch. */
  readonly vehicleIds?: readonly string[] | undefined;
  /** The geofences of a `geofence-…` rule. Default: every geofence visible to the user. */
  readonly geofenceIds?: readonly string[] | undefined;
}

/** The state of a watch, to resume from. Storable as JSON; members may change between versions. */
export interface EventState {
  readonly version: 1;
  readonly vehicles: readonly (readonly [id: string, state: WatchedState])[];
  readonly geofences: readonly (readonly [id: string, hash: string])[] | null;
}

/**
 * The state after all events before it. A program that stores it after processing them gets every
 * event at least once: a watch from this `state` yields later events, with the same ids.
 */
export type CheckpointEvent = TimedEvent & {
  readonly type: 'checkpoint';
  readonly state: EventState;
};

/** An item of `watchEvents`; `type` distinguishes them. */
export type WatchEvent = FleetEvent | CheckpointEvent | OutageEvent | RecoveredEvent;

export interface WatchEventsOptions extends Omit<WatchOptions, 'snapshot'> {
  /** At least one. Rules of one kind need different names. */
  readonly rules: readonly WatchEventRule[];
  /** A checkpoint's `state` to resume from. Default: now, without conditions that already hold. */
  readonly state?: EventState | undefined;
  /** The time from which vehicles that are not in `state` are read. Default: now. */
  readonly since?: Date | string | number | undefined;
  /** The IANA time zone of vehicles whose snapshots have none. Default: that of the machine. */
  readonly timeZone?: string | undefined;
  /** The radius in metres of points and lines without one. Default: those are not watched. */
  readonly radiusMetres?: number | undefined;
  /** The interval of reading geofences and schedules, in milliseconds. Default 10 minutes. */
  readonly refreshMs?: number | undefined;
}

const nonEmptyText = demand((value) => typeof value === 'string' && value.trim() !== '', 'a non-empty string');

const eventRuleChecks: Checks<keyof WatchEventRule> = {
  on: oneOf(...eventKinds),
  name: nonEmptyText,
  forMs: pauseMs,
  speedLimitKmh: numberFrom(0),
  batteryBelow: numberFrom(0),
  resolved: flag,
  between: nonEmptyText,
  days: demand(
    (value) => Array.isArray(value) && value.length > 0 && value.every((day) => weekdays.includes(day)),
    `a list of ${weekdays.map((day) => `'${day}'`).join(', ')} that is not empty`,
  ),
  schedule: nonEmptyText,
  outsideSchedule: nonEmptyText,
  vehicleIds: someIds,
  geofenceIds: someIds,
};

export const eventOptionChecks: Checks<Exclude<keyof WatchEventsOptions, keyof WatchOptions>> = {
  rules: (value, name) => {
    if (!Array.isArray(value) || value.length === 0) return `${name} must be a list of rules that is not empty`;
    for (const [index, rule] of value.entries()) {
      const problem = members(eventRuleChecks, 'a rule: { on, … }')(rule, `${name}[${index}]`);
      if (problem !== null) return problem;
      if (rule.on === undefined) return `${name}[${index}] has no on: ${eventKinds.join(', ')}`;
    }
    return null;
  },
  state: demand(isEventState, 'the state of a checkpoint of this version'),
  since: demand(isTime, 'a Date, an RFC 3339 time, or milliseconds since 1970'),
  timeZone: demand(
    (value) => typeof value === 'string' && canonicalZone(value) !== undefined,
    'the IANA name of a time zone, such as Europe/Tallinn',
  ),
  radiusMetres: numberFrom(0),
  refreshMs: positiveMs,
};

function isTime(value: unknown): boolean {
  try {
    // `toDate` rejects values of other types.
    return toDate(value as Date) instanceof Date;
  } catch {
    return false;
  }
}

export interface CheckedRule {
  readonly callerRule: WatchEventRule;
  readonly rule: CompleteRule;
}

/**
 * Adds the defaults to the rules of a caller.
 * @throws {InvalidInputError} that names the first rule that cannot be used
 */
export function checkRules({ rules, vehicleIds }: WatchEventsOptions): readonly CheckedRule[] {
  const names = new Map<string, number>();
  const watched = vehicleIds && new Set(vehicleIds.map((id) => id.toLowerCase()));
  return rules.map((callerRule, index) => {
    try {
      const rule = completeRule(callerRule);
      checkGeofences(rule.on, callerRule.geofenceIds);
      if (watched && callerRule.vehicleIds?.every((id) => !watched.has(id.toLowerCase()))) {
        throw new InvalidRuleError(
          'None of its vehicleIds is in the vehicleIds of the watch, so it would have no events.',
        );
      }
      const before = names.get(rule.name);
      if (before !== undefined)
        throw new InvalidRuleError(`rules[${before}] has its name too. Give one of them another name.`);
      names.set(rule.name, index);
      return { callerRule, rule };
    } catch (error) {
      throw error instanceof InvalidRuleError
        ? refusedInput(`rules[${index}]: ${error.message}`, 'watchEvents')
        : error;
    }
  });
}

/** Yields the events of checked rules, and outages as `statusEvents` does. */
export async function* ruleEvents(
  options: WatchEventsOptions,
  rules: readonly CheckedRule[],
  dependencies: WatchDependencies,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent, void> {
  const { state, since, timeZone, radiusMetres, refreshMs } = options;
  const { reader, now, serviceNow, snapshots, warn } = dependencies;
  const complete = rules.map(({ rule }) => rule);
  const selection = { ...watchedSnapshotSelection, ...ruleSelection(complete) };
  const callOptions = { ...watchCallOptions(options, dependencies), signal };
  const vehicles = reader.open(options, selection);
  const engine = new FleetEvents<number>({
    rules: complete,
    scopes: scopesOf(rules),
    reads: {
      vehicles: async (reuseMs) => (await vehicles.next(reuseMs, callOptions)).answer,
      geofences: () => reader.geofences(callOptions),
      schedules: () => reader.schedules(callOptions),
      snapshots: (...period) => snapshots(selection, signal, ...period),
    },
    state: state ?? null,
    zone: timeZone,
    radiusMetres,
    refreshMs,
    since: since === undefined ? null : toDate(since).getTime(),
    now: serviceNow,
    warn: (code, message) => warn({ code, message, operation: 'watchEvents' }),
  });
  let found: FoundPart[] = [];
  let hasBegun = false;
  const request = async (reuseMs: number): Promise<TimedAnswer<null>> => {
    for await (const part of engine.pollOnce(reuseMs)) found.push(part);
    return { answer: null, receivedAt: now(), at: serviceNow() };
  };
  try {
    for await (const polled of pollWithOutages(options, dependencies, signal, request)) {
      if ('type' in polled) yield polled;
      else if (!hasBegun) {
        // The time of the service is known after the first answer.
        checkNotInFuture(since, polled.at);
        hasBegun = true;
      }
      const parts = found;
      found = [];
      for (const { events } of parts) yield* events;
      if (parts.length === 0) continue;
      const { vehicles: states, geofences } = engine.state;
      const stored = { version: 1, vehicles: [...states], geofences: geofences && [...geofences] } as const;
      yield { type: 'checkpoint', at: 'type' in polled ? polled.at : isoTime(polled.at), state: stored };
    }
  } finally {
    vehicles.close();
  }
}

/** Throws when `since` is in the future. `now`: the service's time, milliseconds since 1970. */
function checkNotInFuture(since: WatchEventsOptions['since'], now: number): void {
  const begin = since === undefined ? null : toDate(since).getTime();
  if (begin === null || !isAhead(begin, now)) return;
  throw refusedInput(
    `since is ${isoTime(begin)}, which has not come yet: the clock of the service shows ${isoTime(now)}. Leave since out to begin now.`,
    'watchEvents',
  );
}

function scopesOf(rules: readonly CheckedRule[]): RuleScopes<number> {
  // The service writes UUIDs in lower case, and accepts any case.
  const setOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => [id, id.toLowerCase()]));
  const idsBy = (member: 'vehicleIds' | 'geofenceIds') =>
    new Map(
      rules.flatMap(({ callerRule, rule }) => (callerRule[member] ? [[rule, setOf(callerRule[member])] as const] : [])),
    );
  const [vehicles, geofences] = [idsBy('vehicleIds'), idsBy('geofenceIds')];
  return {
    vehicles: async () => vehicles,
    geofences: (rule) => geofences.get(rule) ?? null,
    schedule(name, schedules) {
      const [only, another] = schedules.filter(
        (one) => one.isDeleted !== true && (one.id === name || one.name === name),
      );
      if (only !== undefined && another === undefined) return only;
      const problem = `${only === undefined ? 'No work schedule has' : 'Several work schedules have'} the name or id ${name}.`;
      throw refusedInput(problem, 'watchEvents', null);
    },
  };
}
