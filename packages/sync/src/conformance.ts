// Checks for authors of targets that a target behaves as a sync expects.
import { isDeepStrictEqual } from 'node:util';
import { type Row, rowOf } from './rows.js';
import { tableOf } from './tables.js';
import type { Batch, OpenTarget, RowFilter, SyncTarget } from './target.js';

/** A check. `make` returns a target for a new copy, the same copy for all calls of a check. */
export type ConformanceCheck = {
  readonly name: string;
  /** Rejects with an error that describes the fault. */
  readonly check: (make: () => SyncTarget) => Promise<void>;
};

const vehicle = (id: string, name: string): Row => rowOf('vehicles', { id, name, year: 2020, deactivated: false });
const trip = (id: string, vehicleId: string, startedAt: string, endedAt: string | null): Row =>
  rowOf('trips', { id, vehicleId, startedAt, endedAt, isOpen: endedAt === null, distanceKm: 1.5, driverIds: ['d'] });
const upsert = (table: string, rows: readonly Row[]): Batch => ({
  steps: [{ kind: 'upsert', table, rows }],
  cursors: [],
});

async function within(target: SyncTarget, work: (open: OpenTarget) => Promise<unknown>): Promise<void> {
  const open = await target.open();
  try {
    await work(open);
  } finally {
    await open.close();
  }
}

function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
}

/**
 * Checks of a target, for any test runner:
 * `for (const { name, check } of targetConformance)`
 * `  test(name, () => check(() => myTarget(newPlace)))`,
 * with a new place for each check.
 */
