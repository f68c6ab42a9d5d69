// `fleet undo`: after each kind of change, it restores the former state of the service.
import { describe, expect, test } from 'vitest';
import { type OperationName, type OperationTypes, operations } from '../../src/generated/operation-table.js';
import { jsonOf } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';
import { storeOf } from './store-of.js';

type MutationName = {
  [Name in OperationName]: OperationTypes[Name]['kind'] extends 'mutation' ? Name : never;
}[OperationName];

const vehicle = 'Van 01';
const area = JSON.stringify({
  name: 'Yard Parnu',
  geojson: {
    type: 'Polygon',
    coordinates: [
      [
        [24.4, 58.3],
        [24.5, 58.3],
        [24.5, 58.4],
        [24.4, 58.4],
        [24.4, 58.3],
      ],
    ],
  },
});

interface Change {
  readonly words: readonly string[];
  readonly input?: string;
  /** The message about parts that are not restored. */
  readonly lost?: RegExp;
  /** Earlier commands, not undone. */
  readonly before?: readonly (readonly string[])[];
}

/** Parts that no undo restores: references in rules, tokens, groups, and past assignments. */
const lostParts = ['rules', 'tokens', 'geofences.groupIds', 'people.groupId', 'assignments'];

/** At least one command for each mutation of the contract; null for one that cannot be undone. */
const changes: Readonly<Record<MutationName, readonly Change[] | null>> = {
  assignDriver: [
    { words: ['drivers', 'assign', vehicle, 'Karl Berg', '--yes'] },
    { words: ['drivers', 'assign', vehicle, 'Karl Berg', '--from', '-2d', '--to', '-1d', '--yes'] },
    { words: ['drivers', 'assign', vehicle, 'Karl Berg', '--from', '+1d', '--to', '+2d', '--yes'] },
    {
      words: ['drivers', 'apply', '-', '--yes', '--input-format', 'csv'],
      input: `vehicle,driver,startTimestamp,endTimestamp\n${vehicle},Karl Berg,2026-03-03 06:00,2026-03-03 14:00\nTruck 01,Liis Tamm,2026-03-03 06:00,2026-03-03 14:00\n`,
    },
  ],
  unassignDriver: [
    { words: ['drivers', 'unassign', vehicle, '--yes'] },
    { words: ['drivers', 'unassign', vehicle, '--at', '-1d', '--yes'] },
  ],
  changeGeofenceGroups: [
    { words: ['geofences', 'groups', 'Depot Tartu', '--add', 'Winter roster'] },
    {
      before: [['geofences', 'groups', 'Depot Tartu', '--add', 'Winter roster']],
      words: [
        'geofences',
        'groups',
        'Depot Tartu',
        '--add',
        'Winter roster',
        '--add',
        'Long haul',
        '--remove',
        'Service',
      ],
    },
  ],
  changeVehicleGroups: [
    { words: ['vehicles', 'groups', vehicle, '--add', 'Winter roster'] },
    { words: ['vehicles', 'groups', vehicle, 'Truck 01', '--add', 'Winter roster', '--yes'] },
  ],
  changeVehiclesGroup: [
    { words: ['vehicles', 'move', '--from', 'Long haul East', '--to', 'Winter roster', 'Truck 01'] },
  ],
  createDriverToken: [{ words: ['tokens', 'create', 'Karl Berg', '00SECRET00'] }],
  updateDriverToken: [{ words: ['tokens', 'update', 'BB9A133C8C03C8D8', '--driver', 'Karl Berg'] }],
  deleteDriverToken: null,
  createGeofence: [{ words: ['geofences', 'create', '--input', '-'], input: area }],
  updateGeofence: [
    { words: ['geofences', 'update', 'Depot Tartu', '--color', '#D62728', '--description', 'new'] },
    {
      words: ['geofences', 'update', 'Depot Tartu', '--input', '-'],
      input: '{"address":{"city":"Elva"},"phone":"+372 9"}',
    },
  ],
  deleteGeofence: [
    { words: ['geofences', 'delete', 'Customer Tartu', '--yes'], lost: /gets a new id/ },
    { words: ['geofences', 'delete', 'Customer Tartu', 'Customer Vilnius', '--yes'], lost: /in which groups/ },
    {
      words: ['geofences', 'import', '-', '--input-format', 'csv', '--prune', '--yes'],
      input: 'name,color\nDepot Tartu,#D62728\n',
      lost: /in which groups/,
    },
  ],
  createGroup: [{ words: ['groups', 'create', '--name', 'New', '--parent', 'Long haul'] }],
  updateGroup: [{ words: ['groups', 'update', 'Winter roster', '--parent', 'Long haul', '--external-id', 'W'] }],
  deleteGroup: [
    { words: ['groups', 'delete', 'Winter roster', '--yes'], lost: /geofences and people were in it/ },
    {
      words: ['groups', 'apply', '-', '--input-format', 'csv', '--prune', '--yes'],
      input: 'name,description\nService,new\nField service,\n',
      lost: /geofences and people were in it/,
    },
  ],
  createPerson: [{ words: ['people', 'create', '--first-name', 'Mari', '--last-name', 'Kuusk', '--is-driver'] }],
  updatePerson: [
    { words: ['people', 'update', 'Karl Berg', '--phone', '+3725551234', '--license-number', ''] },
    {
      words: ['people', 'update', 'Karl Berg', '--input', '-'],
      input: '{"phone":"+372 1","customFields":[{"name":"Department","value":"X"}]}',
    },
  ],
  deletePerson: [
    { words: ['people', 'delete', 'Liis Tamm', '--yes'], lost: /which group was its own.*driver token/s },
    {
      words: ['people', 'apply', '-', '--input-format', 'csv', '--prune', '--yes'],
      input: 'firstName,lastName,phone\nKarl,Berg,+372 9\nJonas,Berg,\nMartin,Mets,\nMari,Kuusk,\n',
      lost: /which group was its own/,
    },
  ],
  setPersonCustomRoles: [{ words: ['people', 'set-roles', 'Karl Berg', 'Accountant'] }],
  updatePersonCustomField: [{ words: ['people', 'set-field', 'Karl Berg', 'Department', 'Garage'] }],
  updateVehicle: [
    { words: ['vehicles', 'update', vehicle, '--name', 'Van 99', '--plate', '', '--label', 'Leased', '--deactivate'] },
    { words: ['vehicles', 'update', vehicle, '--type', 'Truck', '--year', '2019', '--label', ''] },
    {
      words: ['vehicles', 'apply', '-', '--yes', '--input-format', 'ndjson'],
      input: '{"name":"Van 01","year":2001}\n{"name":"Truck 01","vin":null}\n',
    },
  ],
  updateVehicleCustomField: [
    { words: ['vehicles', 'set-field', vehicle, 'Cost centre', '4999'] },
    { words: ['vehicles', 'set-field', 'Cost centre', '4999', '--filter', 'name=Van*', '--yes'] },
    {
      words: ['vehicles', 'apply', '-', '--input-format', 'csv', '--yes'],
      input: `id,licensePlate,labels,groups,customFields.Cost centre\n${vehicle},X 1,Leased,Winter roster,4999\nTruck 01,X 2,null,null,null\n`,
    },
  ],
};

