// `fleet api`: reads documents from any source, and types variables by their declarations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVariables } from '../../src/cli/api/variables.js';
import { service, shellOf } from './harness.js';

const files: Record<string, string> = { '@file': '{"a":1}', '-': '["x"]' };
const read = (document: string, ...pairs: string[]) =>
  readVariables(document, pairs, async (source) => files[source] ?? '');
const declare = (type: string) => `query ($v: ${type}) { f(v: $v) }`;

describe('variables', () => {
  test.each<[type: string, texts: string[], value: unknown]>([
    ['Int', ['42'], 42],
    ['Int!', ['-7'], -7],
    ['Long', ['9007199254740991'], 9007199254740991],
    ['Float', ['1.5e3'], 1500],
    ['Float', ['null'], null],
    ['Boolean!', ['false'], false],
    ['String', ['42'], '42'],
    ['String', ['null'], 'null'],
    ['String', ['@file'], '@file'],
    ['String', ['{"a":1}x=='], '{"a":1}x=='],
    ['UUID!', ['abc'], 'abc'],
    ['DateTime', ['2026-03-01T08:30:00Z'], '2026-03-01T08:30:00Z'],
    ['JSON', ['[1,2]'], [1, 2]],
    ['GeofenceInput!', ['{"name":"x"}'], { name: 'x' }],
    ['GeofenceInput', ['@file'], { a: 1 }],
    ['[UUID!]!', ['a', 'b'], ['a', 'b']],
    ['[UUID!]!', ['a'], ['a']],
    ['[Int]', ['[1,null]'], [1, null]],
    ['[Int!]', ['1', '2'], [1, 2]],
    ['[String]', ['-'], ['x']],
    ['[String]', ['null'], null],
    ['Filter', ['{"a":1}'], { a: 1 }],
    ['Colour', ['RED'], 'RED'],
  ])('%s of %j', async (type, texts, value) => {
    expect(await read(declare(type), ...texts.map((text) => `v=${text}`))).toEqual({ v: value });
  });

  test.each([
    ['Int', 'v=1.5'],
    ['Int', 'v=99999999999999999999'],
    ['Float', 'v=abc'],
    ['Boolean', 'v=yes'],
    ['JSON', 'v={'],
    ['[Int]', 'v=[1'],
    ['Int', 'w=1'],
    ['Int', 'v'],
    ['Int', '=1'],
  ])('%s refuses %s', async (type, pair) => {
    await expect(read(declare(type), pair)).rejects.toMatchObject({ code: 'USAGE' });
  });

  test.each<[type: string, pair: string, value: unknown]>([
    ['String', 'v:=null', null],
    ['String', 'v:="null"', 'null'],
    ['String', 'v=:=null', ':=null'],
    ['UUID', 'v:=null', null],
    ['Int', 'v:=7', 7],
    ['[String]', 'v:=["a",null]', ['a', null]],
    ['Colour', 'v:=null', null],
    ['GeofenceInput!', 'v:=@file', { a: 1 }],
  ])('%s of %s: the value after := is JSON', async (type, pair, value) => {
    expect(await read(declare(type), pair)).toEqual({ v: value });
  });

  test.each([
    [['v:=nope'], 'JSON of type'],
    [['v:=1', 'v:=2'], 'twice, once as JSON'],
    [['v=1', 'v:=2'], 'twice, once as JSON'],
    [['v:=1', 'v=2'], 'twice, once as JSON'],
    [['w:=1'], 'declares no variable $w'],
    [[':=1'], 'does not have the form'],
  ])('%j is refused', async (pairs, why) => {
    await expect(read(declare('[Int]'), ...pairs)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(why),
    });
  });

  test.each([
    ['v:=sesame', 'The syntax error is at line 1, column 1.'],
    ['v:={"word": sesame}', 'The syntax error is at line 1, column 10.'],
    ['v:=["sesame', 'It ends before it is complete.'],
  ])('%j is refused without a character of the value', async (pair, hint) => {
    const refused = await read(declare('[Int]'), pair).catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: 'The variable $v must be JSON of type [Int].', hint });
  });

  test('a required variable must be given, an optional one need not', async () => {
    await expect(read(declare('Int!'))).rejects.toMatchObject({ code: 'USAGE' });
    expect(await read(declare('Int'))).toEqual({});
    expect(await read('query ($v: Int! = 3) { f(v: $v) }')).toEqual({});
  });

  test('two values for a variable that is not a list are refused', async () => {
    await expect(read(declare('Int'), 'v=1', 'v=2')).rejects.toMatchObject({ code: 'USAGE' });
  });

  test.each(['{ f', 'query a { f } query b { f }', 'fragment F on T { f }', ''])(
    'the document %j is refused',
    async (text) => {
      await expect(read(text)).rejects.toMatchObject({ code: 'USAGE' });
    },
  );
});

describe('fleet api', () => {
  const document = 'query ($id: UUID!) { getVehicleById(id: $id) { name latestData { gps { latitude } } } }';

  test('takes the document from the command line, a file and stdin, and prints data', async () => {
    const fleet = shellOf('demo', service().fetch);
    const [{ id }] = JSON.parse((await fleet(['vehicles', 'list', '-o', 'json'])).stdout);
    const file = join(fleet.folder, 'query.graphql');
    writeFileSync(file, document);
    const direct = await fleet(['api', document, '-v', `id=${id}`]);
    expect(direct).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(direct.stdout)).toMatchObject({ getVehicleById: { name: 'Van 01' } });
    expect(await fleet(['api', `@${file}`, '-v', `id=${id}`])).toEqual(direct);
    expect(await fleet(['api', '-', '--variable', `id=${id}`], { input: document })).toEqual(direct);
    const line = await fleet(['api', document, '-v', `id=${id}`, '-o', 'ndjson']);
    expect(line.stdout).toBe(`${JSON.stringify(JSON.parse(direct.stdout))}\n`);
  });

  test('prints JSON whatever FLEET_OUTPUT is, and refuses other formats', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { stdout } = await fleet(['api', '{ getRoles { id } }'], { env: { FLEET_OUTPUT: 'csv' } });
    expect(JSON.parse(stdout).getRoles.length).toBeGreaterThan(0);
    expect((await fleet(['api', '{ getRoles { id } }', '-o', 'csv'])).code).toBe(2);
  });

  test('sends nothing when the document or a file cannot be read', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    for (const said of ['{ nope', '@nowhere.graphql', '']) {
      expect(await fleet(['api', said])).toMatchObject({ code: 2, stdout: '' });
    }
    expect(world.requests).toHaveLength(0);
  });

  test('shows in its help how to write a null', async () => {
    expect((await shellOf('demo', service().fetch)(['api', '--help'])).stdout).toContain('name:=null');
  });

  test('prints the errors of the service for a document that it refuses', async () => {
    const { code, stdout, stderr } = await shellOf('demo', service().fetch)(['api', '{ nope }']);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain('Cannot query field "nope"');
  });
});
