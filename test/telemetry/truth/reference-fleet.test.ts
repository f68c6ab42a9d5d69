// Distance and fuel of trips against counters, for a sample. accuracy.heavy.test.ts measures all.
import { expect, test } from 'vitest';
import { fleetOf } from '../../mock/living-world.js';
import { measureFleet, shareOf } from './reference-fleet.js';

test('neither distance nor fuel of a day has a bias', async () => {
  const fleet = fleetOf();
  const vehicles = fleet.vehicles.filter(({ name }) => name === 'Van 01' || name === 'Truck 07');
  expect(vehicles).toHaveLength(2);
  const { odometer, fuel } = await measureFleet(fleet, vehicles, Date.parse('2026-03-03T00:00:00Z'), 1);
  expect(odometer.trips).toBeGreaterThan(10);
  expect(Math.abs(shareOf(odometer))).toBeLessThan(0.0002);
  expect(odometer.worst).toBeLessThan(0.002);
  expect(Math.abs(shareOf(fuel))).toBeLessThan(0.003);
});
