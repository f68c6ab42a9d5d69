// Looks at the fleet again and again, and finds what has happened since it looked last: one request for the vehicles with their last
// snapshots, and others for what those vehicles have sent in between.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { hashedName } from '../../core/hashed-name.js';
import type { CallOptions, FleetClient } from '../../index.js';
import { MAX_AHEAD_MS } from '../../telemetry/latest.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { type WatchedVehicleRow, watchedSnapshotSelection } from '../../telemetry/watch/fleet-reader.js';
import { type Shape, shapeOf } from '../../telemetry/watch/geofence-shape.js';
import { partialAnswerOf } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { type Context, serviceNow } from '../context/context.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import { firstOf } from '../errors/unusable.js';
import { idsIn } from '../find/membership.js';
import { hasVehicleFlags, type VehicleFlags, vehicleChoice } from '../find/vehicles.js';
import { geofenceKind } from '../records/geofence.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import type { AlertEvent } from '../views/alert.js';
import { alertEvent, type NamedVehicle } from './alert-event.js';
import type { AlertRule } from './rule.js';
import {
  type Alert,
  type AlertSnapshot,
  afterSnapshot,
  afterTime,
  amongGeofences,
  firstSight,
  type MemoryStep,
  needsGeofences,
  type Surroundings,
  underRules,
  type VehicleMemory,
  withoutSight,
} from './vehicle-memory.js';
import type { RoundRecord, WatchKnowledge } from './watch-records.js';

/** Groups, labels and geofences are read again after this time: they change seldom. */
const REFRESH_MS = 600_000;

/** What has been found is passed on in parts of this size, so that a long time that nobody watched needs little memory. */
const PART = { events: 500, snapshots: 20_000 };

export type FoundPart = Pick<RoundRecord, 'vehicles' | 'geofences' | 'events'>;

/** How the vehicles of a rule are found, and by null those of the command; nothing for all vehicles. */
export type VehicleChoices = ReadonlyMap<AlertRule | null, ReturnType<typeof vehicleChoice>>;

/** Sends nothing. @throws CliError USAGE for a filter that does not fit */
export function vehicleChoices(context: Context, vehicles: VehicleFlags, rules: readonly AlertRule[]): VehicleChoices {
  const scopes = [[null, vehicles] as const, ...rules.map((rule) => [rule, rule.vehicles ?? {}] as const)];
  return new Map(
    scopes.flatMap(([rule, flags]) =>
      hasVehicleFlags(flags) ? [[rule, vehicleChoice(context, [], flags)] as const] : [],
    ),
  );
}

export interface FleetAlertsParts {
  readonly context: Context;
  readonly client: FleetClient;
  readonly rules: readonly AlertRule[];
  readonly choices: VehicleChoices;
  /** What is known from before. Only `take` changes it. */
  readonly knowledge: WatchKnowledge;
  /** From when on a vehicle that is not known is looked at, in milliseconds since 1970; null for now. */
  readonly since: number | null;
  /** Passes on what was found, and adds it to the knowledge. */
  take(found: FoundPart): Promise<void>;
}

interface Fence {
  readonly name: string | null;
  readonly shape: Shape | null;
  /** A hash of its shape. */
  readonly hash: string;
}

interface ListedVehicle extends NamedVehicle {
  readonly snapshot: AlertSnapshot | null;
}

/** What is read from time to time. */
interface Background {
  readonly readAt: number;
  readonly fences: ReadonlyMap<string, Fence>;
  /** The geofences of each rule; null for all. */
  readonly fencesOf: ReadonlyMap<AlertRule, ReadonlySet<string> | null>;
  /** The vehicles of each rule; null for all. */
  readonly vehiclesOf: ReadonlyMap<AlertRule, ReadonlySet<string> | null>;
  /** Those of the command. */
  readonly chosen: ReadonlySet<string> | null;
}

export class FleetAlerts {
  readonly #parts: FleetAlertsParts;
  readonly #selection: SelectionTree;
  #background: Background | null = null;
  /** What has been found and not been passed on yet. */
  #changed = new Map<string, VehicleMemory | null>();
  #found: { readonly alert: Alert; readonly vehicle: NamedVehicle }[] = [];
  #newFences: ReadonlyMap<string, string> | null = null;

