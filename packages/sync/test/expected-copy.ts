// Computes the expected cells of a copy from the service's answers to plain GraphQL. Of the product
// it uses only the list of tables, which has the member of each column, and `tripsFrom`.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type TripGeofence, type TripSnapshot, tripsFrom } from '../../../src/index.js';
import type { MockService, MockVariant } from '../../../src/mock/service.js';
import { RowNumbering } from '../../../src/telemetry/row-numbering.js';
import { root } from '../../../test/docs/markdown.js';
import { type Caller, caller } from '../../../test/mock/caller.js';
import { type Column, ownTables, syncTables, type Table, VERSION_COLUMNS } from '../src/tables.js';
import { comparedTables } from './copies.js';

type Json = Readonly<Record<string, unknown>>;
/** A row by column. Times are RFC 3339 in UTC with milliseconds; JSON is its value. */
export type CopyRow = Readonly<Record<string, unknown>>;
export type CopyTables = Readonly<Record<string, readonly CopyRow[]>>;

const operations = join(root, 'operations');
const documents = readdirSync(operations)
  .map((file) => readFileSync(join(operations, file), 'utf8'))
  .join('\n');

/** Returns the document of an operation with its fragments. */
function documentOf(name: string): string {
  const parts = documents
    .split(/^(?=(?:query|mutation|fragment) )/m)
    .filter((part) => /^(query|mutation|fragment) /.test(part));
  const byName = new Map(parts.map((part) => [/^\w+ (\w+)/.exec(part)?.[1] ?? '', part]));
  const needed = new Set([name]);
  for (const part of needed) {
    for (const [, fragment] of (byName.get(part) ?? '').matchAll(/\.\.\.(\w+)/g)) needed.add(fragment ?? '');
  }
  return [...needed].map((part) => byName.get(part)).join('\n');
}

/** The fields of a person in the copy, with whole tokens. */
const people = `query getPeople { getPeople {
  id version createdAt updatedAt isDeleted isUser isDriver fleetId email phone firstName lastName globalUserId licenseNumber licenseIssuedIn
  employeeId customFields { name value } roles { id name }
  driverTokens { id version createdAt updatedAt isDeleted value fleetId driverId lastScanTimestamp } } }`;

/** The fields of a vehicle in the copy; positions are in other tables. */
const vehicles = `query getVehicles { getVehicles {
  id version createdAt updatedAt isDeleted name fleetId vin licensePlate make model year lastOdometer lastWorkingHours deactivated
  vehicleType { id name } workSchedule { id name } customFields { name value } assignedGroups { id name } assignedLabels { id name }
  assignedDevices { id serial deviceTypeKey enabled phoneNumber } } }`;

/** The service, called with plain GraphQL. */
export class PlainGraphql {
  readonly #caller: Promise<Caller>;

  constructor(service: MockService) {
    this.#caller = caller(service.fetch);
  }

  async ask(name: string, variables: object = {}): Promise<unknown> {
    const { data } = await this.#caller;
    const own = { getVehicles: vehicles, getPeople: people }[name];
    return (await data(own ?? documentOf(name), variables))[name];
  }

  async list(name: string, variables: object = {}): Promise<readonly Json[]> {
    return (await this.ask(name, variables)) as readonly Json[];
  }
}

const lists: Readonly<Record<string, string>> = {
  vehicles: 'getVehicles',
  people: 'getPeople',
  groups: 'getGroups',
  geofences: 'getGeofences',
  labels: 'getLabels',
  roles: 'getRoles',
  rules: 'getRules',
  work_schedules: 'getWorkSchedules',
  vehicle_types: 'getVehicleTypes',
  meta_sensors: 'getMetaSensors',
};

interface Answers {
  readonly records: ReadonlyMap<string, readonly Json[]>;
  /** Mapped sensors, as rows. */
  readonly sensors: readonly Json[];
  readonly latest: readonly Json[];
  /** By vehicle, in time order. */
  readonly snapshots: ReadonlyMap<string, readonly Json[]>;
}

/** A period in milliseconds since 1970, and how long before it trips in progress may begin. */
export interface Span {
  readonly since: number;
  readonly until: number;
  readonly lookBackMs: number;
}

const timeOf = (row: Json): number => new Date(row.timestamp as string | number).getTime();

