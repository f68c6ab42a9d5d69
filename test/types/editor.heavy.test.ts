// The types and documentation that an editor shows for programs with the SDK.
import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isLeafType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { defaultTree, type SelectionTree } from '../../src/contract/selection/tree.js';
import type { Operation } from '../../src/core/operation.js';
import { operations } from '../../src/generated/operation-table.js';
import { open } from './editor.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const program =
  "import { FleetClient, type Selection, withIds } from '../../src/index.js';\ndeclare const fleet: FleetClient;\n";

describe('a result is shown', () => {
  const editor = open(`${program}
    const /*rows*/rows = await fleet.getVehicles();
    const /*one*/one = await fleet.getVehicleById({ id: '' });
    const /*snapshots*/snapshots = await fleet.getLatestSnapshots({ vehicleIds: [] });
    const /*created*/created = await fleet.createGeofence({ geofenceInput: {} });
    const /*changed*/changed = await fleet.changeVehicleGroups({ vehicleId: '' });
    const /*ids*/ids = await fleet.changeVehiclesGroup({ vehicleIds: [], sourceGroupId: '', destinationGroupId: '' });
    const /*shape*/shape = created?.geojson;
    const /*selected*/selected = await fleet.getVehicles({}, { select: { id: true, lastData: { gps: { speed: true } } } });
    const /*certain*/certain = withIds(rows);
    const /*id*/id = certain[0]?.id;
  `);

  test('in a program that compiles', () => {
    expect(editor.problems).toEqual([]);
  });

  test.each([
    ['rows', 'Vehicle[]'],
    ['one', 'Vehicle | null'],
    ['snapshots', 'Snapshot[]'],
    ['created', 'Geofence | null'],
    ['changed', 'VehicleGroupChange | null'],
    ['ids', 'string[]'],
    ['shape', 'GeoJSON | null | undefined'],
    ['selected', '{ id: string | null; lastData: { gps: { speed: number | null; } | null; } | null; }[]'],
    ['certain', '(Vehicle & { readonly id: string; })[]'],
    ['id', 'string | undefined'],
  ])('%s as %s', (mark, shown) => {
    expect(editor.hover(mark).type.replace(/\s+/g, ' ')).toBe(`const ${mark}: ${shown}`);
  });
});

