// Tests records that no service should send. Each is stored as far as possible, or reported; the
// other records are exact in both databases. The next sync has the same result.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/any-character.js';
import { shellOf, service as shellService } from '../../../test/cli/harness.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { runs } from '../../../test/runs.js';
import { postgresTarget, type SyncReport, type SyncTarget, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { ownTables, syncTables } from '../src/tables.js';
import { type Alter, altered, rowsWith } from './altered.js';
import { contentOf, query, tempFile } from './copies.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';

const server = await anyPostgres();
const options = { since: new Date(START - 900_000), parts: syncParts };
const service = makeService({ vehicles: 3 });
const tidy: Alter = (_name, value) => value;

const syncOf = (target: SyncTarget, alter: Alter): Promise<SyncReport> =>
  syncFleet(makeClient(service, { merge: false, fetch: altered(service, alter) }), target, options);

function nested(levels: number): unknown {
  let value: unknown = [1, 2];
  for (let at = 0; at < levels; at++) value = at % 2 === 0 ? [value] : { of: value };
  return value;
}

const long = 'x1é'.repeat(100_000);
const random = Array.from({ length: 20_000 }, (_, at) => ((at * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
const added = (operation: string, record: object, more: object): Alter =>
  rowsWith(operation, (rows) => [{ ...record, ...more }, ...rows]);
const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const vehicle = { id, name: 'Odd', assignedGroups: [], customFields: [] };

/** An invalid record, its stored value and its message. */
interface InvalidCase {
  readonly what: string;
  readonly alter: Alter;
  /** For both databases, with one row. */
  readonly sql: string;
  readonly stored: unknown;
  readonly messageText: string | null;
}

const cases: readonly InvalidCase[] = [
  {
    what: 'a vehicle whose id is no UUID',
    alter: added('getVehicles', vehicle, { id: 'van-7' }),
    sql: "SELECT name FROM vehicles WHERE id = 'van-7'",
    stored: 'Odd',
    messageText: '1 records of vehicles (van-7) have an id that is no UUID',
  },
  {
    what: 'a vehicle whose id is a number',
    alter: added('getVehicles', vehicle, { id: 77 }),
    sql: "SELECT name FROM vehicles WHERE id = '77'",
    stored: 'Odd',
    messageText: '(77) have an id that is no UUID',
  },
  {
    what: 'an id of 60 kB that nothing compresses',
    alter: added('getLabels', { name: 'Odd' }, { id: random }),
    sql: "SELECT count(*) FROM labels WHERE name = 'Odd'",
    stored: 0,
    messageText: 'have no id, or one that is too long',
  },
  {
    what: 'a group with a name of 300 kB',
    alter: added('getGroups', { id }, { name: long }),
    sql: `SELECT length(name) FROM groups WHERE id = '${id}'`,
    stored: 300_000,
    messageText: null,
  },
  {
    what: 'a custom field with a name that no index can hold',
    alter: added('getVehicles', vehicle, {
      customFields: [
        { name: random, value: 1 },
        { name: 'tidy', value: 'yes' },
      ],
    }),
    sql: `SELECT max(value) FROM vehicle_custom_fields WHERE vehicle_id = '${id}'`,
    stored: 'yes',
    messageText: `(${id}) have items in a list, such as custom fields`,
  },
  {
    what: 'a geofence that is nested 3000 levels deep',
    alter: added('getGeofences', { id, name: 'Odd' }, { geojson: nested(3000) }),
    sql: `SELECT name FROM geofences WHERE id = '${id}' AND geojson IS NOT NULL`,
    stored: 'Odd',
    messageText: `(${id}) hold a value that is nested more than 500 levels deep`,
  },
  {
    what: 'JSON with the character NUL in its names and values',
    alter: added(
      'getGeofences',
      { id: id.replace('1', '2'), name: 'Odd' },
      { geojson: { 'a\0': ['\0', '\ud800'], '\udc00': 1 } },
    ),
    sql: `SELECT name FROM geofences WHERE id = '${id.replace('1', '2')}' AND geojson IS NOT NULL`,
    stored: 'Odd',
    messageText: null,
  },
  {
    what: 'a record of wrong types only',
    alter: added(
      'getPeople',
      { id },
      { firstName: { a: 1 }, isDriver: [], roles: 'none', driverTokens: [7], version: [] },
    ),
    sql: `SELECT version FROM people WHERE id = '${id}' AND is_driver IS NULL`,
    stored: '[]',
    messageText: `(${id}) have items in a list`,
  },
  {
    what: 'two records with one id',
    alter: rowsWith('getLabels', (rows) => [{ id, name: 'One' }, ...rows, { id, name: 'Two' }]),
    sql: `SELECT name FROM labels WHERE id = '${id}'`,
    stored: 'Two',
    messageText: 'came with the id of another one',
  },
  {
    what: 'rows that are no records',
    alter: rowsWith('getRoles', (rows) => ['odd', 7, true, ...rows]),
    sql: "SELECT 'same'",
    stored: 'same',
    messageText: 'are no records',
  },
];

describe.each(['SQLite', 'PostgreSQL'] as const)('%s', (database) => {
  const isPostgres = database === 'PostgreSQL';
  const isMissing = isPostgres && server === null && skipped('hostile records in PostgreSQL');
  let url = '';
  let schemas = 0;
  beforeAll(async () => {
    if (isPostgres && server) url = await newDatabase(server.port);
  });
  afterAll(async () => {
    if (url !== '') await dropDatabase(url);
    if (isPostgres) server?.stop();
  });

  const newCopy = async () => {
    if (!isPostgres) {
      const file = tempFile('suite');
      return { target: () => sqliteTarget(file), one: async (sql: string) => (await query(file, sql))[0]?.[0] };
    }
    const copy = `${url}?search_path=hostile_${++schemas}`;
    await inDatabase(url, `CREATE SCHEMA hostile_${schemas}`);
    const one = async (sql: string) => {
      const cell = (await inDatabase(copy, sql))[0]?.[0];
      return typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell;
    };
    return { target: () => postgresTarget(copy), one };
  };

  /** Syncs twice and checks stored values, messages and the other records. */
  async function check(alter: Alter, invalidCases: readonly InvalidCase[]): Promise<void> {
    const copy = await newCopy();
    for (const _ of [1, 2]) {
      const { failures, warnings } = await syncOf(copy.target(), alter);
      const texts = [...failures.map(({ error }) => error.message), ...warnings.map(({ message }) => message)];
      const messageText = invalidCases.flatMap((one) => one.messageText ?? []);
      expect(texts.length > 0).toBe(messageText.length > 0);
      expect(Math.max(0, ...texts.map((text) => text.length))).toBeLessThan(2000);
      for (const text of messageText) expect(texts.join('\n')).toContain(text);
      for (const { sql, stored } of invalidCases) expect(await copy.one(sql)).toBe(stored);
      expect(await neighboursOf(copy.target())).toEqual(await expected());
    }
  }

  // PostgreSQL takes longer, so it has only the test of all cases together.
  if (!isPostgres) {
    test.each(cases.map((one) => [one.what, one] as const))('%s', (_what, one) => check(one.alter, [one]));
  }

  test.skipIf(isMissing)('all of these at once', () => {
    const all: Alter = (name, value, variables) =>
      cases.reduce((answer, { alter }) => alter(name, answer, variables), value);
    const atOnce = cases.map((one) => ({
      ...one,
      messageText: one.messageText?.replace(/^.*(\([^)]*\))? (?=have|hold|came)/, '') ?? null,
    }));
    return check(all, atOnce);
  });

  test.skipIf(isMissing)('snapshots without a vehicle, a time, or of another vehicle', async () => {
    const malformedCopy = await newCopy();
    const { failures } = await syncOf(malformedCopy.target(), (name, value) => {
      if (name === 'getSnapshots' && Array.isArray(value)) {
        const [first, second, third, ...others] = value;
        if (others.length === 0) return value;
        const named = { ...third, vehicleId: id };
        return [{ ...first, vehicleId: null }, { ...second, timestamp: 'once' }, named, 'odd', ...others.slice(1)];
      }
      return name === 'getLatestSnapshots' && Array.isArray(value)
        ? [{ ...value[0], vehicleId: undefined }, 7, ...value.slice(1)]
        : value;
    });
    const text = failures.map(({ error }) => error.message).join('\n');
    expect(text).toMatch(/\d+ snapshots \(of .*\) have no time that can be read/);
    expect(text).toMatch(new RegExp(`snapshots \\(of ${id}.*\\) name no vehicle that was asked for`));
    expect(text).toContain('1 snapshots name no vehicle that was asked for');
    expect(await malformedCopy.one('SELECT count(*) FROM latest_snapshots')).toBe(2);
    const reportedRows = failures.flatMap(({ part, error }) =>
      part === 'snapshots' ? Number.parseInt(error.message, 10) : [],
    );
    const all = Object(await expected()).snapshots.length;
    expect(reportedRows).toHaveLength(2);
    expect(all - Number(await malformedCopy.one('SELECT count(*) FROM snapshots'))).toBe(
      reportedRows.reduce((sum, count) => sum + count),
    );
  });

  test.skipIf(isMissing)(
    'any value in any member: the neighbours are exact, and a second sync changes nothing',
    { timeout: 120_000 },
    async () => {
      const lists = [
        'getVehicles',
        'getPeople',
        'getGroups',
        'getGeofences',
        'getLabels',
        'getRoles',
        'getRules',
        'getWorkSchedules',
      ];
      const member = fc.constantFrom(
        ...['id', 'id', 'name', 'version', 'createdAt', 'isDeleted', 'vehicleType', 'assignedGroups', 'customFields'],
        ...[
          'assignedDevices',
          'address',
          'geojson',
          'isDriver',
          'year',
          'roles',
          'driverTokens',
          'periods',
          'vehicles',
          'parentId',
        ],
      );
      const anyValue = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<unknown>(
          long,
          random,
          '\0',
          '\ud800x',
          1e300,
          -0,
          2 ** 63,
          '1e999',
          [null],
          [[]],
          [{ id: {} }],
          [{ name: random }],
          '',
          'NaN',
        ),
        fc.integer({ min: 1, max: 4000 }).map(nested),
        fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue(), { maxKeys: 3 }),
      );
      const record = fc.record({
        list: fc.constantFrom(...lists),
        members: fc.array(fc.tuple(member, anyValue), { minLength: 1, maxLength: 4 }),
      });
      let made = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
          const base = ++made;
          const alter: Alter = (name, value) => {
            if (!Array.isArray(value)) return value;
            const own = records.flatMap(({ list, members }, at) =>
              list === name
                ? [
                    {
                      id: `aaaaaaaa-0000-4000-8000-${String(base * 100 + at).padStart(12, '0')}`,
                      ...Object.fromEntries(members),
                    },
                  ]
                : [],
            );
            return [...own, ...value];
          };
          const copy = await newCopy();
          const first = await syncOf(copy.target(), alter);
          expect(await neighboursOf(copy.target())).toEqual(await expected());
          const content = await contentOf(copy.target());
          const second = await syncOf(copy.target(), alter);
          expect(await contentOf(copy.target())).toEqual(content);
          const texts = ({ failures, warnings }: SyncReport) => [
            ...failures.map(({ error }) => error.message),
            ...warnings.map(({ message }) => message),
          ];
          expect(texts(second)).toEqual(texts(first));
        }),
        { numRuns: runs(isPostgres ? 12 : 40) },
      );
    },
  );
});