const cases = Object.entries(changes).flatMap(([operation, all]) =>
  (all ?? []).map((change) => ({ operation, text: change.words.join(' '), ...change })),
);

async function done(fleet: Shell, words: readonly string[], input?: string): Promise<string> {
  const { code, stderr } = await fleet(words, input === undefined ? {} : { input });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stderr;
}

test('every mutation of the contract can be undone, or has a reason why not', () => {
  const mutations = Object.values(operations).flatMap(({ kind, name }) => (kind === 'mutation' ? [name] : []));
  expect(Object.keys(changes).sort()).toEqual([...mutations].sort());
  const without = Object.entries(changes).flatMap(([name, all]) => (all === null ? [name] : []));
  expect(without).toEqual(['deleteDriverToken']);
});

describe('a change that cannot be undone is refused with the reason, and nothing is sent', () => {
  const document = 'mutation ($g: UUID!) { updateGroup(groupId: $g, updateGroupInput: { description: "x" }) { id } }';
  test.each([
    [['tokens', 'delete', 'BB9A133C8C03C8D8', '--yes'], /does not come back: the values of tokens are secrets/],
    [
      ['tokens', 'update', 'BB9A133C8C03C8D8', '--value', '00'],
      /value stays as it is, because the journal does not keep secrets/,
    ],
    [['api', document, '-v', 'g=4f93fa3d-de4b-5f1e-9dc3-ce0f27fb8489'], /the journal does not know what it changed/],
  ])('%j', async (words, said) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, words);
    const changed = storeOf(world.snapshot());
    for (const flags of [['--dry-run'], ['--yes']]) {
      const { code, stderr } = await fleet(['undo', '1', ...flags]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) });
      expect(stderr).toContain('#1 cannot be undone: ');
    }
    expect(storeOf(world.snapshot())).toEqual(changed);
  });
});

