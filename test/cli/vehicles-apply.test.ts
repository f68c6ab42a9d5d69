// `fleet vehicles apply`: fields, custom fields, labels and groups of vehicles from a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonOf } from './golden.js';
import { type Place, service, shellOf } from './harness.js';

const apply = ['vehicles', 'apply', '-', '--input-format', 'csv'];
const people: Place = { terminal: 120, env: { NO_COLOR: '1' } };

/** Returns a new service, and the changes that reach it. */
function world() {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const sent = () => mock.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));
  return { mock, fleet, sent };
}

// The form of Excel in many countries: a byte order mark, semicolons, and CRLF.
const file = [
  '\uFEFFName;Plate;Year;Labels;Groups;customFields.Cost centre',
  'Truck 01;593 NYM;;Leased;Long haul East;4300',
  'Van 01;;;;City deliveries;4100',
  '',
].join('\r\n');

test('shows old and new values with names, asks, sends what differs, and nothing when it runs again', async () => {
  const { fleet, sent } = world();
  const { code, stdout, stderr } = await fleet([...apply, '--dry-run'], { ...people, input: file });
  expect({ code, stdout, stderr }).toEqual({
    code: 10,
    stdout:
      '   NAME      CHANGES\n' +
      '~  Truck 01  licensePlate 911 LTU → 593 NYM, labels none → Leased, customFields.Cost centre 4100 → 4300\n' +
      '~  Van 01    customFields.Cost centre 4000 → 4100\n',
    stderr: '2 to change. Nothing was changed.\n',
  });
  expect(sent()).toEqual([]);
  expect((await fleet(apply, { input: file })).code).toBe(2);
  expect(await fleet([...apply, '--yes'], { input: file })).toMatchObject({
    code: 0,
    stderr: '2 to change\n2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
  });
  expect(sent()).toEqual(['updateVehicle', 'updateVehicleCustomField', 'updateVehicleCustomField']);
  const truck = await jsonOf(fleet, 'vehicles', 'get', 'Truck 01');
  expect(truck).toMatchObject({
    licensePlate: '593 NYM',
    assignedLabels: [{ name: 'Leased' }],
    assignedGroups: [{ name: 'Long haul East' }],
  });
  const again = await fleet([...apply, '--yes'], { input: file });
  expect(again).toMatchObject({ code: 0, stderr: '2 stay as they are. Nothing to do.\n' });
  expect((await fleet([...apply, '--dry-run'], { input: file })).code).toBe(0);
  expect(sent()).toHaveLength(3);
});

test('of the output of a list changes nothing, and an edited label, type or group is sent', async () => {
  const { fleet, sent } = world();
  const { stdout: list } = await fleet(['vehicles', 'list', '-o', 'csv']);
  expect(await fleet([...apply, '--yes'], { input: list })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('6 stay as they are. Nothing to do.'),
  });
  expect(sent()).toEqual([]);
  const input =
    'id,assignedLabels.name,assignedGroups.name,vehicleType.name\nVan 02,null,Winter roster;Deliveries,Truck\n';
  const plan = await fleet([...apply, '--dry-run', '-o', 'json'], { input });
  expect(JSON.parse(plan.stdout)).toMatchObject([
    {
      action: 'update',
      kind: 'vehicle',
      name: 'Van 02',
      changes: [
        { field: 'labelIds', after: [], names: { before: ['Tail lift'], after: [] } },
        { field: 'groupIds', names: { after: ['Winter roster', 'Deliveries'] } },
        { field: 'vehicleTypeId', names: { before: 'Van', after: 'Truck' } },
      ],
    },
  ]);
  expect((await fleet([...apply, '--yes'], { input })).code).toBe(0);
  expect(sent()).toEqual(['updateVehicle', 'changeVehicleGroups']);
  expect(await fleet([...apply, '--yes'], { input })).toMatchObject({
    code: 0,
    stderr: '1 stays as it is. Nothing to do.\n',
  });
});

