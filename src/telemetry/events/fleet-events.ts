// The engine of events: polls the fleet, compares it with the state of each vehicle, and emits
// events. One request reads the vehicles with their last snapshots; others read the snapshots since
// the last poll.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { refusedInput } from '../../core/refused-input.js';
import { isAhead } from '../latest.js';
import { timestampMs } from '../timestamps.js';
import type { CompleteRule } from './event-rule.js';
import { type FleetEvent, type NamedVehicle, toFleetEvent } from './fleet-event.js';
import { type GeofenceReport, Geofences, type GeofencesAnswer, REFRESH_MS } from './geofences.js';
import type { FleetAnswer, VehicleReport, WatchedSnapshot } from './snapshot-readings.js';
import {
  applyGeofences,
  applyRules,
  applySnapshot,
  applyTime,
  firstState,
  needsGeofences,
  type RuleContext,
  type StateChange,
  type Transition,
  unseenState,
  type WatchedState,
} from './vehicle-state.js';
import type { WeeklyHours } from './weekly-hours.js';
import { hoursOfSchedule, type WorkScheduleRow } from './work-schedule.js';

/** The size of a part: a long catch-up needs little memory. */
const PART = { events: 500, snapshots: 20_000 };

const MOST_NAMES = 10;

export interface EventReads<Options> {
  vehicles(options: Options): Promise<FleetAnswer>;
  geofences(options: Options): Promise<GeofencesAnswer>;
  schedules(options: Options): Promise<readonly WorkScheduleRow[]>;
  /** Reads snapshots, each vehicle from its own time. `onError` reports vehicles that failed. */
  snapshots(
    vehicles: readonly { readonly vehicleId: string; readonly from: Date }[],
    to: Date,
    onError: (vehicleId: string, reason: string) => void,
  ): AsyncIterable<WatchedSnapshot & { readonly vehicleId: string }>;
}

/** The records that rules apply to; null for all. Read again every ten minutes. */
export interface RuleScopes<Options> {
  /** Returns the vehicles of each rule; the key null has those of the whole watch. */
  vehicles(options: Options): Promise<ReadonlyMap<CompleteRule | null, ReadonlySet<string>>>;
  geofences(rule: CompleteRule, geofences: readonly GeofenceReport[]): ReadonlySet<string> | null;
  /**
   * Returns the schedule with this name or id.
   * @throws an error when there is no single match
   */
  schedule(name: string, schedules: readonly WorkScheduleRow[]): WorkScheduleRow;
}

/** The state of a watch, sufficient to resume after a restart. */
export interface EventsState {
  readonly vehicles: Iterable<readonly [id: string, state: WatchedState]>;
  /** The hash of each geofence; null before the first read. */
  readonly geofences: Iterable<readonly [id: string, hash: string]> | null;
}

export interface FleetEventsParts<Options> {
  readonly reads: EventReads<Options>;
  readonly scopes: RuleScopes<Options>;
  readonly rules: readonly CompleteRule[];
  readonly state: EventsState | null;
  /** Unknown vehicles are read from this time, in milliseconds since 1970; null for now. */
  readonly since: number | null;
  /** For vehicles without a time zone; undefined for the machine's. */
  readonly zone: string | undefined;
  readonly radiusMetres?: number | undefined;
  readonly refreshMs?: number | undefined;
  /** The time of the service, milliseconds since 1970. */
  now(): number;
  /** Called when records cannot be watched, or when hours come from a work schedule. */
  warn(code: 'NOT_WATCHED' | 'WORK_SCHEDULE', message: string): void;
}

/** A part of a poll's result. Store both together: the events follow from the states. */
export interface FoundPart {
  readonly events: readonly FleetEvent[];
  /** The vehicles whose state changed; null for a removed one. */
  readonly vehicles: readonly (readonly [id: string, state: WatchedState | null])[];
  /** All geofences with a hash of their shape; missing when unchanged. */
  readonly geofences?: readonly (readonly [id: string, hash: string])[];
}

/** Records that are refreshed from time to time. */
interface Background {
  readonly readAt: number;
  readonly answer: GeofencesAnswer | null;
  readonly geofencesOf: ReadonlyMap<CompleteRule, ReadonlySet<string> | null>;
  readonly vehiclesOf: ReadonlyMap<CompleteRule | null, ReadonlySet<string>>;
  readonly hoursOf: ReadonlyMap<CompleteRule, WeeklyHours | null>;
  readonly warnings: readonly string[];
}

