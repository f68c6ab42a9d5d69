// A word is a flag only where the parser says so, and not as the value of another flag.
import { describe, expect, test } from 'vitest';
import { type Place, service, shellOf } from './harness.js';

const run = (words: readonly string[], place: Place = {}) => shellOf('demo', service().fetch)(words, place);
const esc = '\u001b';

describe('the value of a flag is no flag', () => {
  test('-o json', async () => {
    expect((await run(['vehicles', 'list', '--filter', '-ojson'])).stderr).toMatch(/^error: --filter -ojson/);
  });

  test('--no-color', async () => {
    const place = { terminal: 80, env: { FORCE_COLOR: '1' } };
    expect((await run(['vehicles', 'list', '--filter', '--no-color'], place)).stderr).toContain(`${esc}[31m`);
    expect((await run(['vehicles', 'list', '--filter', 'x', '--no-color'], place)).stderr).not.toContain(esc);
  });

  test('--quiet', async () => {
    // The login warns about the unencrypted password.
    const place = { env: { FLEET_BASE_URL: 'http://fleet.test' } };
    const words = ['groups', 'list', '-o', 'csv', '--user'];
    const named = await run([...words, '--quiet'], place);
    expect(named).toMatchObject({ code: 3, stderr: expect.stringContaining('is not https') });
    const quiet = await run([...words, 'nobody', '--quiet'], place);
    expect(quiet).toMatchObject({ code: 3, stderr: expect.not.stringContaining('is not https') });
  });

  test('--watch', async () => {
    const words = [
      'groups',
      'create',
      '--name',
      '--watch',
      '--dry-run',
      '--jq',
      '.variables.groupInput.name // .operation',
    ];
    expect(await run(words)).toMatchObject({ code: 10, stdout: expect.stringMatching(/--watch|createGroup/) });
  });
});

test.each([
  ['-o=json', ['-ojson']],
  ['--output=json', ['--output=json']],
])('errors are JSON: %s', async (_, flags) => {
  const { code, stderr } = await run(['vehicles', 'get', 'nothing', ...flags]);
  expect({ code, error: JSON.parse(stderr).error.code }).toEqual({ code: 5, error: 'NOT_FOUND' });
});

test('errors are told as asked also when another flag cannot be read, or the last one has no value', async () => {
  const { stderr } = await run(['vehicles', 'list', '--limit', 'x', '-o', 'json']);
  expect(JSON.parse(stderr).error.code).toBe('USAGE');
  expect(JSON.parse((await run(['vehicles', 'list', '-o', 'json', '--limit'])).stderr).error.code).toBe('USAGE');
});
