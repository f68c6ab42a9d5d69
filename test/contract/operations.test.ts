// operations/ covers every root field once, and selects only what design and contract allow.
import { readdirSync, readFileSync } from 'node:fs';
import {
  buildSchema,
  concatAST,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { assumedPart } from '../../codegen/assumed.js';
import { operations } from '../../src/generated/operation-table.js';
import { records } from './tables.js';

const root = new URL('../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('schema.graphql', root), 'utf8'));
const files = readdirSync(new URL('operations/', root));
const written = concatAST(files.map((file) => parse(readFileSync(new URL(`operations/${file}`, root), 'utf8'))));

const isOperation = (node: DocumentNode['definitions'][number]): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

/** Returns every selected field with its path below the root field and its parent type. */
function reached(document: DocumentNode): { path: string; parent: string; field: string }[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const found: { path: string; parent: string; field: string }[] = [];
  const walk = (set: SelectionSetNode, type: GraphQLOutputType, prefix: string): void => {
    const parent = getNamedType(type);
    if (!isObjectType(parent)) throw new Error(`${prefix} selects below a leaf`);
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value);
        if (!fragment) throw new Error(`no fragment ${node.name.value}`);
        walk(fragment.selectionSet, type, prefix);
      } else if (node.kind === Kind.FIELD) {
        const field = parent.getFields()[node.name.value];
        if (!field) throw new Error(`${parent.name} has no ${node.name.value}`);
        const path = prefix ? `${prefix}.${field.name}` : field.name;
        found.push({ path, parent: parent.name, field: field.name });
        if (node.selectionSet) walk(node.selectionSet, field.type, path);
      } else throw new Error('inline fragments are not used');
    }
  };
  for (const operation of document.definitions.filter(isOperation)) {
    const type = operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
    if (type) walk(operation.selectionSet, type, '');
  }
  return found;
}

const paths = (name: keyof typeof operations) =>
  reached(parse(operations[name].document))
    .map(({ path }) => path.split('.').slice(1).join('.'))
    .filter((path) => path !== '');

describe('coverage', () => {
  const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );

  test('every root field is covered once, by an operation of its name', () => {
    const names = written.definitions.filter(isOperation).map((node) => node.name?.value);
    expect([...names].sort()).toEqual([...rootFields].sort());
  });

  test('the operation table has all of them', () => {
    expect(Object.keys(operations).sort()).toEqual([...rootFields].sort());
    for (const [name, operation] of Object.entries(operations)) expect(operation.name).toBe(name);
  });

  test('operations are valid, and declare exactly the arguments of their root field, under the same names', () => {
    expect(validate(schema, written)).toEqual([]);
    for (const node of written.definitions.filter(isOperation)) {
      const name = node.name?.value ?? '';
      const type = node.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
      const args = type?.getFields()[name]?.args.map((arg) => `${arg.name}: ${String(arg.type)}`);
      const text = readFileSync(new URL(`operations/${files.find((file) => fileHas(file, name))}`, root), 'utf8');
      for (const arg of args ?? []) expect(text).toContain(`$${arg}`);
      expect(node.variableDefinitions).toHaveLength(args?.length ?? 0);
    }
  });

  test('each document of the table is valid on its own', () => {
    for (const operation of Object.values(operations)) {
      expect(validate(schema, parse(operation.document)), operation.name).toEqual([]);
    }
  });
});

function fileHas(file: string, name: string): boolean {
  return new RegExp(`(query|mutation) ${name}\\b`).test(readFileSync(new URL(`operations/${file}`, root), 'utf8'));
}