  constructor(parts: FleetAlertsParts) {
    this.#parts = parts;
    const needsPower = parts.rules.some(({ on }) => on === 'low-battery');
    this.#selection = needsPower
      ? { ...watchedSnapshotSelection, misc: { power: true } }
      : { ...watchedSnapshotSelection };
  }

  /** The number of vehicles that it watches. */
  get size(): number {
    return this.#parts.knowledge.vehicles.size;
  }

  /** Looks once. What it has found before a failure is passed on too. */
  async look(options: CallOptions): Promise<void> {
    try {
      await this.#look(options);
    } finally {
      await this.#passOn();
    }
  }

  async #look(options: CallOptions): Promise<void> {
    const { context, knowledge } = this.#parts;
    const [listed, background] = await Promise.all([this.#listed(options), this.#readBackground(options)]);
    const now = serviceNow(context);
    this.#background = background;
    const around = new Map<string, Surroundings>();
    const watched = listed.vehicles.filter(({ vehicleId }) => background.chosen?.has(vehicleId) ?? true);
    for (const { vehicleId } of watched) around.set(vehicleId, this.#surroundings(vehicleId, background));
    // What an incomplete answer lacks is still there.
    if (listed.isWhole) for (const id of knowledge.vehicles.keys()) if (!around.has(id)) this.#changed.set(id, null);
    this.#redraw(background, around);
    for (const [id, surroundings] of around) {
      const before = this.#memory(id);
      if (before) this.#remember(id, before, underRules(before, now, surroundings));
    }
    this.#warnOfLastRows(listed.isWhole ? watched : [], now);
    const failed = await this.#readSnapshots(watched, around, now);
    for (const vehicle of watched) {
      const { vehicleId, snapshot } = vehicle;
      const surroundings = around.get(vehicleId);
      // What a vehicle has sent must be known before what it has not sent.
      if (surroundings === undefined || failed.has(vehicleId)) continue;
      const time = timestampMs(snapshot?.timestamp);
      const isNew = this.#memory(vehicleId) === undefined;
      // One from the future waits for its time: it must not hide those that come before it.
      if (snapshot !== null && time !== null && (time <= now || (isNew && time <= now + MAX_AHEAD_MS))) {
        this.#takeSnapshot(vehicle, snapshot, Math.min(time, now), surroundings, this.#parts.since ?? now);
      } else if (snapshot !== null && isNew) {
        this.#changed.set(vehicleId, withoutSight(now, surroundings));
      }
      const memory = this.#memory(vehicleId);
      if (memory) this.#step(vehicle, memory, afterTime(memory, now, surroundings));
    }
  }

  #warnOfLastRows(watched: readonly ListedVehicle[], now: number): void {
    const warn = (vehicles: readonly ListedVehicle[], text: (whose: string, names: string) => string) => {
      const whose = vehicles.length === 1 ? '1 vehicle' : `${vehicles.length} vehicles`;
      const names = firstOf(vehicles.map(({ name, licensePlate, vehicleId }) => name ?? licensePlate ?? vehicleId));
      if (vehicles.length > 0) this.#parts.context.report.warn(text(whose, names.join(', ')));
    };
    const timeOf = ({ snapshot }: ListedVehicle) => timestampMs(snapshot?.timestamp);
    warn(
      watched.filter(({ snapshot }) => snapshot === null),
      (whose, names) => `No snapshot of ${whose} has arrived, so there are no events until one does: ${names}.`,
    );
    const others = 'its events come from the others';
    warn(
      watched.filter((vehicle) => vehicle.snapshot !== null && timeOf(vehicle) === null),
      (whose, names) => `The last snapshot of ${whose} has no readable time; ${others}: ${names}.`,
    );
    warn(
      watched.filter((vehicle) => (timeOf(vehicle) ?? now) > now + MAX_AHEAD_MS),
      (whose, names) =>
        `The last snapshot of ${whose} is in the future; ${others}: ${names}. Check the clock of the device.`,
    );
  }

  async #listed(
    options: CallOptions,
  ): Promise<{ readonly vehicles: readonly ListedVehicle[]; readonly isWhole: boolean }> {
    const { context, client } = this.#parts;
    const select: SelectionTree = { id: true, name: true, licensePlate: true, lastData: this.#selection };
    const { value, isWhole } = await partialAnswerOf(context, (partial) =>
      call(client, 'getVehicles', {}, { ...partial, ...options, select }),
    );
    // The static type is that of the default selection, without what was selected here.
    const vehicles = (value as readonly WatchedVehicleRow[]).flatMap(({ id, name, licensePlate, lastData }) =>
      typeof id === 'string'
        ? { vehicleId: id, name: name ?? null, licensePlate: licensePlate ?? null, snapshot: lastData ?? null }
        : [],
    );
    return { vehicles, isWhole: isWhole && vehicles.length === value.length };
  }

  async #readBackground(options: CallOptions): Promise<Background> {
    const { context, client, rules, choices } = this.#parts;
    const before = this.#background;
    const readAt = serviceNow(context);
    if (before !== null && readAt - before.readAt < REFRESH_MS) return before;
    const [{ fences, fencesOf }, ...chosen] = await Promise.all([
      needsGeofences(rules)
        ? this.#readFences(options, before?.fences ?? new Map())
        : { fences: new Map<string, Fence>(), fencesOf: new Map<AlertRule, null>() },
      ...[...choices].map(async ([rule, choose]) => {
        const vehicles = await choose(client, {}, options);
        return [rule, new Set(vehicles.map(({ id }) => id))] as const;
      }),
    ]);
    const sets = new Map(chosen);
    return {
      readAt,
      fences,
      fencesOf,
      vehiclesOf: new Map(rules.map((rule) => [rule, sets.get(rule) ?? null])),
      chosen: sets.get(null) ?? null,
    };
  }