test('an assignment that changed nothing has nothing to take back', async () => {
  const fleet = shellOf('demo', service().fetch);
  // Liis Tamm already has the vehicle, for longer than this.
  const assigned = await fleet(['drivers', 'assign', 'Van 03', 'Liis Tamm', '--from', '+0h', '--to', '+1h']);
  expect(assigned.stderr).toContain('Nothing changed.');
  const { code, stderr } = await fleet(['undo', '1', '--yes']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing to do: #1 changed nothing.\n' });
});

test('a document of the user is passed over by an undo without a number', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, ['groups', 'list']);
  const before = storeOf(world.snapshot());
  const document = 'mutation { createGroup(createGroupInput: { name: "Own" }) { id } }';
  const { createGroup } = JSON.parse((await fleet(['api', document])).stdout);
  await done(fleet, ['groups', 'create', '--name', 'North']);
  await done(fleet, ['api', 'mutation ($g: UUID!) { deleteGroup(groupId: $g) }', '-v', `g=${createGroup.id}`]);
  expect((await fleet(['undo', '--yes'], { answers: [] })).code).toBe(0);
  expect(storeOf(world.snapshot())).toEqual(before);
  expect((await fleet(['undo', '--yes'], { answers: [] })).code).toBe(5);
});

test('-o json: the plan and the outcome as data, and what does not come back on stderr', async () => {
  const fleet = shellOf('demo', service().fetch);
  await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
  const plan = await fleet(['undo', '1', '--dry-run', '-o', 'json']);
  expect(plan.code).toBe(10);
  const rows: readonly Record<string, unknown>[] = JSON.parse(plan.stdout);
  expect(rows.map(({ action, kind, status }) => [action, kind, status])).toEqual([
    ['create', 'person', 'planned'],
    ['update', 'person', 'planned'],
    ['create', 'driver assignment', 'planned'],
  ]);
  expect(rows[0]).toMatchObject({ name: 'Liis Tamm', id: null, formerId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const undone = await fleet(['undo', '1', '--yes', '-o', 'json']);
  expect(undone.code).toBe(0);
  expect(undone.stderr).toMatch(
    /^Undoes #1: people delete .*\nLiis Tamm gets a new id;.*its driver token does not come back/s,
  );
  expect(JSON.parse(undone.stdout)).toMatchObject(rows.map(({ name }) => ({ name, status: 'done' })));
  expect(JSON.parse(undone.stdout)[0].id).toMatch(/^[0-9a-f-]{36}$/);
  const again = await fleet(['undo', '1', '--yes', '-o', 'json']);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse(again.stderr)).toMatchObject({ error: { code: 'USAGE' } });
});

describe('each kind of change comes back', () => {
  test.each(cases)('$operation: $text', async ({ operation, words, input, lost, before = [] }) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['vehicles', 'types']);
    for (const first of before) await done(fleet, first);
    const settled = () => storeOf(world.snapshot(), lost === undefined ? [] : lostParts);
    const start = settled();
    await done(fleet, words, input);
    const changed = settled();
    expect(changed).not.toEqual(start);
    expect(world.requests.flatMap((request) => request.operations)).toContain(operation);
    const made = String(before.length + 1);
    const plan = await fleet(['undo', made, '--dry-run'], { terminal: 160 });
    expect(plan.code, plan.stderr).toBe(10);
    expect(settled()).toEqual(changed);
    const stderr = await done(fleet, ['undo', made, '--yes']);
    if (lost) expect(stderr).toMatch(lost);
    expect(settled()).toEqual(start);
    // The undo may be undone.
    const number = before.length + 2;
    const again = await fleet(['undo', String(number), '--yes']);
    if (operation === 'createDriverToken') {
      expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('the values of tokens are secrets') });
      return;
    }
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(settled()).toEqual(changed);
  });
});