/** Returns the snapshot fields that rules need in addition to those of a board. */
export function ruleSelection(rules: readonly CompleteRule[]): SelectionTree {
  const hasHours = rules.some((rule) => (rule.hours ?? rule.schedule ?? rule.outsideSchedule) !== null);
  return {
    ...(rules.some(({ on }) => on === 'low-battery') ? { misc: { power: true } } : {}),
    ...(hasHours ? { locationTimeZone: true } : {}),
  };
}

export class FleetEvents<Options> {
  readonly #parts: FleetEventsParts<Options>;
  readonly #geofences: Geofences;
  readonly #states: Map<string, WatchedState>;
  #background: Background | null = null;
  #changed = new Set<string>();
  #found: { readonly transition: Transition; readonly vehicle: NamedVehicle }[] = [];
  #areGeofencesNew = false;
  /** Current warnings, each given once. A complete poll without a warning ends it. */
  #warnings: ReadonlySet<string> = new Set();
  #foundWarnings = new Set<string>();

  constructor(parts: FleetEventsParts<Options>) {
    this.#parts = parts;
    this.#states = new Map(parts.state?.vehicles);
    const hashes = parts.state?.geofences ? new Map(parts.state.geofences) : null;
    this.#geofences = new Geofences({ radiusMetres: parts.radiusMetres }, hashes);
  }

  get size(): number {
    return this.#states.size;
  }