describe('selection rules', () => {
  test('nothing under an assumed structure, and never latestData', () => {
    for (const operation of Object.values(operations)) {
      for (const { path, parent, field } of reached(parse(operation.document))) {
        const type = schema.getType(parent);
        if (!isObjectType(type)) throw new Error(parent);
        const definition = type.getFields()[field];
        if (!definition) throw new Error(path);
        expect(assumedPart(type), path).not.toBe('STRUCTURE');
        expect(assumedPart(definition), path).not.toBe('STRUCTURE');
        expect(path).not.toMatch(/\blatestData\b/);
      }
    }
  });

  test('fragments are written on types the contract names, never on a type whose name is a guess', () => {
    const named = [...Object.keys(records), 'CanBus'];
    for (const node of written.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) expect(named).toContain(node.typeCondition.name.value);
    }
  });

  test('every leaf of the record an operation returns is selected', () => {
    for (const operation of Object.values(operations)) {
      const type = schema.getType(operation.returns.type);
      if (!isObjectType(type)) continue;
      const selected = paths(operation.name);
      for (const field of Object.values(type.getFields())) {
        if (isLeafType(getNamedType(field.type))) expect(selected, operation.name).toContain(field.name);
      }
    }
  });

  test('Vehicle: relations one level deep, the newest position and ignition, no more', () => {
    const below = paths('getVehicles').filter((path) => path.includes('.'));
    const gps = ['state', 'latitude', 'longitude', 'direction', 'altitude', 'speed', 'satellites', 'hdop'];
    expect(below.sort()).toEqual(
      [
        'assignedGroups.id',
        'assignedGroups.name',
        'assignedDevices.id',
        'assignedDevices.serial',
        'assignedLabels.id',
        'assignedLabels.name',
        'vehicleType.id',
        'vehicleType.name',
        'workSchedule.id',
        'workSchedule.name',
        'customFields.name',
        'customFields.value',
        'lastData.timestamp',
        'lastData.gps',
        ...gps.map((member) => `lastData.gps.${member}`),
        'lastData.ignition',
        'lastData.ignition.engineStatus',
      ].sort(),
    );
  });

  test('Group: vehicleIds but not assignedVehicles', () => {
    expect(paths('getGroups')).toContain('vehicleIds');
    expect(paths('getGroups')).not.toContain('assignedVehicles');
  });

  test('Person: custom fields whole, roles by id and name, driver tokens by id and value', () => {
    const below = paths('getPeople').filter((path) => path.includes('.'));
    expect(below.sort()).toEqual([
      'customFields.name',
      'customFields.value',
      'driverTokens.id',
      'driverTokens.value',
      'roles.id',
      'roles.name',
    ]);
  });

  test('schedule periods, rule vehicles and addresses whole', () => {
    expect(paths('getWorkSchedules')).toEqual(
      expect.arrayContaining(['periods.weekday', 'periods.begin', 'periods.duration']),
    );
    expect(paths('getRules')).toEqual(
      expect.arrayContaining(
        ['assignedVehicleIds', 'assignedGroupIds', 'assignedToAll'].map((name) => `vehicles.${name}`),
      ),
    );
    for (const member of Object.keys(records.Address ?? {})) {
      expect(paths('getGeofences')).toContain(`address.${member}`);
    }
  });

  test('snapshots whole but vehicle and maps, whose members the contract does not name', () => {
    const selected = paths('getSnapshots');
    expect(selected).toEqual(paths('getLatestSnapshots'));
    for (const [group, type] of [...Object.entries({ canBus: 'CanBus', gps: 'Gps', driver: 'Driver', misc: 'Misc' })]) {
      const fields = schema.getType(type);
      if (!isObjectType(fields)) throw new Error(type);
      for (const field of Object.values(fields.getFields())) {
        if (isLeafType(getNamedType(field.type))) expect(selected).toContain(`${group}.${field.name}`);
      }
    }
    for (const path of [
      'vehicle',
      'canBus.canAxleWeights',
      'canBus.tirePressure',
      'canBus.tirePressureStatus',
      'fuel.rawFuel',
      'fuel.fuelLevel',
      'temperatures',
      'fleetMetaSensors',
    ]) {
      expect(selected).not.toContain(path);
    }
  });
});

describe('the operation table', () => {
  test('large answers are never merged, nor is a mutation; every other query may be', () => {
    const unmerged = Object.values(operations).filter(
      (operation) => operation.kind === 'query' && !operation.mergeable,
    );
    expect(unmerged.map((operation) => operation.name).sort()).toEqual(['getSnapshots', 'getWrappedReport']);
    for (const operation of Object.values(operations)) {
      if (operation.kind === 'mutation') expect(operation.mergeable).toBe(false);
    }
  });

  test('kind, arguments, return type and deprecation agree with the schema', () => {
    for (const operation of Object.values(operations)) {
      const type = operation.kind === 'query' ? schema.getQueryType() : schema.getMutationType();
      const field = type?.getFields()[operation.name];
      if (!field) throw new Error(operation.name);
      expect(operation.args.map((arg) => `${arg.name}: ${arg.type}`)).toEqual(
        field.args.map((arg) => `${arg.name}: ${String(arg.type)}`),
      );
      const named = getNamedType(field.type);
      expect(operation.returns).toEqual({
        type: named.name,
        list: String(field.type).startsWith('['),
        leaf: isLeafType(named),
      });
      expect(operation.deprecated).toBe(field.deprecationReason ?? null);
    }
  });
});