describe('a part', () => {
  const centre = ['vehicles', 'set-field', 'Cost centre', '4999', '--filter', 'name=Van*', '--yes'];
  const centresOf = async (fleet: Shell) => {
    const words = ['vehicles', 'fields', '--vehicle-filter', 'name=Van*', '--filter', 'name=Cost centre', '-o', 'json'];
    const rows: readonly { vehicle: string; value: string }[] = JSON.parse((await fleet(words)).stdout);
    return Object.fromEntries(rows.map(({ vehicle, value }) => [vehicle, value]));
  };
  const historyOf = async (fleet: Shell) => {
    const words = ['history', '--fields', 'n,outcome,undoneBy,partlyUndoneBy', '--no-headers'];
    return (await fleet(words)).stdout.split('\n').slice(0, -1);
  };
  async function changed() {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const before = await centresOf(fleet);
    await done(fleet, centre);
    return { world, fleet, before };
  }

  test('is undone by names, and the rest later', async () => {
    const { world, fleet, before } = await changed();
    expect(await done(fleet, ['undo', '1', 'van 01'])).toContain('Undoes 1 of the 3 records of #1: vehicles set-field');
    expect(await centresOf(fleet)).toEqual({ 'Van 01': before['Van 01'], 'Van 02': '4999', 'Van 03': '4999' });
    expect(await historyOf(fleet)).toEqual(['2\tdone\t\t', '1\tdone\t\t2']);
    expect((await fleet(['history'], { terminal: 160 })).stdout).toContain('done, partly undone by #2');
    // A record that was reverted is not changed again, whatever happened since.
    await done(shellOf('demo', world.fetch), ['vehicles', 'set-field', 'Van 01', 'Cost centre', '7777']);
    expect(await done(fleet, ['undo', '1', 'Van 01'])).toBe('Nothing to do: #2 has undone this already.\n');
    await done(fleet, ['undo', '1', '--yes']);
    expect(await centresOf(fleet)).toEqual({ ...before, 'Van 01': '7777' });
    expect(await historyOf(fleet)).toEqual(['3\tdone\t\t', '2\tdone\t\t', '1\tdone\t3\t']);
    expect((await fleet(['undo', '1', '--yes'])).stderr).toContain('#1 has been undone by #3.');
    // An undo of the second undo restores only its records.
    await done(fleet, ['undo', '3', '--yes']);
    expect(await centresOf(fleet)).toEqual({ 'Van 01': '7777', 'Van 02': '4999', 'Van 03': '4999' });
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t\t2');
  });

  test('--skip-changed leaves what somebody has changed since, and says which', async () => {
    const { world, fleet, before } = await changed();
    await done(shellOf('demo', world.fetch), ['vehicles', 'set-field', 'Van 02', 'Cost centre', '7777']);
    const refused = await fleet(['undo', '1', '--yes']);
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain('--skip-changed leaves these records');
    const plan = await fleet(['undo', '1', '--skip-changed', '--dry-run']);
    expect(plan.code).toBe(10);
    const said = 'Van 02: customFields.Cost centre is "7777" now, not "4999". It stays as it is.';
    const stderr = await done(fleet, ['undo', '1', '--skip-changed', '--yes']);
    for (const text of [plan.stderr, stderr]) expect(text.replace(/\s+/g, ' ')).toContain(said);
    expect(await centresOf(fleet)).toEqual({ ...before, 'Van 02': '7777' });
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t\t2');
    expect(await done(fleet, ['undo', '1', '--skip-changed', '--yes'])).toMatch(/stays as it is\.\s+Nothing to do: /);
    await done(fleet, ['undo', '1', '--force']);
    expect(await centresOf(fleet)).toEqual(before);
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t3\t');
  });

  test('names and --skip-changed combine', async () => {
    const { world, fleet, before } = await changed();
    await done(shellOf('demo', world.fetch), ['vehicles', 'set-field', 'Van 02', 'Cost centre', '7777']);
    await done(fleet, ['undo', '1', 'Van 01', 'Van 02', '--skip-changed']);
    expect(await centresOf(fleet)).toEqual({ 'Van 01': before['Van 01'], 'Van 02': '7777', 'Van 03': '4999' });
    expect((await fleet(['undo', '1', '--skip-changed', '--force'])).code).toBe(2);
  });

  test('a part of an undo can be undone', async () => {
    const { fleet, before } = await changed();
    await done(fleet, ['undo', '1', '--yes']);
    await done(fleet, ['undo', '2', 'Van 03']);
    expect(await centresOf(fleet)).toEqual({ ...before, 'Van 03': '4999' });
    expect(await historyOf(fleet)).toEqual(['3\tdone\t\t', '2\tdone\t\t3', '1\tdone\t\t2']);
    await done(fleet, ['undo', '1', '--yes']);
    expect(await centresOf(fleet)).toEqual(before);
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t4\t');
  });

  test('a deleted record comes back alone, and the others later', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const names = async () => (await fleet(['groups', 'list', '--fields', 'name', '--no-headers'])).stdout;
    await done(fleet, ['groups', 'delete', 'Winter roster', 'Long haul West', '--yes']);
    await done(fleet, ['undo', '1', 'long haul west', '--yes']);
    expect(await names()).toMatch(/^Long haul West$/m);
    expect(await names()).not.toMatch(/^Winter roster$/m);
    await done(fleet, ['undo', '1', '--yes']);
    expect((await names()).match(/^(Long haul West|Winter roster)$/gm)?.sort()).toEqual([
      'Long haul West',
      'Winter roster',
    ]);
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t3\t');
  });

  test.each([
    ['Van 9', 5, '#1 changed no record "Van 9".'],
    ['Van', 5, '#1 changed no record "Van".'],
  ])('a record %j that is not in the entry is an error that lists its records', async (name, exitCode, said) => {
    const { fleet } = await changed();
    const { code, stderr } = await fleet(['undo', '1', name, '--yes']);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(said);
    for (const vehicleName of ['Van 01', 'Van 02', 'Van 03'])
      expect(stderr).toMatch(new RegExp(`vehicle "${vehicleName}" \\([0-9a-f-]{36}\\)`));
  });

  test('a name of two records is an error with their ids, and an id tells them apart', async () => {
    const fleet = shellOf('demo', service().fetch);
    const table = 'firstName,lastName,employeeId\nJürgen,Groß,E-1\nJürgen,Groß,E-2\n';
    await done(fleet, ['people', 'apply', '-', '--input-format', 'csv', '--yes'], table);
    const { code, stderr } = await fleet(['undo', '1', 'JÜRGEN groß', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('has changed 2 records "JÜRGEN groß"'),
    });
    const [id = ''] = /[0-9a-f-]{36}/.exec(stderr) ?? [];
    await done(fleet, ['undo', '1', id, '--yes']);
    expect((await historyOf(fleet)).at(-1)).toBe('1\tdone\t\t2');
  });
});

