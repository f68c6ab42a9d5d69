// Snapshots with values in other forms than in the contract are parsed, shown as they are, or
// reported.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSetupIn } from '../../packages/map/test/file-setup.js';
import { type Alter, altered } from '../../packages/sync/test/altered.js';
import { service, shellOf } from './harness.js';

/** Sets the ignition and the speed of every snapshot; a function gets the former value. */
const rowsOf =
  (engineStatus: unknown, speed: (value: unknown) => unknown): Alter =>
  (name, value) => {
    const statusOf = typeof engineStatus === 'function' ? engineStatus : () => engineStatus;
    if (!/Snapshots$/.test(name) || !Array.isArray(value)) return value;
    return value.map((row) => ({
      ...row,
      ...(row.ignition ? { ignition: { ...row.ignition, engineStatus: statusOf(row.ignition.engineStatus) } } : {}),
      ...(row.gps ? { gps: { ...row.gps, speed: speed(row.gps.speed) } } : {}),
    }));
  };

const shell = (alter: Alter) => shellOf('demo', altered(service({ vehicles: 3 }), alter));
const same = (value: unknown) => value;

test('map --file says that the trips are missing when no ignition can be read, and ends with 6', async () => {
  const fleet = shell(rowsOf('KEY_ON', same));
  const file = join(fleet.folder, 'map.html');
  const { code, stderr } = await fleet(['map', '--file', file, '--from', '-2h']);
  expect(code).toBe(6);
  expect(stderr).toContain('The trips are missing. Cannot read the ignition of');
  expect(stderr).toContain('; unknown for 3.');
  expect(JSON.stringify(fileSetupIn(readFileSync(file, 'utf8')))).toContain('The trips are missing.');
});

test('map --file of readable ignitions ends with 0', async () => {
  const inWords = rowsOf((isOn: unknown) => (isOn === true ? 'RUNNING' : 'OFF'), String);
  const fleet = shell(inWords);
  const { code, stderr } = await fleet(['map', '--file', join(fleet.folder, 'map.html'), '--from', '-2h']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('missing')]);
});

test('a table shows unreadable values unchanged', async () => {
  const { stdout } = await shell(rowsOf('KEY_ON', () => 'fast'))(['snapshots', 'latest', '-o', 'table', '--wide']);
  expect(stdout).toContain('KEY_ON');
  expect((await shell(rowsOf('RUNNING', () => ' 5e1 '))(['snapshots', 'latest', '-o', 'table'])).stdout).toMatch(/on/);
});

test.each([
  ['ignition.engineStatus=yes', 3],
  ['ignition.engineStatus=no', 0],
  ['ignition.engineStatus!=yes', 0],
  ['gps.speed=50', 3],
  ['gps.speed>49.5', 3],
  ['gps.speed<49.5', 0],
])('--filter %s reads words and numbers in text', async (filter, count) => {
  const fleet = shell(rowsOf('RUNNING', () => '50.0'));
  const { stdout } = await fleet(['snapshots', 'latest', '--filter', filter, '-o', 'json']);
  expect(JSON.parse(stdout)).toHaveLength(count);
});

describe('trips list with unknown ignition values', () => {
  test('of one vehicle says so, and ends with 6', async () => {
    const { code, stderr } = await shell(rowsOf('KEY_ON', same))(['trips', 'list', 'Truck 01', '--from', '-2h']);
    expect(code).toBe(6);
    expect(stderr).toMatch(/^error: Cannot read the ignition of \d+ snapshots: ignition\.engineStatus has a form /);
    expect(stderr).toContain('`fleet schema check` compares the two');
  });

  test('of all vehicles says so once', async () => {
    const { code, stderr } = await shell(rowsOf('KEY_ON', same))(['trips', 'list', '--from', '-2h']);
    expect(code).toBe(6);
    expect(stderr.match(/Cannot read the ignition of \d+ snapshots/g)).toHaveLength(1);
    expect(stderr).toMatch(/ and (another vehicle|\d other vehicles): /);
    expect(stderr).not.toContain('another service');
  });
});
