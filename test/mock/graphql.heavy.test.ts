// The GraphQL endpoint: accepted requests, refusals and their form.
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../src/generated/operation-table.js';
import type { MockService } from '../../src/mock/service.js';
import { answerOf, type Caller, caller, frozenService, iso, nobody, noon, post } from './caller.js';

let service: MockService;
let demo: Caller;
beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
});

const raw = async (body: string, headers: Record<string, string> = {}) =>
  post(service.fetch, { ...demo.headers, ...headers }, body);

describe('the body', () => {
  test('malformed JSON, no query, wrong members: 400 and a message; another content type: 415; GET: 405', async () => {
    for (const body of [
      '{"query": ',
      '[]',
      '{}',
      'null',
      '{"query": 5}',
      '{"query":"{ getRoles { id } }","variables":[]}',
      '{"query":"{ getRoles { id } }","operationName":1}',
      '{"query":"{ getRoles { id } }","extensions":"x"}',
      '[{"query":"{ getRoles { id } }"}]',
    ]) {
      const answer = await raw(body);
      expect(answer.status, body).toBe(400);
      expect(answer.errors[0]?.extensions.classification).toBe('BAD_REQUEST');
    }
    const body = '{"query":"{ getRoles { id } }"}';
    expect((await raw(body, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await raw(body, { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await raw(body, { 'content-type': 'application/json;charset=UTF-8' })).status).toBe(200);
    const get = await answerOf(
      await service.fetch('http://mock.test/graphql?query={getRoles{id}}', { headers: demo.headers }),
    );
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toBe('POST');
  });

  test('what cannot be executed: 200 as JSON like Spring for GraphQL, 400 as graphql-response+json', async () => {
    for (const [query, classification] of [
      ['{ getRoles { id ', 'InvalidSyntax'],
      ['{ noSuchField }', 'ValidationError'],
      ['query A { getRoles { id } } query B { getRoles { id } }', 'BAD_REQUEST'],
    ]) {
      const body = JSON.stringify({ query });
      const plain = await raw(body);
      expect(plain.status).toBe(200);
      expect(plain.errors[0]?.extensions.classification).toBe(classification);
      expect(plain.text).not.toContain('"data"');
      const strict = await raw(body, { accept: 'application/graphql-response+json, application/json;q=0.9' });
      expect(strict.status).toBe(400);
      expect(strict.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    }
  });
});

describe('values', () => {
  const byId = 'query ($id: UUID!) { getVehicleById(id: $id) { id } }';

  test('refuses ids that are not UUIDs and times that are not valid, without repeating them', async () => {
    const secret = 's3cret'.repeat(50_000);
    for (const id of [secret, '', 5, null, {}, 'zzzzzzzz-9dad-41d1-80b4-00c04fd430c8']) {
      const answer = await demo(byId, { id });
      expect(answer.errors[0]?.extensions.classification).toBe('ValidationError');
      expect(answer.text.length).toBeLessThan(1000);
      expect(answer.text).not.toContain('s3cret');
    }
    expect((await demo(`{ getVehicleById(id: "${secret}") { id } }`)).text.length).toBeLessThan(1000);
    const wrongText = await demo('query ($vin: String!) { getVehiclesByVin(vin: $vin) { id } }', {
      vin: { password: 'hunter2' },
    });
    expect(wrongText.text).not.toContain('hunter2');
    const times = [
      'yesterday',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T25:00:00Z',
      '2025-02-29T00:00:00Z',
      1_700_000_000,
      '2026-01-01 00:00:00Z',
    ];
    for (const from of times) {
      const answer = await demo(
        'query ($v: UUID!, $f: DateTime!, $t: DateTime!) { getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp } }',
        { v: nobody, f: from, t: iso(noon) },
      );
      expect(answer.errors[0]?.extensions.classification, String(from)).toBe('ValidationError');
    }
    expect((await demo(byId, { id: nobody.toUpperCase() })).errors).toEqual([]);
    expect(
      (
        await demo(
          'query ($t: DateTime!) { getSnapshots(vehicleId: "6ba7b810-9dad-41d1-80b4-00c04fd430c8", from: $t, to: $t) { timestamp } }',
          { t: '2024-02-29T23:59:59.123+05:30' },
        )
      ).errors,
    ).toEqual([]);
  });

  test('errors of resolvers carry path, locations and classification, and the rest of the data arrives', async () => {
    const answer = await demo('{ getRoles { name } bad: getDriverAssignments(input: {}) { id } }');
    expect(answer.status).toBe(200);
    expect(answer.data.getRoles.length).toBeGreaterThan(0);
    expect(answer.data.bad).toBeNull();
    expect(answer.errors).toEqual([
      {
        message: expect.any(String),
        path: ['bad'],
        locations: [{ line: 1, column: 21 }],
        extensions: { classification: 'BAD_REQUEST' },
      },
    ]);
  });
});

describe('limits', () => {
  const refusedBecause = async (query: string) => {
    const before = performance.now();
    const answer = await demo(query);
    expect(performance.now() - before).toBeLessThan(3000);
    expect(answer.errors[0]?.extensions.classification).toMatch(/BAD_REQUEST|InvalidSyntax|ValidationError/);
    expect(answer.text.length).toBeLessThan(10_000);
    return answer.errors[0]?.message ?? '';
  };

  test('depth, root fields, fields, repeated fields, length', async () => {
    const nested = (levels: number) =>
      `{ getGroups { ${'assignedVehicles { assignedGroups { '.repeat(levels)} id ${'} }'.repeat(levels)} } }`;
    expect(await refusedBecause(nested(15))).toContain('nested');
    // Aliases do not change the limit.
    const renamed = nested(15).replaceAll('assigned', '__a: assigned');
    expect(await refusedBecause(renamed)).toContain('nested');
    expect(
      await refusedBecause(`{ ${Array.from({ length: 500 }, (_, i) => `a${i}: getRoles { id }`).join(' ')} }`),
    ).toContain('root fields');
    expect(await refusedBecause(`{ getRoles { ${'id '.repeat(5000)} } }`)).toContain('same field');
    expect(await refusedBecause(`{ getRoles { id } } # ${'x'.repeat(600_000)}`)).toContain('longer');
    expect(await refusedBecause(`{ getRoles { id } } ${'fragment F on Role { id } '.repeat(20_000)}`)).toMatch(
      /tokens|longer/,
    );
    const doubling = Array.from(
      { length: 30 },
      (_, i) =>
        `fragment F${i} on Group { a: assignedVehicles { assignedGroups { ...F${i + 1} } } b: assignedVehicles { assignedGroups { ...F${i + 1} } } }`,
    );
    expect(
      await refusedBecause(`{ getGroups { ...F0 } } ${doubling.join(' ')} fragment F30 on Group { id }`),
    ).toBeTruthy();
    expect(
      await refusedBecause(
        '{ getGroups { ...A } } fragment A on Group { assignedVehicles { assignedGroups { ...A } } }',
      ),
    ).toBeTruthy();
  });

  test('relations that lead round in circles are stopped, and the service answers on', async () => {
    const circle = `{ getGroups { ${'assignedVehicles { assignedGroups { '.repeat(7)} id ${'} }'.repeat(7)} } }`;
    const answer = await demo(circle);
    expect(answer.errors.length).toBeGreaterThan(0);
    expect((await demo('{ getRoles { id } }')).status).toBe(200);
  });
});

test('introspection shows the contract without the marks of what this project guessed', async () => {
  const schema = buildClientSchema(await demo.data(getIntrospectionQuery()));
  const text = printSchema(schema);
  expect(text).not.toMatch(/assumed|AssumedPart/i);
  const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  expect(rootFields.sort()).toEqual(Object.keys(operations).sort());
  expect(schema.getQueryType()?.getFields().getDeviceBySerial?.deprecationReason).toBe('Use getDevicesBySerial.');
});
