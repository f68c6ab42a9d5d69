// Tracks and trips on maps are named after their vehicle.
import { expect, test } from 'vitest';
import { service, shellOf } from './harness.js';

const namesIn = async (words: readonly string[]) => {
  const { code, stdout, stderr } = await shellOf('demo', service().fetch)([...words, '-o', 'geojson']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { features } = JSON.parse(stdout) as { features: { properties: { name: string } }[] };
  return [...new Set(features.map(({ properties }) => properties.name))];
};

test('the track of one vehicle, and those of several', async () => {
  expect(await namesIn(['snapshots', 'list', 'Truck 01', '--from', '-1h'])).toEqual(['Truck 01']);
  const several = await namesIn(['snapshots', 'list', 'Truck 01', 'Truck 02', '--from', '-1h']);
  expect(several.sort()).toEqual(['Truck 01', 'Truck 02']);
});

test('a track with chosen fields', async () => {
  const words = ['snapshots', 'list', 'Truck 01', '--from', '-1h', '--fields', 'timestamp'];
  expect(await namesIn(words)).toEqual(['Truck 01']);
});

test('a trip, with the time of its start', async () => {
  for (const name of await namesIn(['trips', 'list', 'Truck 01', '--from', '-3h'])) {
    expect(name).toMatch(/^Truck 01, 2026-03-02T0\d:\d\d:\d\d\.\d{3}Z$/);
  }
});
