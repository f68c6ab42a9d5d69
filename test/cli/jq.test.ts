// The output of --jq, and its errors before anything is sent.
import { describe, expect, test, vi } from 'vitest';
import { type Place, service, shellOf } from './harness.js';

const run = (words: readonly string[], place: Place = {}) => shellOf('demo', service().fetch)(words, place);
const list = ['vehicles', 'list', '--limit', '2'];

test.each([
  // Several results: texts, an object, a number, a text of two lines, and one with an emoji.
  [
    [...list, '--jq', '.[].name, (.[0] | {name, plate: .licensePlate}), length, (map(.name) | join("\\n")), "  ä😀"'],
    /^Van 01\nTruck 01\n\{"name":"Van 01","plate":"[^"]+"\}\n2\nVan 01\nTruck 01\n {2}ä😀\n$/u,
  ],
  [[...list, '--jq', '-length'], '-2\n'],
  [[...list, '--jq', 'empty'], ''],
  [[...list, '-o', 'ndjson', '--jq', '.name'], 'Van 01\nTruck 01\n'],
  [[...list, '-o', 'json', '--fields', 'name', '--jq', '.[0]|keys[]'], 'name\n'],
  [['vehicles', 'get', 'Van 01', '--jq', '.name'], 'Van 01\n'],
  [
    ['groups', 'create', '--name', 'New', '--dry-run', '--jq', '.variables.groupInput.name // .operation'],
    /^(New|createGroup)\n$/,
    10,
  ],
  [['api', '{ getLabels { name } }', '--jq', 'type'], 'object\n'],
] as const)('%j', async (words, expected, exitCode: 0 | 10 = 0) => {
  const { code, stdout, stderr } = await run([...words, '--quiet']);
  expect({ code, stderr }).toEqual({ code: exitCode, stderr: '' });
  expect(stdout).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected.replace(/[-$^]/g, '\\$&')}$`));
});

describe('before anything is sent', () => {
  test.each([
    [['--jq', '.[0'], 'jq cannot read the expression', 'unexpected end of file'],
    [['--jq', 'nothing(1)'], 'jq cannot read the expression', 'nothing/1 is not defined'],
    [['--jq', '.name', '-o', 'csv'], '--jq reads JSON, and -o asks for csv', 'Leave out -o'],
    [['--jq', ' '], 'is empty', ''],
  ])('%j is refused', async (words, message, detail) => {
    const fetch = vi.fn();
    const { code, stdout, stderr } = await shellOf('demo', fetch)([...list, ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.replace('It is empty', 'is empty')).toContain(message);
    expect(stderr).toContain(detail);
    expect(stderr).not.toContain('Unix shell');
    expect(fetch).not.toHaveBeenCalled();
  });

  test('so is a watch, which has no end', async () => {
    const { code, stderr } = await run(['vehicles', 'status', '--watch', '--jq', '.']);
    expect(code).toBe(2);
    expect(stderr).toContain('--watch');
  });
});

test('an expression that does not fit fails behind the results that it gave', async () => {
  const before = process.exitCode;
  const { code, stdout, stderr } = await run([...list, '--jq', '.[0].name, .name']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: 'Van 01\n' });
  expect(stderr).toContain('does not fit the result.\n  Cannot index array with string "name"');
  expect(process.exitCode).toBe(before);
});

describe('an expression that never ends', () => {
  test('is ended by --timeout', async () => {
    const { code, stdout, stderr } = await run([...list, '--jq', 'def f: f; f', '--timeout', '500ms', '-o', 'json']);
    expect({ code, stdout }).toEqual({ code: 8, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('--jq') });
  });

  test('is ended by an interrupt', async () => {
    const interrupt = new AbortController();
    const world = service();
    // The expression runs after the list has been read.
    const fetch: typeof world.fetch = async (url, init) => {
      const answer = await world.fetch(url, init);
      if (String(init?.body).includes('getVehicles')) setImmediate(() => interrupt.abort());
      return answer;
    };
    const words = [...list, '--jq', 'def f: f; f'];
    const { code, stdout } = await shellOf('demo', fetch)(words, { signal: interrupt.signal });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  });
});

test('a command without JSON says so', async () => {
  const { code, stderr } = await run(['completion', 'bash', '--jq', '.']);
  expect(code).toBe(2);
  expect(stderr).toContain('--jq has no effect on `fleet completion`');
});

test('what reaches a terminal cannot move its cursor', async () => {
  const { stdout } = await run([...list, '--jq', '"\\u001b[2J"'], { terminal: 80 });
  expect(stdout).toBe('\\u001b[2J\n');
  expect((await run([...list, '--jq', '"\\u001b[2J"'])).stdout).toBe('\u001b[2J\n');
});
