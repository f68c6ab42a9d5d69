// The exact output of `fleet tokens`, and how it finds tokens, which the service does not list.
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const token = 'BB9A133C8C03C8D8';

describe('prints', () => {
  test('tokens create', () => expectGolden('tokens-create', ['tokens', 'create', 'Karl Berg', '01A2B3C4']));
  test('tokens create, with a value that is in use', () =>
    expectGolden('tokens-create.taken', ['tokens', 'create', 'Karl Berg', token], { code: 6 }));
  test('tokens update', () =>
    expectGolden('tokens-update', ['tokens', 'update', token, '--driver', 'Karl Berg', '--value', '01A2B3C4']));
  test('tokens delete', () => expectGolden('tokens-delete', ['tokens', 'delete', token, '--yes']));
});

describe('tokens', () => {
  const valuesOf = async (fleet: ReturnType<typeof shellOf>, person: string) => {
    const { driverTokens } = Object(await jsonOf(fleet, 'people', 'get', person));
    return driverTokens.map(({ value }: { value: string }) => value);
  };

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

  test('in other letter case that another driver has are told, in the plan too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const told =
      'warning: Liis Tamm has a token of this value already, in other letter case. A reader cannot tell the two apart.\n';
    const words = ['tokens', 'create', 'Karl Berg', token.toLowerCase()];
    expect((await fleet([...words, '--dry-run', '-o', 'json'])).stderr).toContain(told);
    expect((await fleet([...words, '-o', 'json'])).stderr).toContain(told);
    expect((await fleet(['tokens', 'create', 'Karl Berg', '01A2B3C4'])).stderr).not.toContain('warning');
    // A token may change its own letter case.
    const update = (value: string) => fleet(['tokens', 'update', '01A2B3C4', '--value', value, '-o', 'json']);
    expect((await update('01a2B3C4')).stderr).not.toContain('warning');
    expect((await update('bb9A133C8C03C8D8')).stderr).toContain(told);
  });

  test('of a file are created, kept in any spelling, and change hands', async () => {
    const fleet = shellOf('demo', service().fetch);
    const apply = ['tokens', 'apply', '-', '--input-format', 'csv', '--yes'];
    const input = `driver,value\nLiis Tamm,01A2B3C4\nKarl Berg,${token}\n`;
    expect(await fleet(apply, { input })).toMatchObject({
      code: 0,
      stderr: '1 to create, 1 to change\n2 of 2 done.\n',
    });
    expect(await valuesOf(fleet, 'Liis Tamm')).toEqual(['01A2B3C4']);
    expect(await valuesOf(fleet, 'Karl Berg')).toContain(token);
    const again = await fleet(apply, { input: input.toLowerCase().replace('liis tamm', 'Liis Tamm') });
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('2 stay as they are. Nothing to do.\n') });
    const twice = await fleet(apply, { input: 'driver,value\nLiis Tamm,01a2\nKarl Berg,01A2\n' });
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('in line 2, with another driverId') });
    const nobody = await fleet(apply, { input: 'value\n01A2\n' });
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('a new driver token needs a driver') });
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
    const asked = await fleet(['tokens', 'delete', token], { answers: [['[y/N]', 'n']] });
    expect(asked.code).toBe(130);
    expect(asked.stderr).toMatch(
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
