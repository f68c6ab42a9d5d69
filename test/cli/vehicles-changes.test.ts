// The output and the requests of the commands that change a vehicle or list its parts.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';

const truck = 'Truck 01';

test('update --input takes one vehicle by its name, and leads to apply for a table', async () => {
  const fleet = shellOf('demo', service().fetch);
  const words = ['vehicles', 'update', '--input', '-'];
  const table = await fleet(words, { input: 'name,make\nVan 01,X\n' });
  expect([table.code, table.stderr]).toEqual([2, expect.stringContaining('Files of many records are for `apply`')]);
  expect((await fleet(words, { input: '{"id":"Van 01","make":"X"}' })).code).toBe(0);
  const unnamed = await fleet(words, { input: '{"make":"X"}' });
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('"id" in --input (a name is accepted') });
});

test('a misspelled custom field name is refused before the plan is shown, for one vehicle and for several', async () => {
  for (const which of [
    [truck, 'cost centre', '4711'],
    ['Cost center', '4711', '--group', 'Long haul'],
  ]) {
    const { code, stdout, stderr } = await shellOf(
      'demo',
      service().fetch,
    )(['vehicles', 'set-field', ...which, '--dry-run']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(
      /^error: No vehicle has a custom field "[Cc]ost cent(re|er)"\. Nothing was sent\.\nhint: Did you mean "Cost centre"\?\n$/,
    );
  }
});

describe('prints', () => {
  const golden = (name: string, words: readonly string[], code = 0, before?: (fleet: Shell) => Promise<unknown>) =>
    expectGolden(`vehicles-${name}`, ['vehicles', ...words], { code, ...(before ? { before } : {}) });

  test('vehicles fields', () => golden('fields', ['fields', truck]));
  test('vehicles sensors', () => golden('sensors', ['sensors', truck]));
  test('vehicles sensors, of an unknown vehicle', () => golden('sensors.unknown', ['sensors', 'Trukc 01'], 5));
  test('vehicles update', () =>
    golden('update', [
      'update',
      truck,
      '--plate',
      '593 NYM',
      '--type',
      'van',
      '--label',
      'Leased',
      '--label',
      'spare',
    ]));
  test('vehicles update, without a change', () => golden('update.nothing', ['update', truck], 2));
  test('vehicles set-field', () => golden('set-field', ['set-field', truck, 'Cost centre', '4711']));
  test('vehicles set-field, cleared', () => golden('set-field.cleared', ['set-field', truck, 'Cost centre', '']));
  test('vehicles set-field, of an unknown field', () =>
    golden('set-field.unknown', ['set-field', truck, 'Cost center', '4711'], 5));
  test('vehicles groups', () => golden('groups', ['groups', truck]));
  test('vehicles groups, changed', () =>
    expectShape('vehicles-groups.changed', [
      ...['vehicles', 'groups', truck, '--add', 'Winter roster', '--remove', 'Long haul East'],
    ]));
  test('vehicles groups, of an unknown group', () =>
    golden('groups.unknown', ['groups', truck, '--add', 'Winter rooster'], 5));
  test('vehicles move', () =>
    golden('move', ['move', '--yes', '--from', 'Long haul East', '--to', 'Long haul West', truck, 'Truck 02']));
  test('vehicles move, of a vehicle outside the group', () =>
    golden(
      'move.refused',
      ['move', '--yes', '--from', 'Long haul East', '--to', 'Long haul West', truck, 'Van 01'],
      2,
    ));
  test('vehicles groups, changed for several', () =>
    expectShape('vehicles-groups.several', [
      ...[
        'vehicles',
        'groups',
        truck,
        'Van 01',
        'Van 02',
        '--add',
        'Winter roster',
        '--remove',
        'Long haul East',
        '--yes',
      ],
    ]));
});

/** Returns a new service, and the operations that reach it. */
function world(): { fleet: Shell; sent: () => readonly string[] } {
  const made = service();
  return { fleet: shellOf('demo', made.fetch), sent: () => made.requests.flatMap(({ operations }) => operations) };
}

/** Returns the parsed JSON output of a command. */
async function recordOf(fleet: Shell, ...words: readonly string[]): Promise<Record<string, unknown>> {
  return Object(await jsonOf(fleet, ...words));
}

describe('vehicles update', () => {
  test('changes the given members and leaves the rest, by id and by name', async () => {
    const { fleet } = world();
    const before = await recordOf(fleet, 'vehicles', 'get', truck);
    const words = [
      '--name',
      'Lorry',
      '--plate',
      'L 1',
      '--vin',
      'V1',
      '--make',
      'MAN',
      '--model',
      'TGX',
      '--year',
      '2024',
    ];
    const after = await recordOf(fleet, 'vehicles', 'update', truck, ...words);
    const said = { name: 'Lorry', licensePlate: 'L 1', vin: 'V1', make: 'MAN', model: 'TGX', year: 2024 };
    const { version, updatedAt } = after;
    expect(after).toEqual({ ...before, ...said, version, updatedAt });
    const again = await recordOf(fleet, 'vehicles', 'update', String(before.id), '--deactivate');
    expect(again).toMatchObject({ ...said, deactivated: true });
    expect(await recordOf(fleet, 'vehicles', 'update', 'l1', '--activate')).toMatchObject({ deactivated: false });
  });

  test('accepts type, work schedule and labels by name or id', async () => {
    const { fleet } = world();
    const types = Object(await jsonOf(fleet, 'vehicles', 'types'));
    const labels = Object(await jsonOf(fleet, 'labels', 'list'));
    const { id: scheduleId } = Object(
      await jsonOf(fleet, 'api', '{ getWorkSchedules { id name } }'),
    ).getWorkSchedules.find(({ name }: { name: string }) => name === 'Two shifts');
    const words = [
      '--type',
      types[0].id,
      '--schedule',
      'two shifts',
      '--label',
      labels[0].name,
      '--label',
      labels[1].id,
    ];
    expect(await recordOf(fleet, 'vehicles', 'update', 'Car 01', ...words)).toMatchObject({
      vehicleType: types[0],
      workSchedule: { id: scheduleId },
      assignedLabels: [{ id: labels[0].id }, { id: labels[1].id }],
    });
  });

  test('an empty text clears a member, also type, schedule and labels', async () => {
    const { fleet } = world();
    await fleet(['vehicles', 'update', truck, '--label', 'Leased']);
    const empty = ['plate', 'vin', 'make', 'model', 'year', 'type', 'label'].flatMap((flag) => [`--${flag}`, '']);
    expect(await recordOf(fleet, 'vehicles', 'update', truck, ...empty)).toMatchObject({
      licensePlate: null,
      vin: null,
      make: null,
      model: null,
      year: null,
      vehicleType: null,
      assignedLabels: [],
    });
    const { stdout } = await fleet(['vehicles', 'update', truck, '--schedule', '', '--dry-run', '-o', 'json']);
    expect(JSON.parse(stdout).variables.vehicleInput).toEqual({ workScheduleId: null });
  });

  test.each([
    ['a year that is none', ['--year', '23']],
    ['no name', ['--name', ' ']],
    ['both ways at once', ['--activate', '--deactivate']],
    ['a list flag', ['--plate', 'x', '--sort', 'name']],
  ])('%s is refused before anything is sent', async (_, words) => {
    const { fleet, sent } = world();
    expect((await fleet(['vehicles', 'update', truck, ...words])).code).toBe(2);
    expect(sent()).toEqual([]);
  });

  test('--dry-run looks names up and changes nothing', async () => {
    const { fleet, sent } = world();
    const words = [
      'vehicles',
      'update',
      truck,
      '--type',
      'Van',
      '--label',
      'Leased',
      '--plate',
      '911 LTU',
      '--dry-run',
    ];
    const { code, stdout } = await fleet(words, { terminal: 80, env: { NO_COLOR: '1' } });
    expect({ code, stdout }).toEqual({
      code: 10,
      stdout: '   NAME      CHANGES\n~  Truck 01  vehicleType Truck → Van, labels none → Leased\n',
    });
    const asJson = await fleet([...words, '-o', 'json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      operation: 'updateVehicle',
      variables: {
        vehicleId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        vehicleInput: { vehicleTypeId: expect.any(String) },
      },
    });
    expect(new Set(sent())).toEqual(new Set(['getVehicles', 'getVehicleTypes', 'getLabels']));
  });
});

describe('vehicles set-field', () => {
  test('of a field that no vehicle has warns in the plan, as the service may refuse it', async () => {
    const fleet = shellOf('demo', service().fetch);
    const warning = 'warning: No vehicle that was read has a custom field "Bay": the service may refuse it.\n';
    const words = ['vehicles', 'set-field', 'Truck 01', 'Bay', '5', '-o', 'json'];
    const plan = await fleet([...words, '--dry-run']);
    expect({ code: plan.code, stderr: plan.stderr }).toEqual({
      code: 10,
      stderr: `1 to change. Nothing was changed.\n${warning}`,
    });
    expect((await fleet(words)).code).toBe(5);
    const file = ['vehicles', 'apply', '-', '--input-format', 'csv', '--dry-run', '-o', 'json'];
    const applied = await fleet(file, { input: 'name,customFields.Bay\nTruck 01,5\n' });
    expect(applied.code).toBe(10);
    expect(applied.stderr).toContain(warning);
  });

  const ofTruck = { vehicle: truck, vehicleId: '1f310201-8359-5c89-b760-241792efee6e' };
  test('sets and clears a field, with any value', async () => {
    const { fleet } = world();
    for (const value of ['4711', 'a "b", c\n=1+1\t日本', '  ', '-5']) {
      const done = await fleet(['-o', 'json', 'vehicles', 'set-field', truck, 'Cost centre', '--', value]);
      expect(JSON.parse(done.stdout)).toEqual({ name: 'Cost centre', value });
      expect(await jsonOf(fleet, 'vehicles', 'fields', truck)).toContainEqual({
        ...ofTruck,
        name: 'Cost centre',
        value,
      });
    }
    await fleet(['vehicles', 'set-field', truck, 'Cost centre', '']);
    expect(await jsonOf(fleet, 'vehicles', 'fields', truck)).toContainEqual({
      ...ofTruck,
      name: 'Cost centre',
      value: null,
    });
  });

  test('does not clear a field when the value is left out', async () => {
    const { fleet, sent } = world();
    expect((await fleet(['vehicles', 'set-field', truck, 'Cost centre'])).code).toBe(2);
    const input = '{"vehicleId":"Truck 01","name":"Cost centre"}';
    expect((await fleet(['vehicles', 'set-field', '--yes', '--input', '-'], { input })).code).toBe(2);
    expect(sent()).toEqual([]);
  });

  test('takes the field as an object, with null to clear it', async () => {
    const { fleet } = world();
    for (const value of ['1', null]) {
      const input = JSON.stringify({ vehicleId: truck, name: 'Cost centre', value });
      expect((await fleet(['vehicles', 'set-field', '--input', '-'], { input })).code).toBe(0);
      const fields = await jsonOf(fleet, 'vehicles', 'fields', truck);
      expect(fields).toContainEqual({ ...ofTruck, name: 'Cost centre', value });
    }
  });
});

describe('the parts of a record', () => {
  const nobody = '00000000-0000-4000-8000-000000000000';

  test.each([
    ['vehicles', 'fields', 'vehicle'],
    ['vehicles', 'sensors', 'vehicle'],
    ['vehicles', 'groups', 'vehicle'],
    ['people', 'fields', 'person'],
  ])('%s %s distinguishes a missing %s from one without any', async (noun, verb, kind) => {
    const { fleet } = world();
    const { code, stdout, stderr } = await fleet([noun, verb, nobody]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(`There is no ${kind} with the id ${nobody}.`);
  });

  test('a part of a name is enough to read, but not to change', async () => {
    const { fleet } = world();
    const onTerminal = { terminal: 80 };
    expect((await fleet(['vehicles', 'fields', 'ruck 01'], onTerminal)).code).toBe(0);
    expect((await fleet(['vehicles', 'groups', 'ruck 01'], onTerminal)).code).toBe(0);
    expect((await fleet(['vehicles', 'groups', 'ruck 01', '--add', 'Winter roster'], onTerminal)).code).toBe(5);
    expect((await fleet(['vehicles', 'groups', 'Truck'], onTerminal)).code).toBe(2);
  });

  test('lists can be filtered, with selected fields', async () => {
    const { fleet } = world();
    const one = await jsonOf(fleet, 'vehicles', 'fields', truck, '--filter', 'name=Cost centre', '--fields', 'value');
    expect(one).toEqual([{ value: '4100' }]);
    expect(await jsonOf(fleet, 'vehicles', 'groups', truck, '--fields', 'name,externalId')).toEqual([
      { name: 'Long haul East', externalId: 'G-005' },
    ]);
  });
});

describe('vehicles groups and move', () => {
  const groupsOf = async (fleet: Shell, vehicle: string) =>
    Object(await jsonOf(fleet, 'vehicles', 'groups', vehicle, '--fields', 'name')).map(
      ({ name }: { name: string }) => name,
    );

  test('a vehicle is added to and removed from several groups at once', async () => {
    const { fleet } = world();
    const words = ['--add', 'winter roster', '--add', 'G-006', '--remove', 'Long haul East'];
    const changed = await recordOf(fleet, 'vehicles', 'groups', truck, ...words);
    expect(changed).toMatchObject({
      addedGroupIds: [expect.any(String), expect.any(String)],
      removedGroupIds: [expect.any(String)],
    });
    expect((await groupsOf(fleet, truck)).sort()).toEqual(['Long haul West', 'Winter roster']);
  });

  test('adding a vehicle to its own group says that nothing changed', async () => {
    const { fleet } = world();
    const { stderr } = await fleet(['vehicles', 'groups', truck, '--add', 'Long haul East'], { terminal: 80 });
    expect(stderr).toContain('Nothing changed');
  });

  test('vehicles are moved by plate, VIN and id, each once', async () => {
    const { fleet } = world();
    const { id, vin, licensePlate } = await recordOf(fleet, 'vehicles', 'get', truck);
    const said = [id, vin, licensePlate].map(String);
    const move = ['vehicles', 'move', '--from', 'Long haul East', '--to', 'Winter roster'];
    expect(await jsonOf(fleet, ...move, ...said)).toEqual([id]);
    expect(await groupsOf(fleet, truck)).toEqual(['Winter roster']);
  });

  test('a move needs vehicles and both groups, and one wrong name moves nothing', async () => {
    const { fleet, sent } = world();
    for (const words of [
      ['--from', 'Long haul East', truck],
      ['--to', 'Long haul East', truck],
      ['--from', 'Long haul East', '--to', 'Long haul West'],
    ]) {
      expect((await fleet(['vehicles', 'move', ...words])).code).toBe(2);
    }
    expect(sent()).toEqual([]);
    const both = ['--from', 'Long haul East', '--to', 'Long haul West'];
    expect((await fleet(['vehicles', 'move', ...both, truck, 'Trukc 02'])).code).toBe(5);
    expect(sent()).not.toContain('changeVehiclesGroup');
  });

  test('a move that the service would refuse is refused by --dry-run too', async () => {
    const { fleet, sent } = world();
    const from = ['vehicles', 'move', '--from', 'Long haul East', '--dry-run'];
    const outside = await fleet([...from, '--to', 'Long haul West', truck, 'Van 01', 'Van 02']);
    expect(outside).toMatchObject({ code: 2, stdout: '' });
    expect(outside.stderr).toContain('Not in "Long haul East": Van 01, Van 02. Nothing was sent.');
    const same = await fleet([...from, '--to', 'long haul east', truck]);
    expect(same).toMatchObject({ code: 2, stdout: '' });
    expect(same.stderr).toContain('"Long haul East" is the source and the destination. Nothing was sent.');
    expect(sent()).not.toContain('changeVehiclesGroup');
  });
});

describe('the groups of several vehicles', () => {
  const change = ['vehicles', 'groups', truck, 'Van 01', 'Van 02', '--add', 'Winter roster'];
  const inRoster = async (fleet: Shell) => {
    const rows = Object(
      await jsonOf(fleet, 'vehicles', 'list', '--fields', 'name', '--filter', 'assignedGroups.name=Winter roster'),
    );
    return rows.map(({ name }: { name: string }) => name).sort();
  };

  test('are shown as a plan, and changed after a question', async () => {
    const { fleet } = world();
    expect(await inRoster(fleet)).toEqual(['Van 02']);
    const no = await fleet(change, { terminal: 100, env: { NO_COLOR: '1' }, answers: [['[y/N]', 'n']] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('~ Van 01: groups City deliveries → City deliveries, Winter roster');
    expect(no.stderr).toContain('2 to change, 1 stays as it is. Make these changes? [y/N]');
    expect(await inRoster(fleet)).toEqual(['Van 02']);
    const yes = await fleet(change, { terminal: 100, answers: [['[y/N]', 'y']] });
    expect(yes.code).toBe(0);
    expect(await inRoster(fleet)).toEqual([truck, 'Van 01', 'Van 02']);
    const again = await fleet([...change, '--yes']);
    expect(again).toMatchObject({ code: 0, stderr: '3 stay as they are. Nothing to do.\n' });
  });

  test.each([
    [['--label', 'Leased'], 'label'],
    [['--group', 'Deliveries'], 'group'],
    [['--filter', 'name=Van*'], 'filter'],
    [['--vehicle-filter', 'name=Van*'], 'filter'],
  ])('%j chooses the vehicles that it lists', async (flags) => {
    const { fleet } = world();
    const listed = flags.map((word) => (word === '--vehicle-filter' ? '--filter' : word));
    const names = Object(await jsonOf(fleet, 'vehicles', 'list', ...listed, '--fields', 'name')) as { name: string }[];
    expect((await fleet(['vehicles', 'groups', ...flags, '--add', 'Winter roster', '--yes'])).code).toBe(0);
    expect(await inRoster(fleet)).toEqual([...new Set([...names.map(({ name }) => name), 'Van 02'])].sort());
    expect(names.length).toBeGreaterThan(0);
  });

  test('--dry-run prints the plan and changes nothing', async () => {
    const { fleet, sent } = world();
    const { code, stdout } = await fleet([...change, '--dry-run', '--fields', 'name']);
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 10, lines: 4 });
    expect(sent()).not.toContain('changeVehicleGroups');
  });

  test.each([
    [change, 2, 'Add --yes'],
    [[...change, 'Van', '--yes'], 5, 'There is no vehicle "Van"; 3 vehicles have this text in a name.'],
    [[...change, '--group', 'Long haul', '--yes'], 2, 'Give either vehicles, or --group'],
    [[...change, '--filter', 'name=Van*', '--yes'], 2, 'Give either vehicles, or --group'],
    [[...change, '--input', 'x.ndjson', '--yes'], 2, 'given twice'],
    [[...change, '--remove', 'winter roster', '--yes'], 2, 'is both added and removed'],
    [['vehicles', 'groups', '--label', 'Leas', '--add', 'Winter roster', '--yes'], 5, 'There is no label "Leas"'],
    [['vehicles', 'groups', truck, 'Van 01', '--add', 'Winter', '--yes'], 5, 'There is no group "Winter"'],
    [['vehicles', 'groups', '--label', 'Leased', '--yes'], 2, 'No change is given'],
    [['vehicles', 'groups', '--add', 'Winter roster', '--yes'], 2, '<vehicle> is missing'],
  ])('%j changes nothing', async (words, exitCode, said) => {
    const { fleet, sent } = world();
    const { code, stdout, stderr } = await fleet(words);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(said);
    expect(sent()).not.toContain('changeVehicleGroups');
  });

  test('one that fails is named, the others are changed, and the same command changes it', async () => {
    const made = service();
    const fleet = shellOf('demo', made.fetch);
    made.faults.add({ kind: 'graphqlError', operation: 'changeVehicleGroups', message: 'Closed', times: 1 });
    const { code, stdout, stderr } = await fleet([...change, '--yes', '-o', 'json']);
    expect({ code, stderr }).toMatchObject({ code: 6, stderr: expect.stringContaining('Closed') });
    expect(stderr).toContain('1 of 2 done, 1 failed; the same command tries again.');
    expect(JSON.parse(stdout).map(({ name, status }: Record<string, unknown>) => [name, status])).toEqual([
      [truck, 'failed'],
      ['Van 01', 'done'],
    ]);
    expect(await inRoster(fleet)).toEqual(['Van 01', 'Van 02']);
    expect((await fleet([...change, '--yes'])).code).toBe(0);
    expect(await inRoster(fleet)).toEqual([truck, 'Van 01', 'Van 02']);
  });
});

describe('a change of several vehicles', () => {
  const vans = ['--filter', 'name=Van*'];
  const valuesOf = async (fleet: Shell, field: string) => {
    const rows = Object(await jsonOf(fleet, 'vehicles', 'fields', '--filter', `name=${field}`));
    return Object.fromEntries(rows.map((row: Record<string, string>) => [row.vehicle, row.value]));
  };

  test('set-field: the plan of each, a question, and only what differs is sent', async () => {
    const { fleet, sent } = world();
    const words = ['vehicles', 'set-field', 'Cost centre', '4300', '--group', 'Deliveries'];
    await fleet(['vehicles', 'set-field', 'Van 02', 'Cost centre', '4300']);
    const before = await valuesOf(fleet, 'Cost centre');
    const plan = await fleet([...words, '--dry-run'], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(plan.code).toBe(10);
    expect(plan.stdout).toContain(`~  Van 01  customFields.Cost centre ${before['Van 01']} → 4300`);
    expect(plan.stderr).toBe('2 to change, 1 stays as it is. Nothing was changed.\n');
    expect(await valuesOf(fleet, 'Cost centre')).toEqual(before);
    const no = await fleet(words, { terminal: 100, answers: [['[y/N]', 'n']] });
    expect(no).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('2 to change, 1 stays as it is. Make these changes? [y/N]'),
    });
    const sentBefore = sent().filter((name) => name === 'updateVehicleCustomField').length;
    expect((await fleet([...words, '--yes'])).code).toBe(0);
    expect(sent().filter((name) => name === 'updateVehicleCustomField').length - sentBefore).toBe(2);
    expect(await valuesOf(fleet, 'Cost centre')).toEqual({
      ...before,
      ...{ 'Van 01': '4300', 'Van 02': '4300', 'Van 03': '4300' },
    });
    expect(await fleet([...words, '--yes'])).toMatchObject({ code: 0, stderr: '3 stay as they are. Nothing to do.\n' });
  });

  test.each([
    [['Van 01', 'Van 02']],
    [vans],
    [['--vehicle-filter', 'name=Van*']],
    [['--group', 'Deliveries']],
    [['--filter', 'assignedGroups.name=City deliveries']],
  ])('update: %j chooses the vehicles that it names', async (chosen) => {
    const { fleet } = world();
    const names = chosen[0]?.startsWith('--')
      ? Object(
          await jsonOf(
            fleet,
            'vehicles',
            'list',
            ...chosen.map((word) => word.replace('vehicle-', '')),
            '--fields',
            'name',
          ),
        ).map(({ name }: { name: string }) => name)
      : chosen;
    expect((await fleet(['vehicles', 'update', ...chosen, '--year', '2001', '--label', 'Leased', '--yes'])).code).toBe(
      0,
    );
    const changed = Object(
      await jsonOf(fleet, 'vehicles', 'list', '--filter', 'year=2001', '--fields', 'name,assignedLabels.name'),
    );
    expect(names.length).toBeGreaterThan(1);
    expect(changed.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
    expect(changed[0].assignedLabels).toEqual([{ name: 'Leased' }]);
  });

  test.each([
    [['update', '--year', '2001', '--yes'], 2, '<vehicle> is missing'],
    [['update', '', '--year', '2001', '--yes'], 2, '<vehicle> is missing'],
    [['update', '--filter', '', '--year', '2001', '--yes'], 2, 'It is empty'],
    [['update', '--group', '', '--year', '2001', '--yes'], 2, 'One of the names is empty'],
    [['update', ...vans, '--yes'], 2, 'No change is given'],
    [['update', ...vans, '--year', '2001'], 2, 'Add --yes'],
    [['update', 'Van 01', ...vans, '--year', '2001', '--yes'], 2, 'Give either vehicles'],
    [['update', ...vans, '--input', 'x.csv', '--yes'], 2, 'given twice'],
    [['update', 'Van 01', 'Van', '--year', '2001', '--yes'], 5, '1 of 2 names are not clear'],
    [['update', ...vans, '--type', 'Vann', '--yes'], 5, 'There is no vehicle type "Vann"'],
    [['set-field', 'Cost centre', '4300', '--yes'], 2, 'The value of the field is missing'],
    [['set-field', 'Cost centre', ...vans, '--yes'], 2, 'The value of the field is missing'],
    [['set-field', 'Cost centre', '4300', ...vans], 2, 'Add --yes'],
    [['set-field', 'Van 01', 'Cost centre', '4300', ...vans, '--yes'], 2, 'Give either vehicles'],
    [['set-field', 'Cost centre', '4300', '--label', 'Leas', '--yes'], 5, 'There is no label "Leas"'],
  ])('%j changes nothing', async (words, exitCode, said) => {
    const { fleet, sent } = world();
    const { code, stdout, stderr } = await fleet(['vehicles', ...words]);
    expect({ code, stdout, stderr }).toEqual({ code: exitCode, stdout: '', stderr: expect.stringContaining(said) });
    expect(sent()).not.toContain('updateVehicle');
    expect(sent()).not.toContain('updateVehicleCustomField');
  });

  test('a selection without a vehicle changes nothing, and is no error', async () => {
    const { fleet } = world();
    const words = ['vehicles', 'update', '--filter', 'name=Ship*', '--year', '2001', '--yes'];
    expect(await fleet(words, { terminal: 80 })).toMatchObject({ code: 0, stderr: 'No row matches the filter.\n' });
    expect(await fleet([...words, '-o', 'json'])).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('an incomplete list of vehicles changes nothing', async () => {
    const made = service();
    const fetch: typeof made.fetch = async (url, init) => {
      const response = await made.fetch(url, init);
      if (!String(init?.body ?? '').includes('getVehicles')) return response;
      const body = JSON.parse(await response.text());
      return Response.json({ ...body, errors: [{ message: 'Half', path: ['getVehicles', 0, 'name'] }] });
    };
    const whole = await shellOf('demo', fetch)(['vehicles', 'update', ...vans, '--year', '2001', '--yes']);
    expect(whole).toMatchObject({ code: 6, stderr: expect.stringContaining('only in part. Nothing was changed.') });
  });

  test('set-field: -o json has the outcome of each, and the same command retries the failed ones', async () => {
    const made = service();
    const fleet = shellOf('demo', made.fetch);
    made.faults.add({ kind: 'graphqlError', operation: 'updateVehicleCustomField', message: 'Closed', times: 1 });
    const words = ['vehicles', 'set-field', 'Cost centre', '4300', ...vans, '--yes', '-o', 'json'];
    const { code, stdout } = await fleet(words);
    expect(code).toBe(6);
    expect(JSON.parse(stdout).map(({ name, status }: Record<string, unknown>) => [name, status])).toEqual([
      ['Van 01', 'failed'],
      ['Van 02', 'done'],
      ['Van 03', 'done'],
    ]);
    const again = await fleet(words);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject([{ name: 'Van 01', status: 'done' }]);
    expect(await valuesOf(fleet, 'Cost centre')).toMatchObject({ 'Van 01': '4300' });
  });

  test('update --input takes the names of a vehicle type and of labels', async () => {
    const { fleet } = world();
    const input = '{"id":"Van 01","vehicleTypeId":"Truck","labelIds":["Leased"]}';
    expect((await fleet(['vehicles', 'update', '--input', '-'], { input })).code).toBe(0);
    expect(await recordOf(fleet, 'vehicles', 'get', 'Van 01')).toMatchObject({
      vehicleType: { name: 'Truck' },
      assignedLabels: [{ name: 'Leased' }],
    });
  });
});

describe('geofences groups', () => {
  test('takes several, or those of a filter', async () => {
    const made = service();
    const fleet = shellOf('demo', made.fetch);
    const changed = async (...words: readonly string[]) => {
      const rows = Object(await jsonOf(fleet, 'geofences', 'groups', '--yes', ...words));
      return rows.map(({ status }: { status: string }) => status);
    };
    expect(await changed('Depot Tartu', 'Depot Madrid', '--add', 'Winter roster')).toEqual(['done', 'done']);
    const depots = Object(await jsonOf(fleet, 'geofences', 'list', '--filter', 'type=DEPOT'));
    expect(await changed('--filter', 'type=DEPOT', '--add', 'Winter roster')).toHaveLength(depots.length);
    made.clearRequests();
    const { code, stderr } = await fleet(['geofences', 'groups', 'Depot Tartu', 'Depot', '--add', 'Winter roster']);
    expect(code).toBe(5);
    expect(stderr).toContain('1 of 2 names are not clear. Nothing was changed.');
    expect(made.requests.flatMap(({ operations }) => operations)).not.toContain('changeGeofenceGroups');
  });
});

test('a partly made change is reported', async () => {
  const { fleet } = world();
  const input = JSON.stringify({ model: 'M2', customFields: { Nothing: '1' } });
  const { code, stderr } = await fleet(['vehicles', 'update', 'Van 01', '--input', '-'], { input });
  expect(code).not.toBe(0);
  expect(stderr).toContain('Before that, 1 of the 2 requests of this change succeeded.');
  const misspelled = await fleet(['vehicles', 'update', 'Van 01', '--input', '-'], {
    input: JSON.stringify({ customFields: { 'Cost center': '1' } }),
  });
  expect(misspelled).toMatchObject({ code: 5, stdout: '' });
  expect(misspelled.stderr).toContain('Did you mean "Cost centre"?');
});
