// Reads the parts of a fleet one after the other, and writes each into the copy.
import type { FleetError } from 'fleet-telematics';
import { isUuid } from 'fleet-telematics/kit';
import { isPartFailure, syncAssignments, syncMappedSensors } from './by-vehicle.js';
import { CLOCK_SLACK_MS, type Clocks, confirmedTime, earliestNow, readClocks } from './clocks.js';
import { idOf, isDeleted } from './compare-records.js';
import { syncDevices } from './devices.js';
import { historyTimes } from './history.js';
import { IdSpellings } from './id-spellings.js';
import { LatestSnapshots } from './latest.js';
import { planOf, type SyncOptions, type SyncPlan, syncRefusal } from './options.js';
import { checkOrigin } from './origin.js';
import { isReadByVehicle, type ListAnswer, readWhole, recordLists, type SyncClient, type SyncPart } from './parts.js';
import { planReading, type ReadingPlan, type VehicleState, type VehiclesFrom } from './periods.js';
import { readersOf, type UserReader } from './readers.js';
import { type RecordsWritten, writeRecords } from './records.js';
import { ReportWriter, type SyncReport } from './report.js';
import { deleteBefore, retentionStart } from './retention.js';
import { RunLog } from './runs.js';
import { filledColumns, selectionOf } from './snapshot-columns.js';
import { syncSnapshots } from './snapshots.js';
import { idsOf, StampedCopy } from './stamped-copy.js';
import type { Cursor, OpenTarget, SyncTarget } from './target.js';
import { endOpenOfDeleted, openBeginsOf, openStopsOf, syncStops, syncTrips } from './trips.js';
import { writeBehind } from './write-behind.js';

/**
 * Updates a copy of the fleet: lists of records, assignments, trips, stops and snapshots, as
 * `options.parts` says. It can be ended or killed at any moment: the next sync continues, and the
 * copy gets the rows that it would have had without the interruption. Requests have low priority,
 * so that other calls of the user go first.
 *
 * @param fleet The client; it stays open.
 * @param target The database, for example `sqliteTarget('fleet.db')`. It is opened and closed.
 * @returns The rows read and written, and the parts and vehicles that could not be read.
 * @throws {InvalidInputError} when an option is invalid; {@link SyncTargetError} when the copy
 * cannot be written; a {@link FleetError} when the service cannot be reached, the login fails, or
 * `signal` was aborted.
 */
export async function syncFleet(fleet: SyncClient, target: SyncTarget, options: SyncOptions = {}): Promise<SyncReport> {
  const plan = planOf(options);
  const others = plan.users.map((user) => fleet.forUser(user));
  const open = await target.open();
  try {
    const write: OpenTarget['apply'] = (batch) => open.apply(batch);
    const isAdopted = await checkOrigin(fleet, { target: open, name: target.name, write }, plan);
    // Adopting a copy accepts that everything in it may be deleted.
    const allowDeletions = plan.allowDeletions || isAdopted;
    const copy = await StampedCopy.of(open, () => fleet.serviceClock().machineMs);
    const log = new RunLog(copy, plan);
    await log.begin();
    try {
      const state = { copy, cursors: await open.cursors() };
      const report = await new Sync({ fleet, others }, state, { ...plan, allowDeletions }).run();
      await log.end(report);
      return report;
    } catch (error) {
      await log.failed(error);
      throw error;
    }
  } finally {
    await open.close();
  }
}

/** The reads of a planned sync. */
export interface SyncPreview {
  readonly parts: readonly SyncPart[];
  /** Vehicles to read assignments and rows of. */
  readonly vehicles: number;
  /** Vehicles by kind of rows and begin, in RFC 3339. */
  readonly periods: readonly {
    readonly part: Cursor['kind'];
    readonly from: string;
    readonly vehicles: number;
  }[];
  readonly until: string;
}

