// Properties of arbitrary selections: the document is valid, and responses have exactly the
// selected fields. The expected fields come from the schema.
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { contractFields } from '../../../src/contract/selection/fields.js';
import { mergedDocument } from '../../../src/contract/selection/merge.js';
import { withSelection } from '../../../src/contract/selection/selection.js';
import type { Operation } from '../../../src/core/operation.js';
import { fieldMap } from '../../../src/generated/field-map.js';
import { operations } from '../../../src/generated/operation-table.js';
import type { OperationName } from '../../../src/index.js';
import { makeClient, makeService } from '../../request/setup.js';
import { runs } from '../../runs.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const ofRecords: readonly Operation[] = Object.values(operations).filter(({ returns }) => !returns.leaf);

type Select = true | { readonly [name: string]: Select };

/** Generates selections on a type with a limited depth. */
function selections(type: string, levels: number): fc.Arbitrary<Select> {
  const fields = [...contractFields(type)].filter(([, field]) => field.leaf || levels > 1 || hasLeaves(field.type));
  const below = fields.map(([name, field]): [string, fc.Arbitrary<Select>] => {
    if (field.leaf) return [name, fc.constant(true)];
    return [name, levels > 1 ? fc.constant(null).chain(() => selections(field.type, levels - 1)) : fc.constant(true)];
  });
  const object = fc
    .shuffledSubarray(below, { minLength: 1, maxLength: Math.min(6, below.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)));
  return hasLeaves(type)
    ? fc.oneof({ arbitrary: object, weight: 5 }, { arbitrary: fc.constant<Select>(true), weight: 1 })
    : object;
}

function hasLeaves(type: string): boolean {
  return [...contractFields(type).values()].some(({ leaf }) => leaf);
}

const chosenOperation = fc
  .constantFrom(...ofRecords)
  .chain((operation) => selections(operation.returns.type, 4).map((select) => ({ operation, select })));

describe('the field map', () => {
  test('has every record type of the schema with every field, and no other', () => {
    const records = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__') && name !== 'Query' && name !== 'Mutation');
    expect(Object.keys(fieldMap).sort()).toEqual(records.map(({ name }) => name).sort());
    for (const record of records) {
      const expected = Object.values(record.getFields()).map(({ name, type }) => {
        const named = getNamedType(type);
        return [name, { type: named.name, list: isListType(getNullableType(type)), leaf: isLeafType(named) }];
      });
      expect([...contractFields(record.name)]).toEqual(expected);
    }
  });

  test('knows nothing of other names', () => {
    for (const name of ['Query', 'String', 'constructor', '__proto__', '']) expect(contractFields(name).size).toBe(0);
  });
});

describe('for any selection', () => {
  test('the document is valid, alone and merged', () => {
    fc.assert(
      fc.property(fc.array(chosenOperation, { minLength: 1, maxLength: 3 }), (all) => {
        const selected = all.map(({ operation, select }) => withSelection(operation, select));
        for (const { document } of selected) expect(validate(schema, parse(document))).toEqual([]);
        const queries = selected.filter(({ mergeable }) => mergeable);
        if (queries.length === 0) return;
        const variables = Object.fromEntries(queries.flatMap(({ args }) => args.map(({ name }) => [name, 'x'])));
        const { document } = mergedDocument(queries.map((field) => ({ field, variables })));
        expect(validate(schema, parse(document))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  test('the order it is written in does not matter', () => {
    fc.assert(
      fc.property(chosenOperation, ({ operation, select }) => {
        expect(withSelection(operation, reversed(select))).toBe(withSelection(operation, select));
      }),
    );
  });

  test('the service answers with exactly what was selected', async () => {
    const fleet = makeClient(makeService());
    const [vehicle] = await fleet.getVehicles();
    const vehicleId = vehicle?.id ?? '';
    const variables: { readonly [name in OperationName]?: object } = {
      getVehicles: {},
      getVehicleById: { id: vehicleId },
      getGroups: {},
      getPeople: {},
      getRules: {},
      getGeofences: {},
      getWorkSchedules: {},
      getLatestSnapshots: { vehicleIds: [vehicleId] },
      getSnapshots: { vehicleId, from: '2026-03-01T11:30:00Z', to: '2026-03-01T12:00:00Z' },
    };
    const calls = ofRecords.filter(({ name }) => variables[name]);
    const property = fc
      .constantFrom(...calls)
      .chain((operation) => selections(operation.returns.type, 3).map((select) => ({ operation, select })));
    await fc.assert(
      fc.asyncProperty(property, async ({ operation: { name, returns }, select }) => {
        // TypeScript cannot call a method of a union of names.
        const method = fleet[name].bind(fleet) as unknown as (variables: unknown, options: unknown) => Promise<unknown>;
        const result = await method(variables[name], { select });
        for (const record of [result].flat()) expectExactly(record, select, returns.type, name);
      }),
      { numRuns: runs(150) },
    );
  });
});

function reversed(select: Select): Select {
  if (select === true) return true;
  return Object.fromEntries(
    Object.entries(select)
      .reverse()
      .map(([name, below]) => [name, reversed(below)]),
  );
}

function expectExactly(record: unknown, select: Select, type: string, path: string): void {
  if (record === null) return;
  if (typeof record !== 'object') throw new Error(`${path} is no record`);
  const fields = contractFields(type);
  const expectedFields =
    select === true ? [...fields].filter(([, { leaf }]) => leaf).map(([name]) => name) : Object.keys(select);
  expect(Object.keys(record).sort(), path).toEqual(expectedFields.sort());
  if (select === true) return;
  for (const [name, below] of Object.entries(select)) {
    const field = fields.get(name);
    if (!field || field.leaf) continue;
    const value: unknown = Reflect.get(record, name);
    expect(value === null || Array.isArray(value) === field.list, `${path}.${name}`).toBe(true);
    for (const one of [value].flat()) expectExactly(one, below, field.type, `${path}.${name}`);
  }
}