  async #readFences(
    options: CallOptions,
    before: ReadonlyMap<string, Fence>,
  ): Promise<Pick<Background, 'fences' | 'fencesOf'>> {
    const { context, client, rules } = this.#parts;
    const select = { id: true, name: true, geojson: true, isDeleted: true } as const;
    const { value, isWhole } = await partialAnswerOf(context, (partial) =>
      call(client, 'getGeofences', {}, { ...partial, ...options, select }),
    );
    const there = value.filter((geofence) => !isMarkedDeleted(geofence));
    const fences = new Map(isWhole ? [] : before);
    for (const { id, name, geojson } of there) {
      if (!id) continue;
      fences.set(id, { name: name ?? null, ...this.#shapeOf(name ?? id, geojson, before.get(id)) });
    }
    const fencesOf = new Map(
      rules.map((rule) => [rule, rule.geofences && new Set(idsIn(context, geofenceKind, there, rule.geofences))]),
    );
    return { fences, fencesOf };
  }

  /** A geofence may be nested too deeply for any program. It must not end the watch of the others. */
  #shapeOf(name: string, geojson: unknown, before: Fence | undefined): Pick<Fence, 'shape' | 'hash'> {
    try {
      const hash = hashedName(JSON.stringify(geojson) ?? '');
      return { hash, shape: before?.hash === hash ? before.shape : shapeOf(geojson, undefined) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#parts.context.report.warn(`The geofence ${name} cannot be read, so no vehicle is inside of it.`);
      return { hash: '', shape: null };
    }
  }

  #surroundings(vehicleId: string, { fences, fencesOf, vehiclesOf }: Background): Surroundings {
    return {
      rules: this.#parts.rules.filter((rule) => vehiclesOf.get(rule)?.has(vehicleId) ?? true),
      geofences: fences,
      isAbout: (rule, geofenceId) => fencesOf.get(rule)?.has(geofenceId) ?? true,
    };
  }

  /** Notes which geofences are others than before. */
  #redraw({ fences }: Background, around: ReadonlyMap<string, Surroundings>): void {
    const before = this.#newFences ?? this.#parts.knowledge.geofences;
    const hashes = new Map([...fences].map(([id, { hash }]) => [id, hash]));
    const isSame = before?.size === hashes.size && [...hashes].every(([id, hash]) => before.get(id) === hash);
    if (isSame || (before === null && hashes.size === 0)) return;
    this.#newFences = hashes;
    if (before === null) return;
    const changed = new Set([...hashes].flatMap(([id, hash]) => (before.get(id) === hash ? [] : [id])));
    for (const id of before.keys()) if (!hashes.has(id)) changed.add(id);
    for (const [id, surroundings] of around) {
      const memory = this.#memory(id);
      if (memory) this.#remember(id, memory, amongGeofences(memory, changed, surroundings));
    }
  }

  /** Reads what vehicles have sent since they were looked at last. Returns those of which it could not be read. */
  async #readSnapshots(
    watched: readonly ListedVehicle[],
    around: ReadonlyMap<string, Surroundings>,
    now: number,
  ): Promise<ReadonlySet<string>> {
    const { context, client, since } = this.#parts;
    const vehicles = watched.flatMap(({ vehicleId, snapshot }) => {
      const time = timestampMs(snapshot?.timestamp);
      const from = this.#memory(vehicleId)?.seenAt ?? since;
      const isNewer = snapshot !== null && from !== null && (time === null || time > from) && from < now;
      return isNewer ? [{ vehicleId, from: new Date(from) }] : [];
    });
    const failed = new Set<string>();
    if (vehicles.length === 0) return failed;
    const byId = new Map(watched.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const rows = client.streamSnapshots(
      { vehicles, to: new Date(now) },
      {
        // The type of a row follows from a selection that is known only now.
        select: this.#selection as typeof watchedSnapshotSelection,
        signal: context.io.signal,
        onError: ({ vehicleId, error }) => {
          failed.add(vehicleId);
          const name = byId.get(vehicleId)?.name ?? vehicleId;
          const { reason } = commandFailureOf(error, context.io.signal.aborted, context.globals.timeout);
          context.report.warn(`What ${name} has sent could not be read, and is read again later: ${reason}`);
        },
      },
    );
    let left = PART.snapshots;
    for await (const row of rows) {
      const vehicle = byId.get(row.vehicleId);
      const surroundings = around.get(row.vehicleId);
      const time = timestampMs(row.timestamp);
      if (vehicle === undefined || surroundings === undefined || time === null || time > now) continue;
      this.#takeSnapshot(vehicle, row, time, surroundings, time);
      if (--left > 0 && this.#found.length < PART.events) continue;
      await this.#passOn();
      left = PART.snapshots;
    }
    return failed;
  }

  /** `firstAt`: when the watch of a vehicle begins that is not known yet. */
  #takeSnapshot(
    vehicle: ListedVehicle,
    snapshot: AlertSnapshot,
    time: number,
    surroundings: Surroundings,
    firstAt: number,
  ): void {
    const before = this.#memory(vehicle.vehicleId);
    if (before) this.#step(vehicle, before, afterSnapshot(before, snapshot, time, surroundings));
    else this.#changed.set(vehicle.vehicleId, firstSight(snapshot, time, firstAt, surroundings));
  }

  #step(vehicle: NamedVehicle, before: VehicleMemory, { memory, alerts }: MemoryStep): void {
    this.#remember(vehicle.vehicleId, before, memory);
    for (const alert of alerts) this.#found.push({ alert, vehicle });
  }

  #remember(vehicleId: string, before: VehicleMemory, after: VehicleMemory): void {
    if (after !== before) this.#changed.set(vehicleId, after);
  }

  #memory(vehicleId: string): VehicleMemory | undefined {
    const changed = this.#changed.get(vehicleId);
    return changed === undefined ? this.#parts.knowledge.vehicles.get(vehicleId) : (changed ?? undefined);
  }

  async #passOn(): Promise<void> {
    const [vehicles, found, fences] = [[...this.#changed], this.#found, this.#newFences];
    if (vehicles.length === 0 && found.length === 0 && fences === null) return;
    this.#changed = new Map();
    this.#found = [];
    this.#newFences = null;
    const foundAt = serviceNow(this.#parts.context);
    const nameOf = (id: string) => this.#background?.fences.get(id)?.name ?? null;
    // Those of a vehicle stay in order: the sort is stable.
    const events: readonly AlertEvent[] = found
      .sort((a, b) => a.alert.dueAt - b.alert.dueAt)
      .map(({ alert, vehicle }) => alertEvent(alert, vehicle, nameOf, foundAt));
    await this.#parts.take({ vehicles, ...(fences === null ? {} : { geofences: [...fences] }), events });
  }
}