/**
 * Returns what `syncFleet` would read with the same options. Writes nothing; reads the cursors of
 * the copy and, if `syncFleet` would, the list of vehicles.
 * @throws As `syncFleet`.
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
    const call = { priority: 'low', signal: plan.signal } as const;
    const vehicles = plan.parts.has('vehicles')
      ? await readWhole((own) => fleet.getVehicles({}, { ...own, select: selectionFields }), call)
      : nothing;
    const vehicleList = withFirstSpellings(
      vehicles,
      open === null ? new IdSpellings() : await idsOf(open, [{ table: 'vehicles', columns: ['id'] }]),
    );
    const vehicleIds = (await chosenVehicles(fleet, vehicleList, plan)).filter(isUuid);
    const clocks = readClocks(fleet);
    const until = untilOf(clocks, plan);
    const retentionStart = await readRetentionStart(fleet, clocks, vehicleIds, until, plan);
    const kinds = (['trips', 'stops', 'snapshots'] as const).filter((kind) => plan.parts.has(kind));
    const periods = kinds.flatMap((part) =>
      planReading(part, vehicleIds, cursors, { ...plan, retentionStart }, { until, clocks }).periods.map(
        ({ from, vehicleIds: own }: VehiclesFrom) => ({
          part,
          from: new Date(from).toISOString(),
          vehicles: own.length,
        }),
      ),
    );
    return { parts: [...plan.parts], vehicles: vehicleIds.length, periods, until: new Date(until).toISOString() };
  } finally {
    await open?.close();
  }
}

const selectionFields = { id: true, isDeleted: true, assignedGroups: { id: true } } as const;

interface ReadList {
  readonly part: SyncPart;
  readonly table: string;
  readonly answer: ListAnswer;
}

const nothing: ListAnswer = { records: [], gap: null };

function withFirstSpellings({ records, gap }: ListAnswer, ids: IdSpellings): ListAnswer {
  return { records: records.map((record) => ids.in(record)), gap };
}

class Sync {
  readonly #fleet: SyncClient;
  readonly #others: readonly SyncClient[];
  readonly #target: StampedCopy;
  readonly #cursors: readonly Cursor[];
  readonly #plan: SyncPlan;
  readonly #reporter: ReportWriter;
  #readersPromise: Promise<readonly UserReader[]> | null = null;

  constructor(
    { fleet, others }: { readonly fleet: SyncClient; readonly others: readonly SyncClient[] },
    { copy, cursors }: { readonly copy: StampedCopy; readonly cursors: readonly Cursor[] },
    plan: SyncPlan,
  ) {
    this.#fleet = fleet;
    this.#others = others;
    this.#target = copy;
    this.#cursors = cursors;
    this.#plan = plan;
    this.#reporter = new ReportWriter(plan);
  }

  async run(): Promise<SyncReport> {
    const { parts, signal } = this.#plan;
    const { vehicles, lists: readLists } = await this.#readLists();
    const clocks = readClocks(this.#fleet);
    const until = untilOf(clocks, this.#plan);
    this.#warnOfEnd(until);
    const now = new Date(until).toISOString();
    const chosen = await chosenVehicles(this.#fleet, vehicles, this.#plan);
    const { allowDeletions: allowsDeletions } = this.#plan;
    const retentionStart = await readRetentionStart(this.#fleet, clocks, chosen, until, this.#plan);
    // A clock that is ahead would also move all later versions ahead.
    const history = await historyTimes(this.#target, this.#plan.history, earliestNow(clocks));
    for (const { part, table, answer } of readLists) {
      const scope = { part, table, now, allowsDeletions, history };
      this.#reportWritten(part, table, await writeRecords(this.#target, scope, answer, this.#reporter));
    }
    if (parts.has('devices')) {
      const scope = { part: 'devices', table: 'devices', now, allowsDeletions, history } as const;
      const read = { vehicles, reporter: this.#reporter, signal };
      this.#reportWritten('devices', 'devices', await syncDevices(this.#fleet, this.#target, read, scope));
    }
    const vehicleIds = [...parts].some(isReadByVehicle) ? this.#queryable(chosen) : [];
    const lists = (part: SyncPart) => ({ part, vehicleIds, reporter: this.#reporter, signal });
    // Started now, it shares a request with the first assignments.
    const latest = parts.has('latest') ? new LatestSnapshots(this.#fleet, vehicleIds, signal) : null;
    if (parts.has('mapped-sensors'))
      await syncMappedSensors(this.#fleet, this.#target, lists('mapped-sensors'), allowsDeletions);
    if (parts.has('assignments')) {
      const scope = { part: 'assignments', table: 'driver_assignments', now, allowsDeletions, history } as const;
      const written = await syncAssignments(this.#fleet, this.#target, lists('assignments'), scope);
      this.#reportWritten('assignments', 'driver_assignments', written);
    }
    if (parts.has('vehicles')) await endOpenOfDeleted(this.#target, this.#cursors);
    await this.#part('latest', async () => latest?.write(this.#target, this.#reporter, clocks));
    const open = { trips: await openBeginsOf(this.#target, 'trips'), stops: await openBeginsOf(this.#target, 'stops') };
    const { cursors, deleted } = await deleteBefore(this.#target, this.#cursors, retentionStart, open);
    const newest = latest?.newest ?? new Map();
    const reads = (kind: Cursor['kind'], open: Partial<VehicleState> = {}) => {
      const state = { newest, openBegins: new Map(), openStops: new Map(), ...open };
      return planReading(kind, vehicleIds, cursors, { ...this.#plan, retentionStart }, { until, clocks }, state);
    };
    const rows = (reading: ReadingPlan) => this.#rows(reading, vehicleIds, clocks);
    await this.#part('trips', async () =>
      rows(reads('trips', { openBegins: await openBeginsOf(this.#target, 'trips') })),
    );
    await this.#part('stops', async () => rows(reads('stops', { openStops: await openStopsOf(this.#target) })));
    await this.#part('snapshots', () => rows(reads('snapshots')));
    const { tables, failures, warnings } = this.#reporter;
    return { tables, failures, warnings, until: now, deleted };
  }

  /** Returns the vehicles whose id the service accepts, and reports the others. */
  #queryable(vehicleIds: readonly string[]): readonly string[] {
    for (const id of vehicleIds) if (!isUuid(id)) this.#reporter.unstored('vehicles', 'noUuid', id);
    return vehicleIds.filter(isUuid);
  }

  /** Reads all lists in one request. An error of the vehicles, which others need, ends the sync. */
  async #readLists(): Promise<{ readonly lists: readonly ReadList[]; readonly vehicles: ListAnswer }> {
    const options = { priority: 'low', signal: this.#plan.signal } as const;
    const plannedLists = recordLists.filter(({ part }) => this.#plan.parts.has(part));
    const answers = await Promise.all(
      plannedLists.map(async ({ part, table, read }): Promise<ReadList | null> => {
        try {
          return { part, table, answer: await readWhole((own) => read(this.#fleet, own), options) };
        } catch (error) {
          if (part === 'vehicles' || !isPartFailure(error)) throw error;
          this.#fail(part, error);
          return null;
        }
      }),
    );
    const found = answers.filter((answer) => answer !== null);
    const { ids } = this.#target;
    // The list of a kind of records sets the spelling of its ids, before others name them.
    for (const { answer } of found) for (const record of answer.records) ids.of(idOf(record) ?? '');
    const lists = found.map(({ answer, ...list }) => ({ ...list, answer: withFirstSpellings(answer, ids) }));
    return { lists, vehicles: lists.find(({ part }) => part === 'vehicles')?.answer ?? nothing };
  }

  async #rows(reading: ReadingPlan, vehicleIds: readonly string[], clocks: Clocks): Promise<void> {
    if (reading.newCursors.length > 0) await this.#target.apply({ steps: [], cursors: reading.newCursors });
    this.#warnOfCursors(reading);
    const { signal } = this.#plan;
    const confirmedUntil = await confirmedTime(this.#fleet, clocks, vehicleIds, signal);
    const readers = await this.#readers();
    const data = { readers, target: this.#target, reporter: this.#reporter, reading, confirmedUntil, signal };
    if (reading.kind === 'trips') {
      return writeBehind((writing) => syncTrips({ ...data, writing }, this.#plan.speedLimitKmh));
    }
    if (reading.kind === 'stops') return writeBehind((writing) => syncStops({ ...data, writing }));
    const columns = await filledColumns(this.#target, this.#plan.columns);
    this.#warnOfColumns(columns);
    return writeBehind((writing) => syncSnapshots({ ...data, writing }, selectionOf(columns.list)));
  }

  #warnOfColumns({ list, before }: Awaited<ReturnType<typeof filledColumns>>): void {
    if (list === before || !this.#cursors.some(({ kind }) => kind === 'snapshots')) return;
    this.#reporter.warn(
      'COLUMNS_CHANGED',
      `Snapshots have these columns from now on: ${list}. Before, they had: ${before}. Rows that are in the copy stay as they are, but for the newest ones, which are read again.`,
    );
  }

  #readers(): Promise<readonly UserReader[]> {
    this.#readersPromise ??= readersOf(this.#fleet, this.#others, this.#plan.signal);
    return this.#readersPromise;
  }

  #warnOfEnd(until: number): void {
    const requestedUntil = this.#plan.until;
    if (requestedUntil === null || requestedUntil === until) return;
    const [requestedTime, now] = [new Date(requestedUntil).toISOString(), new Date(until).toISOString()];
    this.#reporter.warn(
      'UNTIL_AHEAD',
      `until is ${requestedTime}, which has not come yet. Trips and snapshots were read until now, ${now}.`,
    );
  }

  #warnOfCursors({ kind, futureCursors, aheadOfEnd, until }: ReadingPlan): void {
    const whose = (vehicles: number) => `the ${kind} of ${vehicles === 1 ? 'one vehicle' : `${vehicles} vehicles`}`;
    if (futureCursors !== null) {
      const latest = new Date(futureCursors.latest).toISOString();
      const message = `The copy says that it has ${whose(futureCursors.vehicles)} until ${latest}, which has not come yet: a clock was wrong when they were read, or somebody changed the copy. They are read again from the begin of the copy, so that nothing is missing.`;
      this.#reporter.warn('CURSOR_AHEAD', message);
    }
    if (aheadOfEnd !== null && this.#plan.until === null) {
      const [latest, now] = [new Date(aheadOfEnd.latest).toISOString(), new Date(until).toISOString()];
      const message = `The copy has ${whose(aheadOfEnd.vehicles)} until ${latest}, and the service's clock shows ${now}: it is behind. Nothing was read of them; the next sync reads them when the clock is right.`;
      this.#reporter.warn('CLOCK_BEHIND', message);
    }
  }

  /** Runs a part of the plan. If the service refuses it, the sync continues. */
  async #part(part: SyncPart, run: () => Promise<void>): Promise<void> {
    if (!this.#plan.parts.has(part)) return;
    try {
      await run();
    } catch (error) {
      if (!isPartFailure(error)) throw error;
      this.#fail(part, error);
    }
  }

  #reportWritten(part: SyncPart, table: string, { read, written, changes, changedAt }: RecordsWritten): void {
    const count = (type: string) => changes.filter((change) => change.type === type).length;
    const counts = { added: count('added'), changed: count('changed'), removed: count('removed') };
    this.#reporter.done(part, { table, read, written, ...counts });
    for (const change of changes) this.#plan.onChange?.({ ...change, table, changedAt });
  }

  #fail(part: SyncPart, error: FleetError): void {
    this.#reporter.failed(part, null, error);
  }
}