describe('assignments', () => {
  const assign = (driver: string, ...times: readonly string[]) => [
    'drivers',
    'assign',
    vehicle,
    driver,
    ...times,
    '--yes',
  ];
  const countIn = (world: ReturnType<typeof service>) =>
    Object.values(Object(Object(world.snapshot()).fleets)).flatMap((fleet) => Object(fleet).assignments ?? []).length;

  test.each([
    ['an end', assign('Liis Tamm', '--from', '-1d')],
    ['a gap', assign('Liis Tamm', '--from', '-2d', '--to', '-1d')],
    ['a begin', assign('Liis Tamm', '--from', '-6d', '--to', '-2d')],
    ['the whole', assign('Liis Tamm', '--from', '-6d')],
    ['an end without another driver', ['drivers', 'unassign', vehicle, '--at', '-1d', '--yes']],
  ])('are as many as before, after the undo of a change to %s of a recent one', async (_what, words) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    // Past assignments cannot be created again.
    for (const old of [vehicle, 'Van 03']) await done(fleet, ['drivers', 'unassign', old, '--yes', '--at', '-8d']);
    await done(fleet, assign('Karl Berg', '--from', '-5d'));
    const [count, start] = [countIn(world), storeOf(world.snapshot())];
    await done(fleet, words);
    expect(storeOf(world.snapshot())).not.toEqual(start);
    await done(fleet, ['undo', '4', '--yes']);
    expect(storeOf(world.snapshot())).toEqual(start);
    expect(countIn(world)).toBe(count);
  });

  test('that began long ago do not become more with each undo', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const counts: number[] = [];
    for (const n of [1, 3, 5]) {
      await done(fleet, assign('Liis Tamm', '--from', '-2d', '--to', '-1d'));
      await done(fleet, ['undo', String(n), '--yes']);
      counts.push(countIn(world));
    }
    expect(new Set(counts).size).toBe(1);
  });

  test('of one change are undone together, whichever is named', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['vehicles', 'types']);
    const start = storeOf(world.snapshot());
    await done(fleet, assign('Karl Berg'));
    const { steps } = JSON.parse((await fleet(['history', 'get', '1', '-o', 'json'])).stdout);
    const [{ name }] = steps[0].records;
    await done(fleet, ['undo', '1', name, '--yes']);
    expect(storeOf(world.snapshot())).toEqual(start);
  });
});

