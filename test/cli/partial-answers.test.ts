// Errors next to data belong to the call that got them, whatever else is in the same request.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { service, shellOf } from './harness.js';

const reason = 'The name cannot be read.';

/** Returns a service without vehicles that cannot read the name of one group. */
function withBrokenGroup(vehicles: number): Fetch {
  const { fetch } = service({ vehicles });
  return async (url, init) => {
    const answer = await fetch(url, init);
    if (!String(init?.body).includes('getGroups')) return answer;
    const name = /(\w+)\s*:\s*getGroups\b/.exec(JSON.parse(String(init?.body)).query)?.[1] ?? 'getGroups';
    const errors = [{ message: reason, path: [name, 1, 'name'] }];
    return Response.json({ ...JSON.parse(await answer.text()), errors });
  };
}

const groupOf = async () => {
  const { stdout } = await shellOf('demo', service({ vehicles: 0 }).fetch)(['groups', 'list', '-o', 'json']);
  return JSON.parse(stdout)[0].name;
};

test.each([
  ['table', 'There is no such vehicle.\n', ''],
  ['json', '', '[]\n'],
])('an empty list does not fail with the error of another list: %s', async (format, expectedText, printed) => {
  const words = ['vehicles', 'list', '--group', await groupOf(), '-o', format];
  const { code, stdout, stderr } = await shellOf('demo', withBrokenGroup(0))(words);
  expect({ code, stdout }).toEqual({ code: 6, stdout: printed });
  expect(stderr).toContain(expectedText);
  expect(stderr).toContain('could not deliver everything');
  expect(stderr).toContain(reason);
});

test('an empty list that is itself refused fails with its own error', async () => {
  const world = service({ vehicles: 0 });
  world.faults.add({ kind: 'graphqlError', operation: 'getVehicles', message: 'No vehicles today.' });
  const words = ['vehicles', 'list', '--group', await groupOf(), '-o', 'table'];
  const { code, stdout, stderr } = await shellOf('demo', world.fetch)(words);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toContain('The service answered getVehicles with an error.');
  expect(stderr).toContain('No vehicles today.');
});

/** Returns a service that answers null instead of some lists or their rows. */
function withNulls(spoil: (list: readonly unknown[]) => unknown, ...lists: readonly string[]): Fetch {
  const { fetch } = service({ vehicles: 3 });
  return async (url, init) => {
    const answer = await fetch(url, init);
    if (!url.endsWith('/graphql')) return answer;
    const { data } = JSON.parse(await answer.text());
    const { query } = JSON.parse(String(init?.body));
    for (const list of lists) {
      const name = new RegExp(`(\\w+)\\s*:\\s*${list}\\b`).exec(query)?.[1] ?? list;
      if (Array.isArray(data[name])) data[name] = spoil(data[name]);
    }
    return Response.json({ data });
  };
}

test.each([
  ['getVehicles', ['vehicles', 'list', '-o', 'table']],
  ['getVehicles', ['vehicles', 'list', '-o', 'ndjson']],
  ['getVehicles', ['vehicles', 'get', 'Truck 01']],
  ['getVehicles', ['vehicles', 'status']],
  ['getVehicles', ['trips', 'list', '--on', 'yesterday']],
  ['getVehicles', ['snapshots', 'latest']],
  ['getPeople', ['people', 'delete', 'Anna Lind', '--yes']],
  ['getGeofences', ['geofences', 'list', '-o', 'csv']],
  ['getDriverAssignments', ['drivers', 'assignments', '--vehicle', 'Truck 01']],
])('a null %s is a failure: %s', async (list, words) => {
  const { code, stdout, stderr } = await shellOf(
    'demo',
    withNulls(() => null, list),
  )(words);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(stderr).toContain(`The service left the list out of its answer to ${list}`);
});

test('null rows are left out, and the command ends with 6', async () => {
  const spoilt = withNulls(([first]) => [first, null], 'getVehicles');
  const { code, stdout, stderr } = await shellOf('demo', spoilt)(['vehicles', 'list', '-o', 'json']);
  expect(code).toBe(6);
  expect(JSON.parse(stdout)).toHaveLength(1);
  expect(stderr).toContain('getVehicles answered 1 null rows among 2');
});

