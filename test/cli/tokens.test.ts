// The exact output of `fleet tokens`, and how it finds tokens, which the service does not list.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';

const token = 'BB9A133C8C03C8D8';
const apply = ['tokens', 'apply', '-', '--input-format', 'csv'];
/** A new token, a token of Liis Tamm, and an existing one. */
const table = `driver,value\nKarl Berg,01A2B3C4\nKarl Berg,${token}\nJonas Nowak,4DADC2D4DE63C511\n`;

describe('prints', () => {
  test('tokens create', () => expectGolden('tokens-create', ['tokens', 'create', 'Karl Berg', '01A2B3C4']));
  test('tokens create, with a value that is in use', () =>
    expectGolden('tokens-create.taken', ['tokens', 'create', 'Karl Berg', token], { code: 6 }));
  test('tokens update', () =>
    expectGolden('tokens-update', ['tokens', 'update', token, '--driver', 'Karl Berg', '--value', '01A2B3C4']));
  test('tokens delete', () => expectGolden('tokens-delete', ['tokens', 'delete', token, '--yes']));
  test('tokens apply, the plan', () =>
    expectGolden('tokens-apply.plan', [...apply, '--prune', '--dry-run'], { code: 10, input: table }));
});

async function valuesOf(fleet: Shell, person: string): Promise<readonly string[]> {
  const { driverTokens } = Object(await jsonOf(fleet, 'people', 'get', person));
  return driverTokens.map(({ value }: { value: string }) => value);
}

describe('tokens', () => {
  test('are created, given to another driver and deleted', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { id } = Object(await jsonOf(fleet, 'tokens', 'create', 'Karl Berg', 'fresh'));
    expect(await valuesOf(fleet, 'Karl Berg')).toContain('fresh');
    await jsonOf(fleet, 'tokens', 'update', id, '--driver', 'Liis Tamm');
    expect(await valuesOf(fleet, 'Karl Berg')).not.toContain('fresh');
    expect(await valuesOf(fleet, 'Liis Tamm')).toContain('fresh');
    expect(await jsonOf(fleet, 'tokens', 'delete', 'FRESH', '--yes')).toBe(true);
    expect(await valuesOf(fleet, 'Liis Tamm')).not.toContain('fresh');
  });

  test('that another driver has in other letter case are reported, in the plan too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const warningText =
      'warning: Liis Tamm has a token of this value already, in other letter case. A reader cannot tell the two apart.\n';
    const words = ['tokens', 'create', 'Karl Berg', token.toLowerCase()];
    expect((await fleet([...words, '--dry-run', '-o', 'json'])).stderr).toContain(warningText);
    expect((await fleet([...words, '-o', 'json'])).stderr).toContain(warningText);
    expect((await fleet(['tokens', 'create', 'Karl Berg', '01A2B3C4'])).stderr).not.toContain('warning');
    // A token may change its own letter case.
    const update = (value: string) => fleet(['tokens', 'update', '01A2B3C4', '--value', value, '-o', 'json']);
    expect((await update('01a2B3C4')).stderr).not.toContain('warning');
    expect((await update('bb9A133C8C03C8D8')).stderr).toContain(warningText);
  });

  test('that no driver has are not found', async () => {
    const { code, stderr } = await shellOf(
      'demo',
      service().fetch,
    )(['tokens', 'delete', `${token.slice(0, -1)}9`, '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain(`Did you mean "${token}"?`);
  });

  test('are confirmed by value and driver', async () => {
    const fleet = shellOf('demo', service().fetch);
    const declined = await fleet(['tokens', 'delete', token], { answers: [['[y/N]', 'n']] });
    expect(declined.code).toBe(130);
    expect(declined.stderr).toMatch(
      /- BB9A133C8C03C8D8: identifies Liis Tamm\n.*1 to delete\. Make this change\? \[y\/N\]/,
    );
  });

  test('need a value', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['tokens', 'create', 'Karl Berg']);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('The value of the token is missing.');
  });
});

