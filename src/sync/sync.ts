// The sync: reads the parts of a fleet one after the other, and writes each into the copy.
import type { FleetError } from '../core/errors.js';
import { isOfPart, syncAssignments } from './assignments.js';
import { planOf, refusal, type SyncOptions, type SyncPlan } from './options.js';
import { checkOrigin } from './origin.js';
import { recordLists, type SyncClient, type SyncPart } from './parts.js';
import { type Period, readingOf } from './periods.js';
import { type RecordsWritten, writeRecords } from './records.js';
import { type SyncReport, Teller } from './report.js';
import { syncLatest, syncSnapshots } from './snapshots.js';
import type { Cursor, OpenTarget, SyncTarget } from './target.js';
import { syncTrips } from './trips.js';

/**
 * Brings a copy of the fleet up to date: lists of records, driver assignments, trips and snapshots, as `options.parts` says. It can be ended
 * or killed at any moment; the next sync goes on, and the copy ends with the rows that it would have had without the interruption. Requests
 * are sent with low priority, so that other calls of the user go first.
 *
 * @param fleet The client; it stays open.
 * @param target The database, for example `sqliteTarget('fleet.db')`. It is opened and closed.
 * @returns What was read and written, and the parts and vehicles that could not be read.
 * @throws {InvalidInputError} when an option is invalid; {@link SyncTargetError} when the copy cannot be written; a {@link FleetError} when
 * the service cannot be reached, the login fails, or `signal` was aborted.
 */
export async function sync(fleet: SyncClient, target: SyncTarget, options: SyncOptions = {}): Promise<SyncReport> {
  const plan = planOf(options);
  const open = await target.open();
  try {
    await checkOrigin(fleet, { target: open, name: target.name, write: (batch) => open.apply(batch) }, plan);
    return await new Sync(fleet, open, plan).run();
  } finally {
    await open.close();
  }
}

/** What a sync would read. */
export interface SyncPreview {
  readonly parts: readonly SyncPart[];
  /** How many vehicles assignments, trips and snapshots would be read of. */
  readonly vehicles: number;
  /** RFC 3339, for each kind of rows: how many vehicles from when. */
  readonly periods: readonly {
    readonly part: 'trips' | 'snapshots';
    readonly from: string;
    readonly vehicles: number;
  }[];
  readonly until: string;
}

/**
 * Says what `sync` with the same options would read. Reads the list of vehicles, if `sync` would, and how far the copy has come, and writes
 * nothing.
 * @throws As `sync`.
 */
export async function previewSync(
  fleet: SyncClient,
  target: SyncTarget,
  options: SyncOptions = {},
): Promise<SyncPreview> {
  const plan = planOf(options);
  const open = await target.look();
  try {
    if (open !== null) await checkOrigin(fleet, { target: open, name: target.name }, plan);
    const cursors = open === null ? [] : await open.cursors();
    const vehicles = plan.parts.has('vehicles')
      ? await fleet.getVehicles({}, { select: chosenBy, priority: 'low', signal: plan.signal })
      : [];
    const vehicleIds = await chosenVehicles(fleet, vehicles, plan);
    const until = untilOf(fleet, plan);
    const kinds = (['trips', 'snapshots'] as const).filter((kind) => plan.parts.has(kind));
    const periods = kinds.flatMap((part) =>
      readingOf(part, vehicleIds, cursors, plan, until).periods.map(({ from, vehicleIds: own }: Period) => ({
        part,
        from: new Date(from).toISOString(),
        vehicles: own.length,
      })),
    );
    return { parts: [...plan.parts], vehicles: vehicleIds.length, periods, until: new Date(until).toISOString() };
  } finally {
    await open?.close();
  }
}

const chosenBy = { id: true, isDeleted: true, assignedGroups: { id: true } } as const;

interface ReadList {
  readonly part: SyncPart;
  readonly table: string;
  readonly records: readonly object[];
}

class Sync {
  readonly #fleet: SyncClient;
  readonly #target: OpenTarget;
  readonly #plan: SyncPlan;
  readonly #teller: Teller;

  constructor(fleet: SyncClient, target: OpenTarget, plan: SyncPlan) {
    this.#fleet = fleet;
    this.#target = target;
    this.#plan = plan;
    this.#teller = new Teller(plan);
  }