describe('a vehicle is found', () => {
  test('by id, name, plate or VIN, in any spelling of a plate', async () => {
    const { fleet } = world();
    const van = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01'));
    for (const id of [van.id, van.name, van.vin, van.licensePlate.replace(' ', '').toLowerCase()]) {
      const plan = await fleet([...apply, '--dry-run', '-o', 'json'], { input: `id,make\n${id},X\n` });
      expect(JSON.parse(plan.stdout)).toMatchObject([{ name: 'Van 01', changes: [{ field: 'make' }] }]);
    }
    for (const [column, value] of [
      ['name', van.name],
      ['plate', van.licensePlate],
      ['vin', van.vin],
    ]) {
      const plan = await fleet([...apply, '--dry-run', '-o', 'json'], { input: `${column},make\n${value},X\n` });
      expect(JSON.parse(plan.stdout)).toMatchObject([{ name: 'Van 01', changes: [{ field: 'make' }] }]);
    }
  });

  test('by its plate under a new name, and by its name with a new plate', async () => {
    const { fleet } = world();
    const plan = async (row: string) =>
      JSON.parse((await fleet([...apply, '--dry-run', '-o', 'json'], { input: `name,plate\n${row}\n` })).stdout);
    const van = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01'));
    expect(await plan(`Sprinter,${van.licensePlate}`)).toMatchObject([
      { changes: [{ field: 'name', after: 'Sprinter' }] },
    ]);
    expect(await plan('Van 01,NEW 1')).toMatchObject([{ changes: [{ field: 'licensePlate', after: 'NEW 1' }] }]);
  });
});

test.each([
  ['an unknown vehicle', 'id,make\nVan 99,X\nVan 01,Y\n', 2, 'line 2: there is no vehicle "Van 99"'],
  ['a misspelled name', 'id,make\nVam 01,X\n', 2, 'line 2: there is no vehicle "Vam 01". Did you mean "Van 01"'],
  [
    'a new vehicle',
    'name,make\nNew van,X\n',
    2,
    'The service cannot create or delete vehicles, so a file cannot either.',
  ],
  [
    'two lines of one vehicle',
    'id,make\nVan 01,X\nVan 01,Y\n',
    2,
    'is in the file already, in line 2, with another make',
  ],
  ['an unknown label', 'id,labels\nVan 01,Leasd\n', 2, 'line 2, labelIds: There is no label "Leasd".'],
  ['a misspelled field name', 'id,customFields.Cost center\nVan 01,1\n', 2, 'Did you mean "Cost centre"?'],
  [
    'a custom field named as lists print it',
    'id,Next inspection\nVan 01,1\n',
    2,
    'such as "customFields.Next inspection"',
  ],
  ['a column that is nearly an input', 'id,licnsePlate\nVan 01,1\n', 2, 'did you mean licensePlate?'],
])('%s is refused before anything is changed', async (_, input, expected, said) => {
  const { fleet, sent } = world();
  const { code, stdout, stderr } = await fleet([...apply, '--yes'], { input });
  expect({ code, stdout, sent: sent() }).toEqual({ code: expected, stdout: '', sent: [] });
  expect(stderr).toContain(said);
});

test('the British heading "Licence plate" is the input, too', async () => {
  const { fleet } = world();
  const input = 'Name,Licence plate\nVan 01,NEW 1\n';
  const plan = await fleet([...apply, '--dry-run', '-o', 'json'], { input });
  expect(JSON.parse(plan.stdout)).toMatchObject([{ changes: [{ field: 'licensePlate', after: 'NEW 1' }] }]);
});

test('--prune is no flag of it', async () => {
  const { fleet } = world();
  expect((await fleet([...apply, '--prune'], { input: file })).stderr).toContain("Unknown option '--prune'");
});

test('custom fields may be an object or a list in JSON and YAML', async () => {
  const { fleet } = world();
  const changes = async (input: string, format: string) => {
    const words = ['vehicles', 'apply', '-', '--input-format', format, '--dry-run', '-o', 'json'];
    const { stdout, stderr } = await fleet(words, { input });
    return stdout === '' ? stderr : JSON.parse(stdout)[0].changes;
  };
  const expected = [{ field: 'customFields.Cost centre', before: '4100', after: '4300' }];
  expect(await changes('- id: Truck 01\n  customFields: { Cost centre: "4300" }\n', 'yaml')).toEqual(expected);
  expect(await changes('[{"id":"Truck 01","customFields":[{"name":"Cost centre","value":"4300"}]}]', 'json')).toEqual(
    expected,
  );
  expect(await changes('[{"id":"Truck 01","customFields":"4300"}]', 'json')).toContain('neither an object nor a list');
});