describe('an undo that was done in part', () => {
  test('brings back the rest when it runs again', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['groups', 'delete', 'City deliveries', '--yes']);
    world.faults.add({ kind: 'graphqlError', operation: 'changeVehicleGroups', times: 1 });
    const part = await fleet(['undo', '1', '--yes']);
    expect(part.code).toBe(6);
    expect(part.stderr).toContain('2 of 3 done, 1 failed');
    await done(fleet, ['undo', '1', '--yes']);
    const groups = await jsonOf(fleet, 'groups', 'list', '--filter', 'name=City deliveries');
    expect(Reflect.get(Object(groups), 0).vehicleIds).toHaveLength(2);
  });

  test('gives a person the roles that could not be set', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['people', 'set-roles', 'Karl Berg', 'Accountant']);
    await done(fleet, ['people', 'delete', 'Karl Berg', '--yes']);
    world.faults.add({ kind: 'graphqlError', operation: 'setPersonCustomRoles', times: 1 });
    expect((await fleet(['undo', '2', '--yes'])).code).toBe(6);
    await done(fleet, ['undo', '2', '--yes']);
    const person = await jsonOf(fleet, 'people', 'get', 'Karl Berg');
    expect(Object(person).roles).toMatchObject([{ name: 'Accountant' }]);
    // The undo of both undos removes the person.
    await done(fleet, ['undo', '4', '--yes']);
    await done(fleet, ['undo', '3', '--yes']);
    expect((await fleet(['people', 'get', 'Karl Berg'])).code).toBe(5);
  });
});