  get state(): EventsState {
    return { vehicles: this.#states, geofences: this.#geofences.hashes };
  }

  /** Polls once. Results before a failure are yielded before the error is thrown. */
  async *pollOnce(options: Options): AsyncGenerator<FoundPart, void> {
    let failure: { readonly error: unknown } | null = null;
    let isComplete = false;
    this.#foundWarnings = new Set();
    try {
      isComplete = yield* this.#pollOnce(options);
    } catch (error) {
      failure = { error };
    }
    this.#warnings = new Set([...(isComplete ? [] : this.#warnings), ...this.#foundWarnings]);
    yield* this.#take();
    if (failure !== null) throw failure.error;
  }

  /** Returns true when the answers were complete. */
  async *#pollOnce(options: Options): AsyncGenerator<FoundPart, boolean> {
    const { reads, now: serviceNow, since } = this.#parts;
    const [listed, background] = await Promise.all([reads.vehicles(options), this.#readBackground(options)]);
    const now = serviceNow();
    const isRefreshed = background !== this.#background;
    this.#background = background;
    const chosen = background.vehiclesOf.get(null);
    const watched = listed.vehicles.filter(({ vehicleId }) => chosen?.has(vehicleId) ?? true);
    const redrawnIds = isRefreshed && background.answer !== null ? this.#redraw(background.answer) : null;
    const contexts = new Map(watched.map(({ vehicleId }) => [vehicleId, this.#contextOf(vehicleId, background)]));
    if (listed.isComplete) for (const id of [...this.#states.keys()]) if (!contexts.has(id)) this.#set(id, undefined);
    for (const [id, context] of contexts) {
      const before = this.#states.get(id);
      if (before === undefined) continue;
      const redrawnState = redrawnIds === null ? before : applyGeofences(before, redrawnIds, context);
      this.#set(id, applyRules(redrawnState, now, context));
    }
    for (const message of background.warnings) this.#warn('WORK_SCHEDULE', message);
    for (const name of this.#geofences.unreadable) {
      this.#warn('NOT_WATCHED', `The geofence ${name} cannot be read, so no vehicle is inside of it.`);
    }
    if (listed.isComplete) this.#warnOfLastRows(watched);
    if (listed.isComplete) this.#warnOfUnknownIds(listed.vehicles, background);
    const failed = yield* this.#readSnapshots(watched, contexts, now);
    for (const vehicle of watched) {
      const { vehicleId, snapshot } = vehicle;
      const context = contexts.get(vehicleId);
      // Snapshots are processed before silence.
      if (context === undefined || failed.has(vehicleId)) continue;
      const time = timestampMs(snapshot?.timestamp);
      const isNew = !this.#states.has(vehicleId);
      // A snapshot from the future waits for its time: it must not hide earlier ones.
      if (snapshot !== null && time !== null && (time <= now || (isNew && !isAhead(time, now)))) {
        this.#takeSnapshot(vehicle, snapshot, Math.min(time, now), context, since ?? now);
      } else if (snapshot !== null && isNew) {
        this.#set(vehicleId, unseenState(now, context));
      }
      const state = this.#states.get(vehicleId);
      if (state) this.#applyChange(vehicle, applyTime(state, now, context));
    }
    return listed.isComplete && background.answer?.isComplete !== false;
  }

  #warnOfLastRows(watched: readonly VehicleReport[]): void {
    const warn = (vehicles: readonly VehicleReport[], text: (whose: string, names: string) => string) => {
      const whose = vehicles.length === 1 ? '1 vehicle' : `${vehicles.length} vehicles`;
      if (vehicles.length > 0) this.#warn('NOT_WATCHED', text(whose, namesOf(vehicles)));
    };
    warn(
      watched.filter(({ snapshot }) => snapshot === null),
      (whose, names) => `No snapshot of ${whose} has arrived, so there are no events until one does: ${names}.`,
    );
    warn(
      watched.filter(({ snapshot }) => snapshot !== null && timestampMs(snapshot.timestamp) === null),
      (whose, names) =>
        `The last snapshot of ${whose} has no readable time; its events come from the others: ${names}.`,
    );
  }

  /** Warns of ids that are not among the listed records: they emit no events. */
  #warnOfUnknownIds(vehicles: readonly VehicleReport[], { answer, vehiclesOf, geofencesOf }: Background): void {
    const warn = (
      noun: string,
      listedIds: ReadonlySet<string>,
      chosen: Iterable<readonly [CompleteRule | null, Iterable<string> | null]>,
    ) => {
      for (const [rule, ids] of chosen) {
        // Ids are not case-sensitive.
        const unknown = [...new Set([...(ids ?? [])].map((id) => id.toLowerCase()))].filter((id) => !listedIds.has(id));
        if (unknown.length === 0) continue;
        const [whose, finder] = rule === null ? ['The watch', 'it'] : [`The rule ${rule.name}`, 'the watch'];
        this.#warn(
          'NOT_WATCHED',
          `${whose} names ${noun} that ${finder} did not find: ${unknown.slice(0, MOST_NAMES).join(', ')}.`,
        );
      }
    };
    warn('vehicles', new Set(vehicles.map(({ vehicleId }) => vehicleId.toLowerCase())), vehiclesOf);
    if (answer === null || !answer.isComplete) return;
    warn('geofences', new Set(answer.geofences.map(({ geofenceId }) => geofenceId.toLowerCase())), geofencesOf);
  }

  async #readBackground(options: Options): Promise<Background> {
    const { reads, scopes, rules, refreshMs = REFRESH_MS, now } = this.#parts;
    const readAt = now();
    if (this.#background !== null && readAt - this.#background.readAt < refreshMs) return this.#background;
    const hasSchedule = rules.some(({ schedule, outsideSchedule }) => (schedule ?? outsideSchedule) !== null);
    const [answer, schedules, vehiclesOf] = await Promise.all([
      needsGeofences(rules) ? reads.geofences(options) : null,
      hasSchedule ? reads.schedules(options) : [],
      scopes.vehicles(options),
    ]);
    const hours = rules.map((rule) => [rule, this.#hoursOf(rule, schedules)] as const);
    return {
      readAt,
      answer,
      geofencesOf: new Map(
        rules.map((rule) => [rule, answer === null ? null : scopes.geofences(rule, answer.geofences)]),
      ),
      vehiclesOf,
      hoursOf: new Map(hours.map(([rule, { open }]) => [rule, open])),
      warnings: hours.flatMap(([, { warnings }]) => warnings),
    };
  }

  #hoursOf(
    rule: CompleteRule,
    schedules: readonly WorkScheduleRow[],
  ): { readonly open: WeeklyHours | null; readonly warnings: readonly string[] } {
    const name = rule.schedule ?? rule.outsideSchedule;
    if (name === null) return { open: rule.hours, warnings: [] };
    const read = hoursOfSchedule(this.#parts.scopes.schedule(name, schedules));
    if ('problem' in read) {
      const problem = `The hours of the work schedule ${name} cannot be read: ${read.problem}. Give the rule ${rule.name} hours and days of its own.`;
      throw refusedInput(problem, 'watchEvents', null);
    }
    const shown = `The work schedule ${name} is read as ${read.text}: the contract gives no unit of its durations, and minutes are likeliest. Its grace times are left out.`;
    const hours = rule.schedule === null ? read.hours.complement() : read.hours;
    const open = rule.hours === null ? hours : hours.intersect(rule.hours);
    const empty = `The rule ${rule.name} never counts: its hours are empty.`;
    return { open, warnings: [shown, ...(open.isEmpty ? [empty] : [])] };
  }

  #contextOf(vehicleId: string, { geofencesOf, vehiclesOf, hoursOf }: Background): RuleContext {
    return {
      rules: this.#parts.rules.filter((rule) => vehiclesOf.get(rule)?.has(vehicleId) ?? true),
      geofences: this.#geofences.byId,
      appliesTo: (rule, geofenceId) => geofencesOf.get(rule)?.has(geofenceId) ?? true,
      hoursOf: (rule) => hoursOf.get(rule) ?? null,
      zone: this.#parts.zone,
    };
  }

  /** Stores the geofences and returns the changed ones; null for the first answer. */
  #redraw(answer: GeofencesAnswer): ReadonlySet<string> | null {
    const isFirst = this.#geofences.hashes === null;
    const changed = this.#geofences.take(answer);
    if (changed.size > 0) this.#areGeofencesNew = true;
    return isFirst ? null : changed;
  }

  /** Reads the snapshots since the last poll. Returns the vehicles that could not be read. */
  async *#readSnapshots(
    watched: readonly VehicleReport[],
    contexts: ReadonlyMap<string, RuleContext>,
    now: number,
  ): AsyncGenerator<FoundPart, ReadonlySet<string>> {
    const { reads, since } = this.#parts;
    const vehicles = watched.flatMap(({ vehicleId, snapshot }) => {
      const time = timestampMs(snapshot?.timestamp);
      const from = this.#states.get(vehicleId)?.seenAt ?? since;
      const isNewer = snapshot !== null && from !== null && (time === null || time > from) && from < now;
      return isNewer ? [{ vehicleId, from: new Date(from) }] : [];
    });
    const failed = new Set<string>();
    if (vehicles.length === 0) return failed;
    const byId = new Map(watched.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const rows = reads.snapshots(vehicles, new Date(now), (vehicleId, reason) => {
      failed.add(vehicleId);
      const name = byId.get(vehicleId)?.name ?? vehicleId;
      this.#warn('NOT_WATCHED', `The snapshots of ${name} could not be read; the next poll retries: ${reason}`);
    });
    let left = PART.snapshots;
    for await (const row of rows) {
      const vehicle = byId.get(row.vehicleId);
      const context = contexts.get(row.vehicleId);
      const time = timestampMs(row.timestamp);
      if (vehicle === undefined || context === undefined || time === null || time > now) continue;
      this.#takeSnapshot(vehicle, row, time, context, time);
      if (--left > 0 && this.#found.length < PART.events) continue;
      yield* this.#take();
      left = PART.snapshots;
    }
    return failed;
  }

  /** `firstAt`: the start of the watch for a vehicle without a state. */
  #takeSnapshot(
    vehicle: VehicleReport,
    snapshot: WatchedSnapshot,
    time: number,
    context: RuleContext,
    firstAt: number,
  ): void {
    const before = this.#states.get(vehicle.vehicleId);
    if (before) this.#applyChange(vehicle, applySnapshot(before, snapshot, time, context));
    else this.#set(vehicle.vehicleId, firstState(snapshot, time, firstAt, context));
  }

  #applyChange(vehicle: NamedVehicle, { state, transitions }: StateChange): void {
    this.#set(vehicle.vehicleId, state);
    for (const transition of transitions) this.#found.push({ transition, vehicle });
  }

  #set(vehicleId: string, state: WatchedState | undefined): void {
    if (state === this.#states.get(vehicleId)) return;
    if (state === undefined) this.#states.delete(vehicleId);
    else this.#states.set(vehicleId, state);
    this.#changed.add(vehicleId);
  }

  #warn(code: 'NOT_WATCHED' | 'WORK_SCHEDULE', message: string): void {
    if (!this.#warnings.has(message) && !this.#foundWarnings.has(message)) this.#parts.warn(code, message);
    this.#foundWarnings.add(message);
  }

  /** Yields the events and states since the previous part; nothing without changes. */
  *#take(): Generator<FoundPart, void> {
    const found = this.#found;
    const vehicles = [...this.#changed].map((id) => [id, this.#states.get(id) ?? null] as const);
    const hashes = this.#areGeofencesNew ? this.#geofences.hashes : null;
    if (vehicles.length === 0 && found.length === 0 && hashes === null) return;
    this.#changed = new Set();
    this.#found = [];
    this.#areGeofencesNew = false;
    const foundAt = this.#parts.now();
    const nameOf = (id: string) => this.#geofences.byId.get(id)?.name ?? null;
    // The sort is stable: events of a vehicle stay in order.
    const events = found
      .sort((a, b) => a.transition.dueAt - b.transition.dueAt)
      .map(({ transition, vehicle }) => toFleetEvent(transition, vehicle, nameOf, foundAt));
    yield { events, vehicles, ...(hashes === null ? {} : { geofences: [...hashes] }) };
  }
}

function namesOf(vehicles: readonly NamedVehicle[]): string {
  const names = vehicles.map(({ name, licensePlate, vehicleId }) => name ?? licensePlate ?? vehicleId);
  const more = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
