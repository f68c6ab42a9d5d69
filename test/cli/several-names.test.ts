// A filter on a column with several names in one cell, such as drivers of a trip, matches each.
import { expect, test } from 'vitest';
import { service, shellOf } from './harness.js';

interface Row {
  readonly vehicle: string;
  readonly driver: string;
  readonly driverIds: readonly string[];
  readonly startedAt: string;
  readonly durationSeconds: number;
}

const mock = service();
const period = ['--from', '2026-02-27T06:00Z', '--to', '2026-02-27T12:00Z'];
const commands = [
  ['trips', 'list', 'Truck 01', 'Truck 02', ...period],
  ['geofences', 'visits', '--vehicle', 'Truck 01', '--vehicle', 'Truck 02', ...period],
];
async function rows(words: readonly string[], filters: readonly string[] = []): Promise<readonly Row[]> {
  const flags = filters.flatMap((filter) => ['--filter', filter]);
  const { code, stdout, stderr } = await shellOf('demo', mock.fetch)([...words, ...flags, '-o', 'json', '--quiet']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Changes the driver in the middle of a trip. */
async function relief(): Promise<{ readonly driver: string; readonly id: string }> {
  const trips = await rows(['trips', 'list', 'Truck 01', 'Truck 02', ...period]);
  const long = trips
    .filter(({ driverIds }) => driverIds.length === 1)
    .sort((a, b) => b.durationSeconds - a.durationSeconds)[0];
  const other = trips.find(({ driverIds }) => driverIds.length === 1 && driverIds[0] !== long?.driverIds[0]);
  const id = other?.driverIds[0] ?? '';
  const at = (part: number) =>
    new Date(Date.parse(long?.startedAt ?? '') + (long?.durationSeconds ?? 0) * part * 1000).toISOString();
  const words = ['drivers', 'assign', long?.vehicle ?? '', id, '--from', at(0.3), '--to', at(0.6), '--yes'];
  const { code, stderr } = await shellOf('demo', mock.fetch)(words);
  expect(code, stderr).toBe(0);
  return { driver: other?.driver ?? '', id };
}

test('the drivers of trips and of visits', async () => {
  const { driver, id } = await relief();
  for (const words of commands) {
    const all = await rows(words);
    const theirs = all.filter(({ driverIds }) => driverIds.includes(id));
    expect(theirs.length).toBeGreaterThan(0);
    expect(await rows(words, [`driver=${driver}`])).toEqual(theirs);
    const others = all.filter(({ driverIds }) => !driverIds.includes(id));
    expect(await rows(words, [`driver!=${driver}`])).toEqual(others);
    const both = all.find((row) => row.driver.includes(', '));
    if (words[0] === 'trips') expect(both?.driver.split(', ')).toContain(driver);
    // The whole cell matches too.
    if (both) expect(await rows(words, [`driver=${both.driver}`])).toContainEqual(both);
  }
});
