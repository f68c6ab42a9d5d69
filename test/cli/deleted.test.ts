// Deleted records on a service that still lists them: omitted, not matched, and marked where shown.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { jsonOf } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';

/** Returns a fetch that lists first records as deleted, with the name of the second ones. */
function keepingDeleted(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!url.endsWith('/graphql')) return response;
    const { data, ...rest } = Object(await response.json());
    const changed = Object.entries(Object(data)).map(([field, value]) => {
      if (!Array.isArray(value) || !Object.hasOwn(Object(value[0]), 'isDeleted')) return [field, value];
      const [first, second, ...others] = value;
      const name = 'name' in second ? { name: second.name } : {};
      return [field, [{ ...first, ...name, isDeleted: true }, second, ...others]];
    });
    return Response.json({ ...rest, data: Object.fromEntries(changed) });
  };
}

const fleet = (): Shell => shellOf('demo', keepingDeleted(service().fetch));
const count = async (shell: Shell, ...words: string[]) => Object(await jsonOf(shell, ...words)).length;

describe.each([
  ['vehicles', 'list'],
  ['people', 'list'],
  ['geofences', 'list'],
  ['labels', 'list'],
  ['roles', 'list'],
  ['schedules', 'list'],
])('%s %s', (noun, verb) => {
  test('leaves deleted records out, unless --deleted or a filter asks for them', async () => {
    const shell = fleet();
    const existing = await count(shell, noun, verb);
    expect(await count(shell, noun, verb, '--deleted')).toBe(existing + 1);
    expect(await count(shell, noun, verb, '--filter', 'isDeleted=true')).toBe(1);
    expect(await count(shell, noun, verb, '--fields', 'id')).toBe(existing);
  });
});

test('a table says what it left out, and marks what it shows', async () => {
  const shell = fleet();
  const left = await shell(['labels', 'list'], { terminal: 80, env: { NO_COLOR: '1' } });
  expect(left.stderr).toBe('1 deleted record is left out. --deleted shows them.\n');
  expect(left.stdout).not.toContain('DELETED');
  const all = await shell(['labels', 'list', '--deleted'], { terminal: 80, env: { NO_COLOR: '1' } });
  expect(all.stdout.split('\n')[0]).toMatch(/^NAME +DELETED/);
  expect(all.stdout.split('\n')[1]).toMatch(/ yes /);
  expect(all.stderr).toBe('');
});

test('in a pipe the mark is a column when deleted records are asked for', async () => {
  const shell = fleet();
  expect((await shell(['labels', 'list'])).stdout.split('\n')[0]).not.toMatch(/isDeleted/);
  expect((await shell(['labels', 'list', '--deleted'])).stdout.split('\n')[0]).toMatch(/\tisDeleted$/);
});

test('a name belongs to the record that exists', async () => {
  const shell = fleet();
  const [deleted, existing] = Object(await jsonOf(shell, 'geofences', 'list', '--deleted'));
  expect(deleted.name).toBe(existing.name);
  expect(await jsonOf(shell, 'geofences', 'get', existing.name)).toMatchObject({ id: existing.id });
  const update = await shell(['geofences', 'update', existing.name, '--name', 'Yard', '--dry-run', '-o', 'json']);
  expect(JSON.parse(update.stdout).variables.geofenceId).toBe(existing.id);
});

test('a record that is deleted cannot be changed by its name, and the error says why', async () => {
  const mock = service();
  const plain = shellOf('demo', mock.fetch);
  const [first] = Object(await jsonOf(plain, 'labels', 'list'));
  // Only one label has this name.
  const shell = shellOf('demo', async (url, init) => {
    const response = await mock.fetch(url, init);
    const text = await response.text();
    return new Response(text.replaceAll(`"name":"${first.name}"`, `"name":"${first.name}","isDeleted":true`), {
      status: response.status,
    });
  });
  const vehicle = Object(await jsonOf(plain, 'vehicles', 'list'))[0].id;
  const { code, stderr } = await shell(['vehicles', 'update', vehicle, '--label', first.name]);
  expect(stderr).toContain(`The label "${first.name}" has been deleted.`);
  expect(code).toBe(5);
});