describe('the assignments of a driver who comes back', () => {
  const words = ['--from', '+1d', '--to', '+2d', '--yes'];

  test('come back, and the undo of that undo finds them', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['drivers', 'assign', 'Van 01', 'Liis Tamm', ...words]);
    await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
    await done(fleet, ['undo', '2', '--yes']);
    const back = await jsonOf(fleet, 'drivers', 'assignments', '--driver', 'Liis Tamm', '--from', 'now', '--to', '+3d');
    expect(back).toEqual(expect.arrayContaining([expect.objectContaining({ startedAt: expect.any(String) })]));
    const again = await fleet(['undo', '3', '--dry-run']);
    expect(again.stderr).not.toContain('no such person');
    expect(again.stderr).not.toContain('could not be read');
    await done(fleet, ['undo', '3', '--yes']);
    expect((await fleet(['people', 'get', 'Liis Tamm'])).code).toBe(5);
  });

  test('are a conflict where somebody else has the vehicle by now', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['drivers', 'assign', 'Van 01', 'Liis Tamm', ...words]);
    await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
    await done(fleet, ['drivers', 'assign', 'Van 01', 'Karl Berg', ...words]);
    const changed = storeOf(world.snapshot());
    const { code, stderr } = await fleet(['undo', '2', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('Karl Berg on Van 01');
    expect(stderr).toContain('this assignment exists now, and the undo would change it: removed');
    expect(storeOf(world.snapshot())).toEqual(changed);
    const rest = await fleet(['undo', '2', '--yes', '--force']);
    expect(rest.code).toBe(0);
  });

  test('begin at most ten days ago', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', 'now', '--yes']);
    await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
    world.clock.advance(12 * 86_400_000);
    const stderr = await done(fleet, ['undo', '2', '--yes']);
    expect(stderr).toContain('the service takes no assignment that begins more than 10 days ago');
  });
});

test('a partly done creation is deleted again', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  world.faults.add({ kind: 'graphqlError', operation: 'setPersonCustomRoles', times: 1 });
  const input = 'firstName,lastName,isDriver,roles\nAda,New,yes,Accountant\n';
  const made = await fleet(['people', 'apply', '-', '--input-format', 'csv', '--yes'], { input });
  expect(made.code).not.toBe(0);
  expect((await fleet(['people', 'get', 'Ada New'])).code).toBe(0);
  await done(fleet, ['undo', '1', '--yes']);
  expect((await fleet(['people', 'get', 'Ada New'])).code).toBe(5);
});

test('a member that somebody has set below one that was cleared is a conflict', async () => {
  const fleet = shellOf('demo', service().fetch);
  const update = ['geofences', 'update', 'Depot Tartu', '--input', '-'];
  await done(fleet, update, JSON.stringify({ address: null }));
  await done(fleet, update, JSON.stringify({ address: { city: 'Elva' } }));
  const { code, stderr } = await fleet(['undo', '1', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('  Depot Tartu: address has been changed since.\n');
});

test('a custom field whose value before was not known stays as it is', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  const { id } = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01'));
  world.faults.add({ kind: 'graphqlError', operation: 'getVehicleById', times: 1 });
  await done(fleet, ['vehicles', 'set-field', id, 'Cost centre', '77']);
  const { code, stderr } = await fleet(['undo', '1', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('customFields.Cost centre stays as it is, because its value before was not known.');
});

test('groups with an unknown earlier state are restored from the answer', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  const { id } = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01'));
  const groups = () => jsonOf(fleet, 'vehicles', 'groups', 'Van 01', '--fields', 'name');
  const before = await groups();
  world.faults.add({ kind: 'graphqlError', operation: 'getVehicleById', times: 1 });
  await done(fleet, ['vehicles', 'groups', id, '--add', 'Winter roster']);
  expect(await groups()).not.toEqual(before);
  await done(fleet, ['undo', '1', '--yes']);
  expect(await groups()).toEqual(before);
});

test('the undo of an undo of an undo changes each record once', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, ['groups', 'delete', 'City deliveries', '--yes']);
  for (const number of ['1', '2']) await done(fleet, ['undo', number, '--yes']);
  const plan = JSON.parse((await fleet(['undo', '3', '--dry-run', '-o', 'json'])).stdout);
  const names: readonly string[] = plan.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual([...new Set(names)]);
  await done(fleet, ['undo', '3', '--yes']);
});

