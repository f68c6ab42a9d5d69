// The tables "Accuracy" of docs/telemetry.md equal the measurements; UPDATE_ACCURACY=1 writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../docs/markdown.js';
import { fleetOf } from '../../mock/living-world.js';
import { accuracyTable, deviceKey, fleetTable } from './accuracy-table.js';
import { deviceGroups } from './devices.js';
import { type Measurement, measure } from './measure.js';
import { measureFleet, shareOf } from './reference-fleet.js';

const path = join(root, 'docs/telemetry.md');
const text = readFileSync(path, 'utf8');

test('the tables of the document are equal to the measurements', async () => {
  const measured = new Map<string, Measurement>();
  for (const { about, devices } of deviceGroups)
    for (const device of devices) measured.set(deviceKey(about, device.name), await measure(device));
  const fleet = fleetOf();
  const bias = await measureFleet(fleet, fleet.vehicles, Date.parse('2026-03-02T00:00:00Z'), 3);
  expect(Math.abs(shareOf(bias.odometer))).toBeLessThan(0.0002);
  expect(Math.abs(shareOf(bias.positions))).toBeLessThan(0.002);
  expect(Math.abs(shareOf(bias.fuel))).toBeLessThan(0.003);
  const tables = [fleetTable(bias), ...deviceGroups.map((group) => accuracyTable(group, measured))].join('\n');
  const written = text.replace(
    /<!-- accuracy -->[\s\S]*<!-- end of accuracy -->/,
    () => `<!-- accuracy -->\n\n${tables}\n<!-- end of accuracy -->`,
  );
  if (process.env.UPDATE_ACCURACY) writeFileSync(path, written);
  else expect(written).toBe(text);
});