function untilOf({ service }: Clocks, { until, since }: SyncPlan): number {
  const end = until === null || until > service + CLOCK_SLACK_MS ? service : until;
  if (since !== null && since >= end) throw syncRefusal('since is not before now.');
  return end;
}

/** Returns the begin of the retention by confirmed time: a wrong clock deletes nothing. */
async function readRetentionStart(
  fleet: SyncClient,
  clocks: Clocks,
  vehicleIds: readonly string[],
  until: number,
  { keepMs, since, signal }: SyncPlan,
): Promise<number> {
  if (keepMs === null) return Number.NEGATIVE_INFINITY;
  const confirmedUntil = await confirmedTime(fleet, clocks, vehicleIds.filter(isUuid), signal);
  const from = retentionStart(Math.min(until, confirmedUntil), keepMs);
  if (since === null || since >= from) return from;
  const text = new Date(from).toISOString();
  throw syncRefusal(`since (--since) is before ${text}, and keepMs (--keep) deletes what is older than that.`);
}

/** Returns the vehicles to read. Ids match in any case. */
async function chosenVehicles(
  fleet: SyncClient,
  { records, gap }: ListAnswer,
  { vehicleIds, groupIds, signal }: SyncPlan,
): Promise<readonly string[]> {
  const live = records.filter((vehicle) => !isDeleted(vehicle));
  const all = new Map(live.map((vehicle) => [idOf(vehicle), vehicle]));
  const inGroups = groupIds === undefined ? null : await groupsBelow(fleet, groupIds, signal);
  const existingIds = new Set([...all.keys()].map((id) => id?.toLowerCase()));
  const unknown = vehicleIds?.find((vehicleId) => !existingIds.has(vehicleId.toLowerCase()));
  if (unknown !== undefined && gap === null) throw syncRefusal(`The user sees no vehicle with the id ${unknown}.`);
  const requestedIds = new Set(vehicleIds?.map((id) => id.toLowerCase()));
  return [...all].flatMap(([id, vehicle]) => {
    if (id === null) return [];
    const isChosen =
      (vehicleIds === undefined && inGroups === null) || requestedIds.has(id.toLowerCase()) || isIn(vehicle, inGroups);
    return isChosen ? [id] : [];
  });
}

function isIn(vehicle: object, groups: ReadonlySet<string> | null): boolean {
  const assigned: unknown = Reflect.get(vehicle, 'assignedGroups');
  if (groups === null || !Array.isArray(assigned)) return false;
  return assigned.some(
    (group: { readonly id?: unknown } | null) => typeof group?.id === 'string' && groups.has(group.id.toLowerCase()),
  );
}

async function groupsBelow(
  fleet: SyncClient,
  groupIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const groups = await fleet.getGroups({}, { select: { id: true, parentId: true }, priority: 'low', signal });
  const found = new Set(groupIds.map((id) => id.toLowerCase()));
  const existingIds = new Set(groups.map(({ id }) => id?.toLowerCase()));
  const unknown = groupIds.find((groupId) => !existingIds.has(groupId.toLowerCase()));
  if (unknown !== undefined) throw syncRefusal(`The user sees no group with the id ${unknown}.`);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { id, parentId } of groups) {
      if (typeof id === 'string' && typeof parentId === 'string' && found.has(parentId.toLowerCase()))
        found.add(id.toLowerCase());
    }
  }
  return found;
}