describe('an undo of assignments that was done in part', () => {
  const shifts = `vehicle,driver,startTimestamp,endTimestamp
Truck 01,Jonas Nowak,2026-03-01 06:00,2026-03-01 14:00
Truck 01,Karl Berg,2026-03-03 06:00,2026-03-03 14:00
Van 01,Liis Tamm,2026-03-03 06:00,2026-03-03 14:00
`;
  /** Returns the driver of each vehicle at each hour of a week. */
  const driversOf = async (fleet: Shell) => {
    const fields = 'vehicleId,driverId,startedAt,endedAt';
    const rows = await jsonOf(fleet, 'drivers', 'assignments', '--from', '-9d', '--to', '+9d', '--fields', fields);
    const start = Date.parse('2026-02-28T00:30:00Z');
    const hours = Array.from({ length: 168 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString());
    return hours.map((at) =>
      (Array.isArray(rows) ? rows : [])
        .map((row: unknown) => Object(row))
        .filter(({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || at < endedAt))
        .map(({ vehicleId, driverId }) => `${vehicleId} ${driverId}`)
        .sort(),
    );
  };

  test.each(['assignDriver', 'unassignDriver'] as const)(
    'brings back the rest after a failed %s',
    async (operation) => {
      for (const [words, input] of [
        [['drivers', 'assign', 'Van 01', 'Karl Berg', '--from', '+1d', '--to', '+2d', '--yes'], undefined],
        [['drivers', 'apply', '-', '--input-format', 'csv', '--yes'], shifts],
      ] as const) {
        const world = service();
        const fleet = shellOf('demo', world.fetch);
        const before = await driversOf(fleet);
        await done(fleet, words, input);
        world.faults.add({ kind: 'graphqlError', operation, times: 1 });
        expect((await fleet(['undo', '1', '--yes'])).code).toBe(6);
        await done(fleet, ['undo', '1', '--yes']);
        expect(await driversOf(fleet)).toEqual(before);
      }
    },
  );

  test('brings back the drivers that it has not assigned', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['people', 'delete', 'Liis Tamm', 'Karl Berg', '--yes']);
    world.clock.advance(500);
    world.faults.add({ kind: 'graphqlError', operation: 'assignDriver', times: 1 });
    expect((await fleet(['undo', '1', '--yes'])).code).toBe(6);
    await done(fleet, ['undo', '1', '--yes']);
    for (const name of ['Liis Tamm', 'Karl Berg']) expect((await fleet(['people', 'get', name])).code).toBe(0);
  });
});

test('an undo of an undo of an undo of a deleted driver works after hours, too', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
  for (const number of ['1', '2', '3']) {
    world.clock.advance(600_000);
    await done(fleet, ['undo', number, '--yes']);
  }
  expect((await fleet(['people', 'get', 'Liis Tamm'])).code).toBe(0);
});

test('reports an assignment that does not come back because another one has its time', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, ['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', 'now', '--yes']);
  await done(fleet, ['people', 'delete', 'Liis Tamm', '--yes']);
  world.clock.advance(2 * 3_600_000);
  await done(fleet, ['drivers', 'assign', 'Van 01', 'Karl Berg', '--yes']);
  world.clock.advance(2 * 3_600_000);
  const stderr = await done(fleet, ['undo', '2', '--yes']);
  expect(stderr).toContain('it does not come back, because there is another assignment then.');
});

describe('a creation without an answer', () => {
  test('that was partly done is found by its undo', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    world.faults.add({ kind: 'reset', operation: 'createPerson', times: 1 });
    const input = 'firstName,lastName,isDriver,roles\nZed,Zulu,yes,Accountant\n';
    const made = await fleet(['people', 'apply', '-', '--input-format', 'csv', '--yes'], { input });
    const isThere = (await fleet(['people', 'get', 'Zed Zulu'])).code === 0;
    expect(made.code).toBe(9);
    await done(fleet, ['undo', '1', '--yes']);
    expect(isThere).toBe(true);
    expect((await fleet(['people', 'get', 'Zed Zulu'])).code).toBe(5);
  });

  test('in an undo is found when that runs again', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, ['groups', 'delete', 'City deliveries', '--yes']);
    world.faults.add({ kind: 'reset', operation: 'createGroup', times: 1 });
    expect((await fleet(['undo', '1', '--yes'])).code).toBe(9);
    await done(fleet, ['undo', '1', '--yes']);
    const groups = await jsonOf(fleet, 'groups', 'list', '--filter', 'name=City deliveries');
    expect(groups).toHaveLength(1);
    expect(Reflect.get(Object(groups), 0).vehicleIds).toHaveLength(2);
  });
});