export const targetConformance: readonly ConformanceCheck[] = [
  {
    name: 'keeps rows when it is closed and opened',
    async check(make) {
      await within(make(), (open) => open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')])));
      await within(make(), async (open) => {
        same('rows', await open.read('vehicles', ['id', 'name', 'year', 'is_deactivated']), [
          ['v1', 'One', 2020, false],
          ['v2', 'Two', 2020, false],
        ]);
      });
    },
  },
  {
    name: 'gives back each type of cell as it was written',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', "O'Neil \u{1f69a}\t\\N\n")]));
        await open.apply(upsert('trips', [trip('t1', 'v1', '2026-03-01T10:00:00.123Z', null)]));
        same('name', await open.read('vehicles', ['name']), [["O'Neil \u{1f69a}\t\\N\n"]]);
        const columns = ['started_at', 'ended_at', 'is_open', 'distance_km'];
        same('cells', await open.read('trips', columns), [['2026-03-01T10:00:00.123Z', null, true, 1.5]]);
        const [[json] = []] = await open.read('trips', ['driver_ids']);
        same('JSON', JSON.parse(String(json)), ['d']);
      });
    },
  },
  {
    name: 'replaces a row with the same key, in one batch too',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v1', 'Uno')]));
        same('rows', await open.read('vehicles', ['name']), [['Uno']]);
        await open.apply(upsert('vehicles', [vehicle('v1', 'Eins')]));
        same('rows', await open.read('vehicles', ['name']), [['Eins']]);
      });
    },
  },
  {
    name: 'leaves a row alone that is the same, and tells how many it has written and deleted',
    async check(make) {
      await within(make(), async (open) => {
        const rows = [vehicle('v1', 'One'), vehicle('v2', 'Two')];
        const at = '2026-03-01T10:00:00.000Z';
        const trips = (ids: readonly string[]): Batch => ({
          steps: [
            {
              kind: 'replace',
              table: 'trips',
              rows: ids.map((id) => trip(id, 'v1', at, null)),
              periods: [{ vehicleId: 'v1', from: at, until: at }],
            },
          ],
          cursors: [],
        });
        same('new rows', await open.apply(upsert('vehicles', rows)), { written: 2, deleted: 0 });
        same('the same rows', await open.apply(upsert('vehicles', rows)), { written: 0, deleted: 0 });
        const changed = [vehicle('v1', 'One'), vehicle('v2', 'Zwei')];
        const later = rows.map((row) => [...row.slice(0, -1), at]);
        same('another synced_at alone', await open.apply(upsert('vehicles', later)), { written: 0, deleted: 0 });
        same('one that changed', await open.apply(upsert('vehicles', changed)), { written: 1, deleted: 0 });
        same('new trips', await open.apply(trips(['a', 'b'])), { written: 2, deleted: 0 });
        same('other trips', await open.apply(trips(['b', 'c'])), { written: 1, deleted: 1 });
      });
    },
  },
  {
    name: 'replaces the parts of records, and leaves those alone that stay',
    async check(make) {
      const group = (vehicleId: string, id: string) =>
        rowOf('vehicle_groups', { id, name: 'G' }, { vehicle_id: vehicleId });
      const parts = (rows: readonly Row[], owners: readonly string[]): Batch => ({
        steps: [{ kind: 'replaceParts', table: 'vehicle_groups', rows, owners }],
        cursors: [],
      });
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')]));
        await open.apply(parts([group('v1', 'a'), group('v1', 'b'), group('v2', 'a')], ['v1', 'v2']));
        const found = await open.apply(parts([group('v1', 'b'), group('v1', 'c')], ['v1']));
        same('what was done', found, { written: 1, deleted: 1 });
        same('groups', await open.read('vehicle_groups', ['vehicle_id', 'group_id']), [
          ['v1', 'b'],
          ['v1', 'c'],
          ['v2', 'a'],
        ]);
        await open.apply(parts([], ['v1']));
        same('no groups', await open.read('vehicle_groups', ['vehicle_id']), [['v2']]);
      });
    },
  },
  {
    name: 'remembers the state of the sync',
    async check(make) {
      const origin = async (open: Pick<OpenTarget, 'read'>) =>
        (await open.read('sync_state', ['name', 'value'])).filter(([name]) => name === 'origin');
      await within(make(), async (open) => {
        same('at first', await origin(open), []);
        await open.apply(upsert('sync_state', [['origin', 'one']]));
        await open.apply(upsert('sync_state', [['origin', 'two']]));
      });
      const looked = await make().look();
      same('afterwards', looked && (await origin(looked)), [['origin', 'two']]);
      await looked?.close();
    },
  },
  {
    name: 'orders rows by key',
    async check(make) {
      await within(make(), async (open) => {
        const ids = ['b', 'B', '\u00e9', 'a', '10', '9'];
        await open.apply(
          upsert(
            'vehicles',
            ids.map((id) => vehicle(id, id)),
          ),
        );
        same('ids', (await open.read('vehicles', ['id'])).flat(), [...ids].sort());
      });
    },
  },
  {
    name: 'writes a batch as a whole or not at all',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One')]));
        const tooShort: Batch = {
          steps: [
            { kind: 'upsert', table: 'vehicles', rows: [vehicle('v1', 'Changed'), vehicle('v2', 'Two')] },
            { kind: 'delete', table: 'vehicles', column: 'no_such_column', values: ['v1'] },
          ],
          cursors: [
            {
              vehicleId: 'v1',
              kind: 'trips',
              beginsAt: '2026-01-01T00:00:00.000Z',
              readUntil: '2026-01-02T00:00:00.000Z',
              checkedUntil: null,
            },
          ],
        };
        const outcome = await open.apply(tooShort).then(
          () => 'written',
          () => 'rejected',
        );
        same('a step that cannot be done', outcome, 'rejected');
        same('rows', await open.read('vehicles', ['id', 'name']), [['v1', 'One']]);
        same('cursors', await open.cursors(), []);
      });
    },
  },
  {
    name: 'replaces the rows of periods: what is not among the new ones is deleted, within the periods only',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')]));
        const rows = [
          trip('early', 'v1', '2026-03-01T08:00:00.000Z', '2026-03-01T09:00:00.000Z'),
          trip('just', 'v1', '2026-03-01T09:30:00.000Z', '2026-03-01T10:00:00.000Z'),
          trip('later', 'v1', '2026-03-01T12:00:00.001Z', null),
          trip('open', 'v1', '2026-03-01T07:00:00.000Z', null),
          trip('other', 'v2', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'),
          trip('stays', 'v1', '2026-03-01T11:00:00.000Z', null),
        ];
        await open.apply(upsert('trips', rows));
        const [from, until] = ['2026-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z'];
        const now = [
          trip('stays', 'v1', '2026-03-01T11:00:00.000Z', '2026-03-01T11:30:00.000Z'),
          trip('new', 'v1', '2026-03-01T11:40:00.000Z', null),
        ];
        const periods = [{ vehicleId: 'v1', from, until }];
        await open.apply({ steps: [{ kind: 'replace', table: 'trips', rows: now, periods }], cursors: [] });
        same('trips', await open.read('trips', ['id', 'is_open']), [
          ['early', false],
          ['later', true],
          ['new', true],
          ['other', false],
          ['stays', false],
        ]);
        await open.apply({ steps: [{ kind: 'replace', table: 'trips', rows: [], periods }], cursors: [] });
        same('trips after an empty period', (await open.read('trips', ['id'])).flat(), ['early', 'later', 'other']);
        await open.apply({ steps: [{ kind: 'replace', table: 'trips', rows: now, periods: [] }], cursors: [] });
        same('trips without a period', (await open.read('trips', ['id'])).length, 5);
      });
    },
  },
  {
    name: 'replaces moments by their whole key',
    async check(make) {
      const snapshot = (timestamp: string, ordinal: number, speed: number) =>
        rowOf('snapshots', { vehicleId: 'v1', timestamp, gps: { speed } }, { ordinal });
      const [one, two, three] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.001Z', '2026-03-01T10:00:00.002Z'];
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One')]));
        const rows = [one, two, three].flatMap((time) => [snapshot(time, 0, 1), snapshot(time, 1, 2)]);
        await open.apply(upsert('snapshots', rows));
        const periods = [{ vehicleId: 'v1', from: two, until: two }];
        const step = { kind: 'replace', table: 'snapshots', rows: [snapshot(two, 0, 3)], periods } as const;
        await open.apply({ steps: [step], cursors: [] });
        same('snapshots', await open.read('snapshots', ['recorded_at', 'ordinal', 'speed_kmh']), [
          [one, 0, 1],
          [one, 1, 2],
          [two, 0, 3],
          [three, 0, 1],
          [three, 1, 2],
        ]);
      });
    },
  },
  {
    name: 'deletes what ended before a day',
    async check(make) {
      const [before, early, late] = [
        '2026-03-02T00:00:00.000Z',
        '2026-03-01T23:59:59.999Z',
        '2026-03-02T00:00:00.000Z',
      ];
      const snapshot = (vehicleId: string, timestamp: string) =>
        rowOf('snapshots', { vehicleId, timestamp, gps: { speed: 1 } }, { ordinal: 0 });
      const event = (id: string, startedAt: string, endedAt: string | null) =>
        rowOf('trip_events', { time: startedAt }, { ordinal: 0 }, undefined, {
          id,
          vehicleId: 'v1',
          startedAt,
          endedAt,
        });
      const trips = [
        ['old', '2026-01-31T10:00:00.000Z', '2026-02-01T10:00:00.000Z'],
        ['just', '2026-03-01T10:00:00.000Z', early],
        ['across', '2026-03-01T11:00:00.000Z', late],
        ['open', '2026-03-01T12:00:00.000Z', null],
        ['new', '2026-03-02T10:00:00.000Z', '2026-03-02T11:00:00.000Z'],
      ] as const;
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')]));
        await open.apply(
          upsert(
            'trips',
            trips.map(([id, from, to]) => trip(id, 'v1', from, to)),
          ),
        );
        await open.apply(
          upsert(
            'trip_events',
            trips.map(([id, from, to]) => event(id, from, to)),
          ),
        );
        const times = ['2025-12-31T00:00:00.000Z', '2026-02-28T23:00:00.000Z', early, late, '2026-04-01T00:00:00.000Z'];
        await open.apply(
          upsert(
            'snapshots',
            ['v1', 'v2'].flatMap((id) => times.map((time) => snapshot(id, time))),
          ),
        );
      });
      await within(make(), async (open) => {
        // A row of a day that will be deleted, and that is not in a file yet.
        await open.apply(upsert('snapshots', [snapshot('v1', '2026-02-28T23:30:00.000Z')]));
        const steps = ['trip_events', 'trips', 'snapshots'].map(
          (table) => ({ kind: 'deleteBefore', table, before, limit: 2 }) as const,
        );
        let all = 0;
        for (let deleted = -1; deleted !== 0; all += deleted) ({ deleted } = await open.apply({ steps, cursors: [] }));
        same('how many rows', all, 2 + 2 + 7);
        const remaining = [['across'], ['new'], ['open']];
        same('trips', await open.read('trips', ['id']), remaining);
        same('events', await open.read('trip_events', ['trip_id']), remaining);
        const times = [late, '2026-04-01T00:00:00.000Z'];
        const left = ['v1', 'v2'].flatMap((id) => times.map((time) => [id, time]));
        same('snapshots', await open.read('snapshots', ['vehicle_id', 'recorded_at']), left);
        await open.apply(upsert('snapshots', [snapshot('v2', early)]));
      });
      await within(make(), async (open) => {
        const rows = await open.read('snapshots', ['recorded_at'], { vehicle_id: ['v2'] });
        same('a row that comes again', rows, [[early], [late], ['2026-04-01T00:00:00.000Z']]);
      });
    },
  },
  {
    name: 'reads the rows that a filter wants',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')]));
        const [at, end] = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];
        await open.apply(
          upsert('trips', [trip('a', 'v1', at, null), trip('b', 'v1', at, end), trip('c', 'v2', at, null)]),
        );
        const ids = async (filter: RowFilter) => (await open.read('trips', ['id'], filter)).flat();
        same('open trips', await ids({ is_open: [true] }), ['a', 'c']);
        same('open trips of a vehicle', await ids({ vehicle_id: ['v1'], is_open: [true] }), ['a']);
        same('trips of two vehicles', await ids({ vehicle_id: ['v1', 'v2'], is_open: [true, false] }), ['a', 'b', 'c']);
        same('trips of nobody', await ids({ vehicle_id: [] }), []);
      });
    },
  },
  {
    name: 'deletes rows by a column, and marks records',
    async check(make) {
      await within(make(), async (open) => {
        await open.apply(upsert('vehicles', [vehicle('v1', 'One'), vehicle('v2', 'Two')]));
        const group = (vehicleId: string) => rowOf('vehicle_groups', { id: 'g', name: 'G' }, { vehicle_id: vehicleId });
        await open.apply(upsert('vehicle_groups', [group('v1'), group('v2')]));
        const [at, syncedAt] = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'];
        await open.apply({
          steps: [
            { kind: 'delete', table: 'vehicle_groups', column: 'vehicle_id', values: ['v1'] },
            { kind: 'markDeleted', table: 'vehicles', ids: ['v2'], at, syncedAt },
          ],
          cursors: [],
        });
        same('groups', await open.read('vehicle_groups', ['vehicle_id']), [['v2']]);
        same('marks', await open.read('vehicles', ['id', 'deleted_at', 'synced_at']), [
          ['v1', null, null],
          ['v2', at, syncedAt],
        ]);
      });
    },
  },
  {
    name: 'keeps cursors by vehicle and kind',
    async check(make) {
      const cursor = (kind: 'trips' | 'snapshots', readUntil: string) => ({
        vehicleId: 'v1',
        kind,
        beginsAt: '2026-01-01T00:00:00.000Z',
        readUntil,
        checkedUntil: kind === 'trips' ? readUntil : null,
      });
      const [early, late] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
      await within(make(), async (open) => {
        await open.apply({ steps: [], cursors: [cursor('trips', early), cursor('snapshots', early)] });
        await open.apply({ steps: [], cursors: [cursor('trips', late)] });
      });
      await within(make(), async (open) => {
        same('cursors', await open.cursors(), [cursor('snapshots', early), cursor('trips', late)]);
      });
    },
  },
  {
    name: 'lets only one sync in, and the next one when it is closed',
    async check(make) {
      await within(make(), async () => {
        const second = await make()
          .open()
          .then(
            async (open) => {
              await open.close();
              return 'opened';
            },
            (error: unknown) => (error instanceof Error ? Reflect.get(error, 'reason') : error),
          );
        same('a second sync', second, 'IN_USE');
      });
      await within(make(), async () => undefined);
    },
  },
  {
    name: 'looks without making anything',
    async check(make) {
      same('a copy that does not exist', await make().look(), null);
      await within(make(), (open) => open.apply(upsert('vehicles', [vehicle('v1', 'One')])));
      const looked = await make().look();
      same('cursors', await looked?.cursors(), []);
      await looked?.close();
    },
  },
  {
    name: 'has every column of every table',
    async check(make) {
      await within(make(), async (open) => {
        for (const table of ['vehicles', 'people', 'trips', 'snapshots', 'latest_snapshots', 'rules', 'geofences']) {
          const columns = tableOf(table).columns.map(({ name }) => name);
          same(table, await open.read(table, columns), []);
        }
      });
    },
  },
];