test('with JSON the remark of --limit is part of the error, and stderr one line', async () => {
  const words = ['groups', 'list', '--limit', '2', '-o', 'json'];
  const whole = await shellOf('demo', service().fetch)(words);
  expect(whole).toMatchObject({ code: 0, stderr: 'Only the first 2 rows are shown; there are more.\n' });
  const { code, stderr } = await shellOf('demo', withBrokenGroup(6))([...words, '--sort', 'name']);
  expect(code).toBe(6);
  expect(JSON.parse(stderr).error).toMatchObject({
    hint: expect.stringMatching(/^Only the first 2 of \d+ rows are shown\. What did arrive has been printed\.$/),
  });
});

test('a change that needs the whole answer names the one that was not, and sends nothing', async () => {
  const sent: string[] = [];
  const broken = withBrokenGroup(6);
  const fleet = shellOf('demo', (url, init) => {
    sent.push(String(init?.body));
    return broken(url, init);
  });
  const words = ['vehicles', 'groups', '--group', 'City deliveries', '--add', 'Winter roster', '--yes', '-o', 'json'];
  const { code, stdout, stderr } = await fleet(words);
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({
    operation: 'getGroups',
    message: expect.stringContaining('The service answered getGroups only in part. Nothing was changed.'),
  });
  expect(stderr).toContain(reason);
  expect(sent.filter((body) => body.includes('mutation'))).toEqual([]);
});

test('a change of a file that was made, with a part of its record missing from the answer, is done', async () => {
  const world = service();
  const fetch: Fetch = async (url, init) => {
    const answer = await world.fetch(url, init);
    if (!String(init?.body).includes('createGroup')) return answer;
    const errors = [{ message: reason, path: ['createGroup', 'description'] }];
    return Response.json({ ...JSON.parse(await answer.text()), errors });
  };
  const input = '[{"name": "Night shift"}]';
  const { code, stdout, stderr } = await shellOf('demo', fetch)(['groups', 'apply', '-', '--yes', '-o', 'csv'], {
    input,
  });
  expect(code).toBe(6);
  expect(stdout).toContain('done');
  expect(stderr).toContain('1 of 1 done.');
  expect(stderr).toContain(reason);
});

describe('a change that is made, with an error inside of its answer', () => {
  const document = 'mutation { createGroup(createGroupInput: { name: "North" }) { id description } }';

  /** `isBubbled`: the error removed the whole answer. */
  const withError = (isBubbled: boolean) => {
    const { fetch } = service();
    const changing: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      if (!String(init?.body).includes('createGroup(')) return answer;
      const { data } = JSON.parse(await answer.text());
      const errors = [{ message: reason, path: ['createGroup', 'description'] }];
      return Response.json({ data: isBubbled ? { createGroup: null } : data, errors });
    };
    return shellOf('demo', changing);
  };

  test.each([
    ['groups create', ['groups', 'create', '--name', 'North', '-o', 'json']],
    ['api', ['api', document]],
  ])('%s prints what arrived, ends with 6, and is done for the journal', async (_, words) => {
    const shell = withError(false);
    const { code, stdout, stderr } = await shell(words);
    expect(code).toBe(6);
    expect(JSON.stringify(JSON.parse(stdout))).toMatch(/"id":"[\da-f-]{36}"/);
    expect(stderr).toContain(reason);
    expect(JSON.parse((await shell(['history', '-o', 'json'])).stdout)).toMatchObject([{ outcome: 'done' }]);
  });

  test.each([
    ['groups create', ['groups', 'create', '--name', 'North']],
    ['api', ['api', document]],
  ])('%s without a result: it is unknown for the journal', async (_, words) => {
    const shell = withError(true);
    const { code, stdout } = await shell(words);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(JSON.parse((await shell(['history', '-o', 'json'])).stdout)).toMatchObject([{ outcome: 'unknown' }]);
  });
});