/** Returns the rows of the tidy fleet in all tables. */
async function neighboursOf(target: SyncTarget): Promise<unknown> {
  const fleetIds = await tidyIds();
  const open = await target.open();
  try {
    const found: Record<string, unknown> = {};
    for (const { name, columns, key } of [...syncTables, ...ownTables]) {
      // Rows about syncs; a run may have the number of a sensor.
      if (['sync_state', 'sync_runs', 'sync_parts', 'changes'].includes(name)) continue;
      const at = columns.findIndex((column) => column.name === key[0]);
      const rows = await open.read(
        name,
        columns.map((column) => column.name),
      );
      found[name] = rows
        .filter((row) => fleetIds.has(String(row[at]).split('@')[0] ?? ''))
        .map((row) =>
          JSON.stringify(row.map((cell, index) => (columns[index]?.type === 'json' ? sortedJson(cell) : cell))),
        )
        .sort();
    }
    return found;
  } finally {
    await open.close();
  }
}

function sortedJson(cell: unknown): unknown {
  return JSON.parse(String(cell), (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

/** A copy of the tidy fleet. */
let undisturbed: Promise<SyncTarget> | null = null;

function tidyCopy(): Promise<SyncTarget> {
  undisturbed ??= (async () => {
    const target = sqliteTarget(tempFile('suite'));
    await syncOf(target, tidy);
    return target;
  })();
  return undisturbed;
}

async function expected(): Promise<unknown> {
  return neighboursOf(await tidyCopy());
}

/** Ids of the records of the tidy copy. */
let ids: Promise<ReadonlySet<string>> | null = null;

function tidyIds(): Promise<ReadonlySet<string>> {
  ids ??= (async () => {
    const open = await (await tidyCopy()).open();
    try {
      const records = syncTables.filter(({ columns }) => columns.some(({ name }) => name === 'record'));
      const found = new Set<string>();
      for (const { name } of records) for (const [one] of await open.read(name, ['id'])) found.add(String(one));
      return found;
    } finally {
      await open.close();
    }
  })();
  return ids;
}

test('the command line ends with 6 and names the record, and the copy has everything else', async () => {
  const mock = shellService({ vehicles: 2 });
  const fleet = shellOf('demo', altered(mock, added('getVehicles', vehicle, { id: 'van-7' })));
  const file = tempFile();
  const { code, stderr } = await fleet(['sync', file]);
  expect(code).toBe(6);
  expect(stderr).toContain('van-7');
  expect(stderr).toContain('no UUID');
  expect(await query(file, 'SELECT count(*) FROM latest_snapshots')).toEqual([[2]]);
});

test('--watch goes on, and reports it once', async () => {
  const mock = shellService({ vehicles: 2 });
  const stop = new AbortController();
  let rounds = 0;
  const alteredFetch = altered(mock, (name, value, variables) => {
    if (name === 'getVehicles' && ++rounds === 3) stop.abort();
    return added('getVehicles', vehicle, { id: 'van-7' })(name, value, variables);
  });
  const { code, stderr } = await shellOf('demo', alteredFetch)(
    ['sync', tempFile(), '--only', 'latest', '--watch', '1s'],
    {
      signal: stop.signal,
      sleep: async () => undefined,
    },
  );
  expect([code, rounds]).toEqual([130, 3]);
  expect(stderr.match(/no UUID/g)).toHaveLength(1);
});
