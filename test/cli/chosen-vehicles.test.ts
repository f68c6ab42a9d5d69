// --group, --label and --vehicle-filter of the commands that show the present state of vehicles.
import { expect, test } from 'vitest';
import { service, shellOf } from './harness.js';
import { handClock, watching } from './watching.js';

const mock = service();
const fleet = (words: readonly string[], terminal: number | null = null) =>
  shellOf('demo', mock.fetch)(words, { terminal, env: { NO_COLOR: '1' } });

interface Named {
  readonly name: string;
}
type Row = Readonly<Record<string, unknown>>;

async function json(words: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await fleet([...words, '-o', 'json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const commands = [
  ['vehicles list', ['vehicles', 'list'], 'id'],
  ['vehicles list --sort', ['vehicles', 'list', '--sort', 'name'], 'id'],
  ['vehicles list --fields', ['vehicles', 'list', '--fields', 'id'], 'id'],
  ['vehicles status', ['vehicles', 'status'], 'id'],
  ['snapshots latest', ['snapshots', 'latest'], 'vehicleId'],
] as const;

/** Returns the ids of the vehicles that match. */
async function idsWhere(holds: (row: Row, members: (field: string) => readonly string[]) => boolean) {
  const rows = await json(['vehicles', 'list']);
  const names = (row: Row) => (field: string) => (row[field] as readonly Named[]).map(({ name }) => name);
  return new Set(rows.filter((row) => holds(row, names(row))).map(({ id }) => id));
}

test.each(commands)('%s shows the rows of a group and of those below it', async (_, words, id) => {
  const expectedIds = await idsWhere((_row, members) =>
    members('assignedGroups').some((name) => /^Long haul/.test(name)),
  );
  const all = await json(words);
  const rows = await json([...words, '--group', 'Long haul']);
  expect(new Set(rows.map((row) => row[id]))).toEqual(expectedIds);
  expect(rows).toEqual(all.filter((row) => expectedIds.has(row[id])));
  expect(rows.length).toBeLessThan(all.length);
});

test.each(commands)('%s shows those with a label that are in a group', async (_, words, id) => {
  const [label = ''] = (await json(['vehicles', 'list'])).flatMap((row) =>
    (row.assignedLabels as readonly Named[]).map(({ name }) => name),
  );
  const expectedIds = await idsWhere(
    (_row, members) =>
      members('assignedLabels').includes(label) && members('assignedGroups').some((name) => /deliveries$/i.test(name)),
  );
  const rows = await json([...words, '--label', label, '--group', 'Deliveries']);
  expect(new Set(rows.map((row) => row[id]))).toEqual(expectedIds);
});

test.each(commands)('%s refuses a group that is not there', async (_, words) => {
  const { code, stdout, stderr } = await fleet([...words, '--group', 'No such']);
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toContain('There is no group "No such"');
});

test('--limit counts the chosen vehicles', async () => {
  const all = await json(['vehicles', 'list', '--group', 'Long haul']);
  const { stdout } = await fleet(['vehicles', 'list', '--group', 'Long haul', '--limit', '1', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual(all.slice(0, 1));
});

test('snapshots latest takes a filter of vehicles, and refuses a wrong one', async () => {
  const expectedIds = await idsWhere(({ name }) => String(name).startsWith('Van'));
  const rows = await json(['snapshots', 'latest', '--vehicle-filter', 'name=Van*']);
  expect(new Set(rows.map(({ vehicleId }) => vehicleId))).toEqual(expectedIds);
  const table = await fleet(['snapshots', 'latest', '--vehicle-filter', 'name=Van*'], 120);
  expect(table.stdout).toContain('Van 01');
  expect(table.stdout).not.toContain('Truck');
  mock.clearRequests();
  for (const [words, said] of [
    [['--vehicle-filter', 'colour=red'], 'there is no field "colour"'],
    [['Van 01', '--group', 'Long haul'], 'Give either vehicles, or --group'],
  ] as const) {
    const { code, stderr } = await fleet(['snapshots', 'latest', ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  }
  expect(mock.requests).toEqual([]);
});

test.each(['list', 'status'])('vehicles %s says when no vehicle is chosen', async (verb) => {
  const name = 'Nobody here';
  const own = shellOf('demo', service().fetch);
  expect((await own(['groups', 'create', '--name', name])).code).toBe(0);
  const { code, stdout, stderr } = await own(['vehicles', verb, '--group', name], { terminal: 80 });
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).toContain('There is no such vehicle.');
});

test.each(commands.slice(3))('%s --watch shows the chosen vehicles only', async (_, words, id) => {
  const expectedIds = await idsWhere((_row, members) =>
    members('assignedGroups').some((name) => /^Long haul/.test(name)),
  );
  const clock = handClock();
  const moving = service({ clock });
  const { code, parts, stderr } = await watching([...words, '--group', 'Long haul', '--watch'], moving.fetch, clock, {
    steps: [() => void clock.advance(600_000)],
  });
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  const shown = parts.map((part) => (part.match(/^.+$/gm) ?? []).map((line): Row => JSON.parse(line)));
  expect(new Set(shown[0]?.map((row) => row[id]))).toEqual(expectedIds);
  expect(shown[1]?.length).toBeGreaterThan(0);
  for (const row of shown.flat()) expect(expectedIds).toContain(row[id]);
});