async function answersOf(service: MockService, variant: MockVariant, span: Span): Promise<Answers> {
  const before = service.variant;
  service.setVariant(variant);
  try {
    const plain = new PlainGraphql(service);
    const records = new Map<string, readonly Json[]>();
    for (const [table, name] of Object.entries(lists)) records.set(table, await plain.list(name));
    records.set(
      'meta_sensors',
      (records.get('meta_sensors') ?? []).map((sensor) => ({ ...sensor, id: String(sensor.key) })),
    );
    const devices = (records.get('vehicles') ?? []).flatMap(({ assignedDevices }) => assignedDevices as Json[]);
    records.set('devices', [...new Map(devices.map((device) => [device.id, device])).values()]);
    const sensors: Json[] = [];
    const ids = (records.get('vehicles') ?? []).map(({ id }) => String(id));
    const assignments: Json[] = [];
    const snapshots = new Map<string, readonly Json[]>();
    const [from, to] = [span.since - span.lookBackMs, span.until].map((ms) => new Date(ms).toISOString());
    for (const vehicleId of ids) {
      assignments.push(...(await plain.list('getDriverAssignments', { input: { vehicleId } })));
      const mapped = [...(await plain.list('getVehicleMappedSensors', { vehicleId }))];
      mapped.sort((one, other) => (`${one.source} ${one.name}` < `${other.source} ${other.name}` ? -1 : 1));
      sensors.push(...mapped.map((sensor, ordinal) => ({ vehicle_id: vehicleId, ordinal, ...sensor })));
      const rows = await plain.list('getSnapshots', { vehicleId, from, to });
      snapshots.set(
        vehicleId,
        [...rows].sort((one, other) => timeOf(one) - timeOf(other)),
      );
    }
    records.set('driver_assignments', assignments);
    return { records, sensors, latest: await plain.list('getLatestSnapshots', { vehicleIds: ids }), snapshots };
  } finally {
    service.setVariant(before);
  }
}

/** Selects the members of a variant that change answers; others change requests. */
export function ofAnswers({ deleted, lateRowsMs, rows, flags, gpsNumbers, times }: MockVariant): {
  readonly tidy: MockVariant;
  readonly sent: MockVariant;
} {
  const tidy = { deleted, lateRowsMs };
  const isTidy = [rows, flags, gpsNumbers, times].every((member) => member === undefined);
  return { tidy, sent: isTidy ? tidy : { ...tidy, rows, flags, gpsNumbers, times } };
}

/** The expected copy of a service, computed from its answers at each sync. */
export class ExpectedCopy {
  readonly #service: MockService;
  /** By table and id. */
  readonly #records = new Map<string, Map<string, { row: CopyRow; record: Json }>>();

  constructor(service: MockService) {
    this.#service = service;
  }