describe('a mistake in select reads as any other', () => {
  const suggestion = (wrong: string, right: string) =>
    new RegExp(`'${wrong}' does not exist in type '.*Selection.*'\\. Did you mean to write '${right}'\\?$`);

  test.each<[string, string, RegExp]>([
    ['alone', 'fleet.getVehicles({}, { select: { licencePlate: true } })', suggestion('licencePlate', 'licensePlate')],
    [
      'beside a field',
      'fleet.getVehicles({}, { select: { id: true, licencePlate: true } })',
      suggestion('licencePlate', 'licensePlate'),
    ],
    [
      'below, beside a field',
      'fleet.getVehicles({}, { select: { lastData: { gps: { speed: true, lattitude: true } } } })',
      suggestion('lattitude', 'latitude'),
    ],
    [
      'after variables',
      "fleet.getVehicleById({ id: '' }, { select: { id: true, licencePlate: true } })",
      suggestion('licencePlate', 'licensePlate'),
    ],
    [
      'an option',
      'fleet.getVehicles({}, { timeout: 1 })',
      /'timeout' does not exist .*Did you mean to write 'timeoutMs'\?$/,
    ],
    [
      'an empty object',
      'fleet.getVehicles({}, { select: {} })',
      /not assignable to .*WrongSelection<"nothing is selected">/,
    ],
  ])('%s', (_name, call, message) => {
    const { problems } = open(`${program}void ${call};`);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});

describe('hovering over a field shows its description', () => {
  // One operation for each record type, and one with latestData.
  const calls: readonly [Operation, string][] = [
    [operations.getVehicleById, "{ id: '' }"],
    [operations.getSnapshots, "{ vehicleId: '', from: '', to: '' }"],
    [operations.getDeviceById, "{ id: '' }"],
    [operations.getGroups, '{}'],
    [operations.getGeofences, '{}'],
    [operations.getPeople, '{}'],
    [operations.getRules, '{}'],
    [operations.getWorkSchedules, '{}'],
    [operations.getDriverAssignments, "{ input: { vehicleId: '' } }"],
    [operations.createDriverToken, '{ createDriverTokenInput: {} }'],
    [operations.getVehicleMappedSensors, "{ vehicleId: '' }"],
    [operations.getMetaSensors, '{}'],
    [operations.getUserInfo, '{}'],
    [operations.getWrappedReport, '{ input: {} }'],
    [operations.getWrappedReportInputs, '{}'],
    [operations.changeVehicleGroups, "{ vehicleId: '' }"],
  ];

  test('in results', () => {
    const all = calls.map(([operation]) => ({
      operation,
      fields: describedFields(operation.returns.type, defaultTree(operation)),
    }));
    const editor = open(
      program +
        calls
          .map(
            ([{ name }, variables], at) =>
              `{ const [row] = [await fleet.${name}(${variables})].flat(); ${uses(all[at])} }`,
          )
          .join('\n'),
    );
    expect(editor.problems).toEqual([]);
    for (const { operation, fields } of all) {
      expect(fields.length).toBeGreaterThan(0);
      for (const { mark, description } of fields)
        expect(editor.hover(`${operation.name} ${mark}`).says).toBe(description);
    }
  });

  test('in select, and in what it returns', () => {
    const all = calls.map(([operation, variables]) => {
      const tree = wholeTree(operation.returns.type, new Set());
      return { operation, variables, tree, fields: describedFields(operation.returns.type, tree) };
    });
    const editor = open(
      program +
        all
          .map((each) => {
            const { name } = each.operation;
            const call = `fleet.${name}(${each.variables}, { select: ${written(each.tree, `select ${name}`)} })`;
            return `{ const [row] = [await ${call}].flat(); ${uses(each)} }`;
          })
          .join('\n'),
    );
    expect(editor.problems).toEqual([]);
    for (const { operation, fields } of all) {
      for (const { mark, description } of fields) {
        expect(editor.hover(`${operation.name} ${mark}`).says).toBe(description);
        expect(editor.hover(`select ${operation.name}.${mark}`).says).toBe(description);
      }
    }
  });

  test('in a selection of its own type', () => {
    const editor = open(`${program}
      const slim = { /*odometer*/lastOdometer: true, lastData: { canBus: { /*distance*/canDistance: true } } } satisfies Selection<'getVehicles'>;
      void slim;`);
    expect(editor.problems).toEqual([]);
    expect(editor.hover('odometer').says).toMatch(/^Newest odometer reading\./);
    expect(editor.hover('distance').says).toBe('Odometer in km.');
  });
});

describe('what the contract says of units', () => {
  const units = {
    percent:
      'acceleratorPedalPosition brakePedalPosition canTripFuelUsedPercent engineCoolantLevel engineOilLevel enginePercentLoad engineThrottlePosition oilLifeRemaining washerFluidLevel',
    kPa: 'barometricPressure brakeApplicationPressure engineCoolantPressure engineOilPressure fuelDeliveryPressure tirePressurePlacardFront tirePressurePlacardRear',
    'degrees C':
      'ambientAirTemperature engineOilTemperature intakeAirTemperature transmissionOilTemperature canEngineCoolantTemperature',
    'm/s2': 'accelerationX accelerationY',
    kg: 'canCombinationWeight combinationWeight canAxleWeight cargoWeight',
    km: 'canDistance canDeltaDistance canTripDistance canServiceDistance',
    'km/h': 'canSpeed canWheelSpeed',
    litres: 'canTripFuelUsed',
    'l/h': 'canFuelRate',
    'km/l': 'canFuelEconomy',
    Nm: 'brakeTorque',
    seconds: 'engineRunTime',
    hours: 'engineIdleTime engineWorkTime',
  };

  test.each(Object.entries(units))('is in the descriptions: %s', (unit, names) => {
    const canBus = schema.getType('CanBus');
    const fields = isObjectType(canBus) ? canBus.getFields() : {};
    for (const name of names.split(' ')) {
      expect(` ${fields[name]?.description?.replace(/[.,]/g, ' ')} `, name).toContain(` ${unit} `);
    }
  });
});

interface Described {
  readonly path: readonly GraphQLField<unknown, unknown>[];
  readonly mark: string;
  readonly description: string;
}

function describedFields(
  type: string,
  tree: SelectionTree,
  above: readonly GraphQLField<unknown, unknown>[] = [],
): readonly Described[] {
  const record = schema.getType(type);
  if (!isObjectType(record)) throw new Error(`${type} is no record type`);
  return Object.entries(tree).flatMap(([name, below]) => {
    const field = record.getFields()[name];
    if (!field) throw new Error(`${type} has no ${name}`);
    const path = [...above, field];
    const mark = path.map((each) => each.name).join('.');
    const own = field.description ? [{ path, mark, description: field.description }] : [];
    return below === true ? own : [...own, ...describedFields(getNamedType(field.type).name, below, path)];
  });
}

/** Returns the fields of a type and of the types below it, each type once. */
function wholeTree(type: string, seen: ReadonlySet<string>): SelectionTree {
  const record = schema.getType(type);
  if (!isObjectType(record)) throw new Error(`${type} is no record type`);
  const here = new Set([...seen, type]);
  return Object.fromEntries(
    Object.values(record.getFields()).flatMap((field): [string, true | SelectionTree][] => {
      const named = getNamedType(field.type);
      if (isLeafType(named)) return [[field.name, true]];
      // Vehicles refer to snapshots and groups, which refer to vehicles.
      if (here.has(named.name) || here.size > 2) return [];
      const below = wholeTree(named.name, here);
      return Object.keys(below).length === 0 ? [] : [[field.name, below]];
    }),
  );
}

function written(tree: SelectionTree, above: string): string {
  const fields = Object.entries(tree).map(([name, below]) => {
    const mark = `${above}.${name}`;
    return `/*${mark}*/${name}: ${below === true ? 'true' : written(below, mark)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

function uses(call: { readonly operation: Operation; readonly fields: readonly Described[] } | undefined): string {
  return (call?.fields ?? [])
    .map(({ path, mark }) => `row?.${read(path, `${call?.operation.name} ${mark}`)};`)
    .join(' ');
}

function read(path: readonly GraphQLField<unknown, unknown>[], mark: string): string {
  return path
    .map((field, step) => {
      if (step === path.length - 1) return `/*${mark}*/${field.name}`;
      return String(field.type).startsWith('[') ? `${field.name}?.[0]` : field.name;
    })
    .join('?.');
}
