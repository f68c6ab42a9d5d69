// schema.graphql has everything that the contract names, and marks everything else as assumed.
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { assumedPart } from '../../codegen/assumed.js';
import { canBus, canBusUnits, inputs, mutations, queries, records, snapshotGroups } from './tables.js';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));

function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is not an object type of the schema`);
  return type;
}

const rootFields = (type: GraphQLObjectType | null | undefined) =>
  Object.values(type?.getFields() ?? {}).map((field) => {
    const args = field.args.map((arg) => `${arg.name}:${String(arg.type)}`).join(',');
    return `${field.name}${args ? `(${args})` : ''}:${String(field.type)}`;
  });

/** True when the type of an untyped contract field is marked as assumed, here or on the type. */
function isMarked(field: GraphQLField<unknown, unknown>): boolean {
  return assumedPart(field) !== null || assumedPart(getNamedType(field.type)) !== null;
}

describe('root fields', () => {
  test('the queries with exactly their arguments and types', () => {
    expect(rootFields(schema.getQueryType()).sort()).toEqual([...queries].sort());
  });

  test('the mutations with exactly their arguments and types', () => {
    expect(rootFields(schema.getMutationType()).sort()).toEqual([...mutations].sort());
  });

  test('getDeviceBySerial is deprecated in favour of getDevicesBySerial, and nothing else is', () => {
    const all = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    const deprecated = all.filter((field) => field.deprecationReason);
    expect(deprecated.map((field) => [field.name, field.deprecationReason])).toEqual([
      ['getDeviceBySerial', 'Use getDevicesBySerial.'],
    ]);
  });

  test('setPersonCustomRoles says that it is to be superseded', () => {
    expect(schema.getMutationType()?.getFields().setPersonCustomRoles?.description).toMatch(/superseded/);
  });

  test('every root field is described', () => {
    for (const type of [schema.getQueryType(), schema.getMutationType()]) {
      for (const field of Object.values(type?.getFields() ?? {})) expect(field.description, field.name).toBeTruthy();
    }
  });
});

describe('records', () => {
  test.each(Object.entries({ ...records, CanBus: canBus }))('%s has exactly its fields', (name, fields) => {
    expect(Object.keys(objectType(name).getFields()).sort()).toEqual(Object.keys(fields).sort());
  });

  test.each(Object.entries({ ...records, CanBus: canBus }))(
    '%s: types as stated, or marked assumed',
    (name, fields) => {
      for (const field of Object.values(objectType(name).getFields())) {
        const stated = fields[field.name];
        if (stated !== '?') expect(String(field.type), field.name).toBe(stated);
        else if (isLeafType(getNamedType(field.type))) expect(isMarked(field), field.name).toBe(true);
      }
    },
  );

  test.each(Object.entries(snapshotGroups))('the snapshot group %s has exactly its members', (group, members) => {
    const field = objectType('CommonFormat').getFields()[group];
    const type = field && getNamedType(field.type);
    if (!isObjectType(type)) throw new Error(`${group} is not an object`);
    expect(Object.keys(type.getFields()).sort()).toEqual(Object.keys(members).sort());
    for (const member of Object.values(type.getFields())) {
      const stated = members[member.name];
      if (stated === '?') expect(assumedPart(member), member.name).toBe('LEAF_TYPE');
      else expect(String(member.type), member.name).toBe(stated);
    }
  });

  test('LatestData members that are snapshot groups share their types; all others are marked STRUCTURE', () => {
    const snapshot = objectType('CommonFormat').getFields();
    for (const field of Object.values(objectType('LatestData').getFields())) {
      if (field.name === 'timestamp') expect(assumedPart(field)).toBe('LEAF_TYPE');
      else if (snapshot[field.name]) expect(String(field.type)).toBe(String(snapshot[field.name]?.type));
      else expect(assumedPart(field), field.name).toBe('STRUCTURE');
    }
  });

  test('map types are assumed structures: the contract names none of their members', () => {
    const maps = Object.values(schema.getTypeMap()).filter((type) => type.name.endsWith('Map'));
    expect(maps).toHaveLength(8);
    for (const type of maps) expect(assumedPart(type), type.name).toBe('STRUCTURE');
    expect(String(objectType('TirePressureMap').getFields().key?.type)).toBe('[Int]');
  });

  test('every CAN bus unit of the contract stands in the description of its field', () => {
    const fields = objectType('CanBus').getFields();
    for (const [unit, names] of Object.entries(canBusUnits)) {
      for (const name of names) expect(` ${fields[name]?.description}`, name).toMatch(new RegExp(`\\b${unit}\\b`));
    }
  });

  test('the units the contract states nowhere are not stated as facts', () => {
    const fields = objectType('CanBus').getFields();
    for (const name of ['canrpm', 'canFuelUsed', 'canhrFuelUsed', 'canEngineHours', 'deltaFuelUsed', 'massAirFlow']) {
      expect(fields[name]?.description, name).toMatch(/contract states no unit/);
    }
  });
});

describe('inputs', () => {
  test.each(Object.entries(inputs))('%s as the contract shows it', (name, fields) => {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) throw new Error(`${name} is not an input`);
    const shown = Object.values(type.getFields()).map((field) => [field.name, String(field.type)]);
    expect(Object.fromEntries(shown)).toEqual(fields);
    expect(assumedPart(type)).toBeNull();
  });

  test('every other input is marked as assumed', () => {
    const others = Object.values(schema.getTypeMap()).filter((type) => isInputObjectType(type) && !inputs[type.name]);
    expect(others.length).toBeGreaterThan(0);
    for (const type of others) expect(assumedPart(type), type.name).toBe('INPUT');
  });
});

test('every mark gives its reason', () => {
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const uses = text.split('@assumed(').slice(2);
  for (const use of uses) expect(use).toMatch(/reason:\s*"[^"]{10,}"/);
});