describe('tokens apply', () => {
  const world = () => {
    const made = service();
    const sent = () => made.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));
    return { fleet: shellOf('demo', made.fetch), sent };
  };
  const holders = async (fleet: Shell) => {
    const people = Object(await jsonOf(fleet, 'people', 'list', '--drivers'));
    const tokens = people.flatMap(
      ({ lastName, driverTokens }: { lastName: string; driverTokens: { value: string }[] }) =>
        driverTokens.map(({ value }) => [value, lastName]),
    );
    return Object.fromEntries(tokens);
  };

  test('creates a token, moves one to another driver, keeps the others, and does nothing when it is run again', async () => {
    const { fleet, sent } = world();
    const before = await holders(fleet);
    const { code, stderr } = await fleet([...apply, '--yes'], { input: table });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '1 to create, 1 to change, 1 stays as it is\n2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    });
    expect(sent()).toEqual(['createDriverToken', 'updateDriverToken']);
    expect(await holders(fleet)).toEqual({ ...before, '01A2B3C4': 'Berg', [token]: 'Berg' });
    const again = await fleet([...apply, '--yes'], { input: table });
    expect(again).toMatchObject({ code: 0, stderr: '3 stay as they are. Nothing to do.\n' });
    expect((await fleet([...apply, '--dry-run'], { input: table })).code).toBe(0);
    expect(sent()).toHaveLength(2);
  });

  test('a value in other letter case is the same token, which keeps its own', async () => {
    const { fleet, sent } = world();
    const input = `driver,value\nLiis Tamm,${token.toLowerCase()}\n`;
    const { code, stderr } = await fleet([...apply, '--dry-run'], { input });
    expect([code, (await fleet([...apply, '--yes'], { input })).code, sent()]).toEqual([0, 0, []]);
    expect(stderr).toContain(`are not changed: "${token.toLowerCase()}" is "${token}"`);
  });

  test('--prune deletes the others after a confirmation', async () => {
    const { fleet, sent } = world();
    const words = [...apply, '--prune'];
    const input = `driver,value\nLiis Tamm,${token}\n`;
    const refused = await fleet(words, { input });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(': 4 to delete, 1 stays as it is. Nothing was changed.');
    expect(sent()).toEqual([]);
    expect((await fleet([...words, '--yes'], { input })).code).toBe(0);
    expect(sent()).toEqual(Array(4).fill('deleteDriverToken'));
    expect(await holders(fleet)).toEqual({ [token]: 'Tamm' });
  });

  test.each([
    ['unknown drivers', 'Nobody,1\nKarl Berg,2\nKarl Bergg,3\n', /line 2, driverId: There is no driver "Nobody"/],
    ['a new token without a driver', ',1\n', /line 2: a new driver token needs a driver/],
    ['a token without a value', 'Karl Berg,\n', /line 2: a new driver token needs a value/],
    ['a token of two drivers', 'Karl Berg,1\nLiis Tamm,1\n', /line 3: "1" is in the file already, in line 2, with/],
  ])('%s are refused before anything is sent', async (_, lines, why) => {
    const { fleet, sent } = world();
    const { code, stdout, stderr } = await fleet([...apply, '--yes'], { input: `driver,value\n${lines}` });
    expect({ code, stdout, sent: sent() }).toEqual({ code: 2, stdout: '', sent: [] });
    expect(stderr).toMatch(why);
  });

  test('a value of two tokens is refused with the command that prints their ids', async () => {
    const { fleet } = world();
    await fleet(['tokens', 'create', 'Karl Berg', token.toLowerCase()]);
    const mixed = `${token.slice(0, -1)}${token.slice(-1).toLowerCase()}`.replace('BB', 'bB');
    const input = `driver,value\nLiis Tamm,${mixed}\n`;
    const { code, stderr } = await fleet([...apply, '--dry-run'], { input });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`there are 2 driver tokens with the name "${mixed}"`)]);
    const [, words = ''] = /`fleet ([^`]*)` prints them/.exec(stderr) ?? [];
    const { id } = Object(await jsonOf(fleet, 'people', 'get', 'Liis Tamm')).driverTokens[0];
    expect((await fleet(words.split(' '))).stdout).toContain(id);
    const byId = await fleet([...apply, '--dry-run'], { input: `id,driver\n${id},Karl Berg\n` });
    expect([byId.code, byId.stderr]).toEqual([10, expect.stringContaining('1 to change')]);
  });

  test('is taken back by undo, and leaves no value in the journal', async () => {
    const { fleet } = world();
    const before = await holders(fleet);
    expect((await fleet([...apply, '--yes'], { input: table })).code).toBe(0);
    const journal = join(fleet.folder, 'journal');
    const written = readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
    expect(written.join('')).toContain('createDriverToken');
    expect(written.join('')).not.toMatch(new RegExp(`01A2B3C4|${token}`));
    expect((await fleet(['undo', '1', '--yes'])).code).toBe(0);
    expect(await holders(fleet)).toEqual(before);
  });
});