  /**
   * Returns the tables after a sync. Cells are read from answers of the tidy service; the JSON of
   * records and the order of the snapshots of one moment come from the variant. `now`: the end of
   * the sync, and the time of deletions.
   */
  async after(variant: MockVariant, span: Span, now: string): Promise<CopyTables> {
    const { tidy, sent } = ofAnswers(variant);
    const plain = await answersOf(this.#service, tidy, span);
    const asSent = sent === tidy ? plain : await answersOf(this.#service, sent, span);
    for (const [table, records] of plain.records) this.#follow(table, records, asSent.records.get(table) ?? [], now);
    const found: Record<string, readonly CopyRow[]> = {};
    for (const { name, columns, partsOf } of syncTables) {
      if (partsOf === undefined) found[name] = [...(this.#records.get(name)?.values() ?? [])].map(({ row }) => row);
      else
        found[name] = [...(this.#records.get(partsOf.table)?.values() ?? [])].flatMap(({ record }) =>
          ((memberOf(record, partsOf.list.split('.')) ?? []) as readonly unknown[]).map((item, ordinal) =>
            rowOf(columns, (partsOf.isOfIds === true ? { id: item } : item) as Json, { ordinal }, record),
          ),
        );
    }
    const columns = (name: string) => syncTables.find((table) => table.name === name)?.columns ?? [];
    found.vehicle_counters = [...(this.#records.get('vehicles')?.values() ?? [])].map(({ record }) =>
      rowOf(columns('vehicle_counters'), record),
    );
    found.driver_token_scans = [...(this.#records.get('people')?.values() ?? [])].flatMap(({ record }) =>
      (record.driverTokens as readonly Json[]).map((token) => rowOf(columns('driver_token_scans'), token, {}, record)),
    );
    found.mapped_sensors = plain.sensors.map((sensor) => ({ synced_at: null, ...sensor }));
    found.latest_snapshots = plain.latest.map((row) => rowOf(columns('latest_snapshots'), row, { rest: restOf(row) }));
    found.snapshots = [...plain.snapshots].flatMap(([vehicleId, rows]) => {
      const ordinals = ordinalsOf(asSent.snapshots.get(vehicleId) ?? []);
      const inPeriod = rows.flatMap((row, at): readonly CopyRow[] =>
        timeOf(row) < span.since
          ? []
          : [rowOf(columns('snapshots'), row, { rest: restOf(row), ordinal: ordinals[at] ?? null })],
      );
      return inPeriod;
    });
    const geofences = (plain.records.get('geofences') ?? []).flatMap(({ id, geojson, isDeleted }) =>
      isDeleted === true ? [] : { id: String(id), geojson },
    );
    const ofVehicles = [...plain.snapshots.values()].map((rows) => tripsOf(rows, span, geofences));
    const trips = (await Promise.all(ofVehicles)).flat();
    found.trips = trips.map((trip) => rowOf(columns('trips'), trip, localTimesOf(trip)));
    for (const { name, partsOf } of syncTables) {
      if (partsOf?.table !== 'trips') continue;
      const list = partsOf.list.split('.');
      found[name] = trips.flatMap((trip) =>
        (memberOf(trip, list) as readonly Json[]).map((item, ordinal) => rowOf(columns(name), item, { ordinal }, trip)),
      );
    }
    found.sync_cursors = [...plain.snapshots.keys()].flatMap((vehicleId) => {
      const open = trips.find((trip) => trip.vehicleId === vehicleId && trip.isOpen === true);
      const begins_at = new Date(span.since).toISOString();
      const read_until = new Date(span.until).toISOString();
      // Each of these syncs checks for late rows.
      const checked_until = read_until;
      return [
        { vehicle_id: vehicleId, kind: 'snapshots', begins_at, read_until, checked_until },
        // The outcome of an open trip is not known yet, so it is read again.
        {
          vehicle_id: vehicleId,
          kind: 'trips',
          begins_at,
          read_until: open === undefined ? read_until : isoOf(open.lastSeenAt),
          checked_until,
        },
      ];
    });
    return found;
  }

  /** Keeps removed records, with the time. */
  #follow(table: string, records: readonly Json[], sent: readonly Json[], now: string): void {
    const columns = syncTables.find(({ name }) => name === table)?.columns ?? [];
    const storedRecords = this.#records.get(table) ?? new Map<string, { row: CopyRow; record: Json }>();
    this.#records.set(table, storedRecords);
    const ids = new Set(records.map(({ id }) => String(id)));
    const sentById = new Map(sent.map((record) => [record.id, record]));
    for (const record of records) {
      const id = String(record.id);
      const before = storedRecords.get(id)?.row.deleted_at ?? null;
      const row = rowOf(columns, record, {
        deleted_at: record.isDeleted === true ? (before ?? now) : null,
        record: withoutCounters(table, sentById.get(id)),
      });
      storedRecords.set(id, { row, record });
    }
    for (const [id, { row, record }] of storedRecords) {
      if (!ids.has(id)) storedRecords.set(id, { row: { ...row, deleted_at: row.deleted_at ?? now }, record });
    }
  }
}

/** Removes counters of vehicles and scans of tokens, which are in tables of their own. */
function withoutCounters(table: string, record: Json | undefined): Json | undefined {
  if (table === 'people' && record !== undefined) {
    const tokens = (record.driverTokens as readonly Json[]).map(
      ({ lastScanTimestamp: _scan, version: _version, updatedAt: _updated, ...others }) => others,
    );
    return { ...record, driverTokens: tokens };
  }
  if (table !== 'vehicles' || record === undefined) return record;
  const { lastOdometer: _odometer, lastWorkingHours: _hours, ...others } = record;
  return others;
}

function rowOf(columns: readonly Column[], record: Json, filled: CopyRow = {}, parent: Json | null = null): CopyRow {
  return Object.fromEntries(
    columns.map(({ name, type, from = '' }) => {
      if (Object.hasOwn(filled, name)) return [name, filled[name]];
      const path = from.split('.');
      const value = path[0] === 'parent' ? parent?.[path[1] ?? ''] : memberOf(record, path);
      return [name, value === undefined || value === null ? null : cellOf(type, value)];
    }),
  );
}

function memberOf(record: unknown, path: readonly string[]): unknown {
  return path.reduce((at: unknown, step) => (at === null || at === undefined ? null : (at as Json)[step]), record);
}

/** Returns the cell of a tidy value. A value of another type is an error of the test. */
function cellOf(type: Column['type'], value: unknown): unknown {
  if (type === 'json') return value;
  if (type === 'time') return isoOf(value);
  if (type === 'text' || type === 'day') return String(value);
  const expectedType = type === 'boolean' ? 'boolean' : 'number';
  if (typeof value !== expectedType) throw new Error(`${JSON.stringify(value)} is not tidy`);
  return value;
}

const isoOf = (value: unknown): string => new Date(value as string | number).toISOString();

const inColumns = new Set((syncTables.find(({ name }) => name === 'snapshots')?.columns ?? []).map(({ from }) => from));

/** Returns the spellings that follow from `driver.iButton` as in the contract. */
function followFromToken({ iButton, ...others }: Json): readonly string[] {
  if (typeof iButton !== 'string' || !/^([0-9a-f]{2})+$/i.test(iButton)) return [];
  const bytes = Array.from({ length: iButton.length / 2 }, (_, at) => iButton.slice(2 * at, 2 * at + 2));
  const reversed = [...bytes].reverse().join('');
  const expected: Json = {
    ...{ oneWire: reversed, rfidIButton: String(BigInt(`0x${iButton}`)), rfidIButtonHex: iButton },
    ...{ rfidIButtonReversed: String(BigInt(`0x${reversed}`)), rfidIButtonReversedHex: reversed },
    ...{ rfid: String(BigInt(`0x${bytes.slice(-4).join('')}`)), rfidHex: bytes.slice(-4).join('') },
  };
  const names = Object.keys(expected);
  return names.every((name) => others[name] === expected[name]) ? names : [];
}

/** Returns the values without a column, by group, without nulls; null when there are none. */
function restOf(row: Json): Json | null {
  const ofToken = followFromToken((row.driver ?? {}) as Json);
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null || inColumns.has(name)) continue;
    if (typeof value !== 'object') rest[name] = value;
    else {
      const own = Object.entries(value).filter(
        ([member, inner]) =>
          inner !== null && !inColumns.has(`${name}.${member}`) && !(name === 'driver' && ofToken.includes(member)),
      );
      if (own.length > 0) rest[name] = Object.fromEntries(own);
    }
  }
  return Object.keys(rest).length === 0 ? null : rest;
}

/** Returns the ordinals of snapshots; ordinals.heavy.test.ts proves their meaning. */
function ordinalsOf(rows: readonly Json[]): readonly number[] {
  const copies = rows.map((row) => ({ ...row, ordinal: 0 }));
  const moments = grouped(copies);
  for (const [time, ofMoment] of moments) {
    const moment = new RowNumbering();
    for (const row of ofMoment) moment.add(row, time);
    moment.end();
  }
  return copies.map(({ ordinal }) => ordinal);
}

function grouped<Row extends Json>(rows: readonly Row[]): ReadonlyMap<number, readonly Row[]> {
  const found = new Map<number, Row[]>();
  for (const row of rows) found.set(timeOf(row), [...(found.get(timeOf(row)) ?? []), row]);
  return found;
}

/** A silence of this length ends a trip. */
const SILENCE_MS = 21_600_000;

/** Returns the trips in the period. `tripsFrom` does not know of the silence until its end. */
async function tripsOf(
  rows: readonly Json[],
  { since, until }: Span,
  geofences: readonly TripGeofence[],
): Promise<readonly Json[]> {
  const last = rows.at(-1);
  const isOff = memberOf(last, ['ignition', 'engineStatus']) === false;
  const end = { vehicleId: last?.vehicleId, timestamp: isoOf(until), ignition: { engineStatus: false } };
  const found: Json[] = [];
  // Rows of the service have the members that trips need.
  const snapshots = [...rows, ...(isOff ? [end] : [])] as readonly TripSnapshot[];
  for await (const trip of tripsFrom(snapshots, { withDetails: true, geofences })) {
    const isSilent = trip.isOpen && until - Date.parse(trip.lastSeenAt) >= SILENCE_MS;
    const segments = trip.details.segments.map((segment) => ({
      ...segment,
      endedAt: segment.endedAt ?? trip.lastSeenAt,
    }));
    const details = { ...trip.details, segments };
    const ended = isSilent ? { isOpen: false, endedAt: trip.lastSeenAt, endedBy: 'silence', details } : {};
    if (Date.parse(trip.endedAt ?? trip.lastSeenAt) >= since) found.push({ ...trip, ...ended });
  }
  return found;
}

/** Formats local times; Swedish has the format of the copy. */
function localTimesOf({ startedAt, endedAt, details }: Json): CopyRow {
  const zone = String(memberOf(details, ['timeZone']) ?? 'UTC');
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  const local = (time: unknown) => (time === null ? null : format.format(new Date(String(time))));
  return { local_started_at: local(startedAt), local_ended_at: local(endedAt) };
}

/** The number of compared cells, and of different ones. */
export class Tally {
  cells = 0;
  different = 0;

  /** Returns the first differences. A row on one side only differs in all its cells. */
  compare(scenario: string, expected: CopyTables, actual: CopyTables): readonly string[] {
    const differenceTexts: string[] = [];
    for (const table of comparedTables) {
      const { name } = table;
      // The version of the tables and a fingerprint, which are no answers of the service.
      if (name === 'sync_state') continue;
      const [key, columns] = table.versionsOf === undefined ? [table.key, table.columns] : ofCurrent(table);
      const byKey = (rows: readonly CopyRow[] = []) =>
        new Map(rows.map((row) => [key.map((of) => row[of]).join(' '), row]));
      const [want, have] = [
        byKey(table.versionsOf === undefined ? expected[name] : liveRows(expected, table.versionsOf)),
        byKey(table.versionsOf === undefined ? actual[name] : actual[name]?.filter((row) => row.is_current === true)),
      ];
      for (const at of new Set([...want.keys(), ...have.keys()])) {
        const [one, other] = [want.get(at), have.get(at)];
        for (const { name: column } of columns) {
          this.cells++;
          if (one && other && isDeepStrictEqual(one[column], other[column])) continue;
          this.different++;
          const [expectedText, found] = [one, other].map((row) =>
            row ? JSON.stringify(row[column]).slice(0, 300) : 'no row',
          );
          if (differenceTexts.length < 12)
            differenceTexts.push(`${scenario}: ${name} ${at} ${column}: expected ${expectedText}, found ${found}`);
        }
      }
    }
    return differenceTexts;
  }
}

/** Returns the key and columns to compare; history.heavy.test.ts tests the times of versions. */
function ofCurrent({ key, columns }: Table): readonly [key: readonly string[], columns: readonly Column[]] {
  const own: ReadonlySet<string> = new Set(Object.values(VERSION_COLUMNS));
  return [key.filter((name) => !own.has(name)), columns.filter(({ name }) => !own.has(name))];
}

/** Returns the rows of live records and of their parts. */
function liveRows(tables: CopyTables, name: string): readonly CopyRow[] {
  const table = syncTables.find((one) => one.name === name);
  const [owner = ''] = table?.key ?? [];
  const owners = tables[table?.partsOf?.table ?? name] ?? [];
  const live = new Set(owners.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id));
  return (tables[name] ?? []).filter((row) => live.has(row[owner]));
}

/** Converts the rows of a database to `CopyRow`. */
export function plainTables(raw: Readonly<Record<string, readonly Json[]>>): CopyTables {
  const found: Record<string, readonly CopyRow[]> = {};
  for (const { name, columns } of [...syncTables, ...ownTables]) {
    found[name] = (raw[name] ?? []).map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, plainCell(column.type, row[column.name])])),
    );
  }
  return found;
}

function plainCell(type: Column['type'], value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'boolean') return value === 1 ? true : value === 0 ? false : value;
  if (type === 'time') return isoOf(value);
  // PostgreSQL writes local times into JSON with a T.
  if (type === 'local') return String(value).replace('T', ' ');
  // SQLite has JSON as text.
  return type === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
}