  async run(): Promise<SyncReport> {
    const { parts, signal } = this.#plan;
    const cursors = await this.#target.cursors();
    const { vehicles, lists } = await this.#readLists();
    const until = untilOf(this.#fleet, this.#plan);
    const now = new Date(until).toISOString();
    const vehicleIds = await chosenVehicles(this.#fleet, vehicles, this.#plan);
    for (const { part, table, records } of lists) {
      this.#wrote(part, table, await writeRecords(this.#target, { table, now }, records));
    }
    if (parts.has('assignments')) {
      const written = await syncAssignments(this.#fleet, this.#target, this.#teller, vehicleIds, now, signal);
      this.#wrote('assignments', 'driver_assignments', written);
    }
    await this.#part('latest', () => syncLatest(this.#fleet, this.#target, this.#teller, vehicleIds, signal));
    await this.#part('trips', () => this.#rows('trips', vehicleIds, cursors, until));
    await this.#part('snapshots', () => this.#rows('snapshots', vehicleIds, cursors, until));
    return { tables: this.#teller.tables, failures: this.#teller.failures, until: now };
  }

  /** All lists in one request. Without the list of vehicles nothing that refers to it can be stored, so its error ends the sync. */
  async #readLists(): Promise<{ readonly lists: readonly ReadList[]; readonly vehicles: readonly object[] }> {
    const options = { priority: 'low', signal: this.#plan.signal } as const;
    const wanted = recordLists.filter(({ part }) => this.#plan.parts.has(part));
    const answers = await Promise.all(
      wanted.map(async ({ part, table, read }): Promise<ReadList | null> => {
        try {
          return { part, table, records: await read(this.#fleet, options) };
        } catch (error) {
          if (part === 'vehicles' || !isOfPart(error)) throw error;
          this.#fail(part, error);
          return null;
        }
      }),
    );
    const lists = answers.filter((answer) => answer !== null);
    return { lists, vehicles: lists.find(({ part }) => part === 'vehicles')?.records ?? [] };
  }

  async #rows(kind: Cursor['kind'], vehicleIds: readonly string[], cursors: readonly Cursor[], until: number) {
    const reading = readingOf(kind, vehicleIds, cursors, this.#plan, until);
    if (reading.newCursors.length > 0) await this.#target.apply({ steps: [], cursors: reading.newCursors });
    const { signal } = this.#plan;
    const data = { fleet: this.#fleet, target: this.#target, teller: this.#teller, reading, until, signal };
    await (kind === 'trips' ? syncTrips(data) : syncSnapshots(data));
  }

  /** Runs a part that is wanted; when the service refuses it, the others go on. */
  async #part(part: SyncPart, run: () => Promise<void>): Promise<void> {
    if (!this.#plan.parts.has(part)) return;
    try {
      await run();
    } catch (error) {
      if (!isOfPart(error)) throw error;
      this.#fail(part, error);
    }
  }

  #wrote(part: SyncPart, table: string, { read, written, changes }: RecordsWritten): void {
    const count = (type: string) => changes.filter((change) => change.type === type).length;
    const counts = { added: count('added'), changed: count('changed'), removed: count('removed') };
    this.#teller.done(part, { table, read, written, ...counts });
    for (const change of changes) this.#plan.onChange?.({ ...change, table });
  }

  #fail(part: SyncPart, error: FleetError): void {
    this.#teller.failed(part, null, error);
  }
}

function untilOf(fleet: SyncClient, { until, since }: SyncPlan): number {
  const end = until ?? fleet.serviceNow();
  if (since !== null && since >= end) throw refusal('since is not before now.');
  return end;
}

/** The vehicles whose assignments, trips and snapshots are read. */
async function chosenVehicles(
  fleet: SyncClient,
  vehicles: readonly object[],
  { vehicleIds, groupIds, signal }: SyncPlan,
): Promise<readonly string[]> {
  const live = vehicles.filter((vehicle) => Reflect.get(vehicle, 'isDeleted') !== true);
  const all = new Map(live.map((vehicle) => [Reflect.get(vehicle, 'id'), vehicle]));
  const inGroups = groupIds === undefined ? null : await groupsBelow(fleet, groupIds, signal);
  const unknown = vehicleIds?.find((vehicleId) => !all.has(vehicleId));
  if (unknown !== undefined) throw refusal(`The user sees no vehicle with the id ${unknown}.`);
  const asked = new Set<unknown>(vehicleIds);
  return [...all].flatMap(([id, vehicle]) => {
    if (typeof id !== 'string') return [];
    const isChosen = (vehicleIds === undefined && inGroups === null) || asked.has(id) || isIn(vehicle, inGroups);
    return isChosen ? [id] : [];
  });
}

function isIn(vehicle: object, groups: ReadonlySet<string> | null): boolean {
  const assigned: unknown = Reflect.get(vehicle, 'assignedGroups');
  if (groups === null || !Array.isArray(assigned)) return false;
  return assigned.some(
    (group: { readonly id?: unknown } | null) => typeof group?.id === 'string' && groups.has(group.id),
  );
}

async function groupsBelow(
  fleet: SyncClient,
  groupIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const groups = await fleet.getGroups({}, { select: { id: true, parentId: true }, priority: 'low', signal });
  const found = new Set(groupIds);
  const unknown = groupIds.find((groupId) => !groups.some(({ id }) => id === groupId));
  if (unknown !== undefined) throw refusal(`The user sees no group with the id ${unknown}.`);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { id, parentId } of groups) {
      if (typeof id === 'string' && typeof parentId === 'string' && found.has(parentId)) found.add(id);
    }
  }
  return found;
}