test('a workbook of Excel is read as it is, from a file and from stdin, with its dates and numbers', async () => {
  const { fleet } = world();
  const workbook = join(import.meta.dirname, 'workbooks', 'vehicles.xlsx');
  const plan = await fleet(['vehicles', 'apply', workbook, '--dry-run', '-o', 'json']);
  expect(plan.code, plan.stderr).toBe(10);
  expect(JSON.parse(plan.stdout)).toMatchObject([
    {
      name: 'Truck 01',
      line: 2,
      changes: [
        { field: 'year', after: 2019 },
        { field: 'customFields.Next inspection', after: '2027-03-15' },
        { field: 'customFields.Cost centre', after: '4100.5' },
        { field: 'labelIds', names: { after: ['Leased'] } },
      ],
    },
    {
      name: 'Van 01',
      line: 4,
      changes: [
        { field: 'customFields.Next inspection', after: '2027-03-16 08:30' },
        { field: 'customFields.Cost centre', after: '4300' },
      ],
    },
  ]);
  expect((await fleet(['vehicles', 'apply', workbook, '--yes'])).code).toBe(0);
  expect((await fleet(['vehicles', 'apply', workbook, '--dry-run'])).code).toBe(0);
  const broken = join(fleet.folder, 'broken.xlsx');
  writeFileSync(broken, readFileSync(workbook).subarray(0, 900));
  const refused = await fleet(['vehicles', 'apply', broken, '--yes']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('it is no workbook that can be read');
});

test('geofences import makes circles of latitude, longitude and radius, and geofences create one of --at', async () => {
  const { fleet, sent } = world();
  const input = 'name;lat;lon;radius\nYard;58,38;26,72;150m\nGate;58.40;26.73;\n';
  const words = ['geofences', 'import', '-', '--input-format', 'csv', '--radius', '200m'];
  expect(await fleet([...words, '--yes'], { input })).toMatchObject({
    code: 0,
    stderr: '2 to create\n2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
  });
  expect(await fleet([...words, '--yes'], { input })).toMatchObject({
    code: 0,
    stderr: '2 stay as they are. Nothing to do.\n',
  });
  const moved = await fleet([...words, '--dry-run'], { ...people, input: input.replace('150m', '0.3km') });
  expect(moved).toMatchObject({
    code: 10,
    stdout: '   NAME  CHANGES\n~  Yard  geojson → circle of 300 m around 58.38000, 26.72000\n',
  });
  // --input describes a circle with the members of a row.
  const created = shellOf('demo', service().fetch);
  const circle = '{"name":"Yard","latitude":58.38,"longitude":26.72,"radius":150}';
  expect((await created(['geofences', 'create', '--input', '-'], { input: circle })).code).toBe(0);
  const row = 'name,lat,lon,radius\nYard,58.38,26.72,150m\n';
  const update = ['geofences', 'update', 'Yard', '--input', '-'];
  for (const radius of ['150m', '1km']) {
    expect(await created([...words, '--yes'], { input: row.replace('150m', radius) })).toMatchObject({
      code: 0,
      stderr: '1 stays as it is. Nothing to do.\n',
    });
    const wider = '{"latitude":58.38,"longitude":26.72,"radius":1000}';
    expect((await created(update, { input: wider })).code).toBe(0);
  }
  const made = await fleet([
    'geofences',
    'create',
    '--name',
    'Door',
    '--at',
    '58.40,26.73',
    '--radius',
    '200m',
    '-o',
    'json',
  ]);
  const gate = Object(await jsonOf(fleet, 'geofences', 'get', 'Gate'));
  expect(JSON.parse(made.stdout).geojson).toEqual(gate.geojson);
  const count = sent().length;
  for (const [rows, said] of [
    ['name,lat,lon\nA,1,2\n', 'line 2: The radius is missing.'],
    ['name,lat,radius\nA,1,5m\n', 'line 2: A circle needs latitude and longitude'],
    ['name,lat,lon,radius\nA,91,2,5m\n', 'its position is out of range'],
    ['name,lat,lon,radius\nA,1,2,far\n', 'line 2: radius is not a distance.'],
  ]) {
    const refused = await fleet(['geofences', 'import', '-', '--input-format', 'csv', '--yes'], { input: rows ?? '' });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(said);
  }
  for (const more of [
    ['--at', '58,26'],
    ['--at', 'Tartu', '--radius', '1km'],
    ['--radius', '1km'],
  ]) {
    expect((await fleet(['geofences', 'create', '--name', 'A', ...more])).code).toBe(2);
  }
  expect(sent()).toHaveLength(count);
});
