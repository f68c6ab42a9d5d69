// The counters around a trip count in every period that shows it, and in clipped parts.
import { expect, test } from 'vitest';
import type { Trip } from '../../../src/index.js';
import { clientOf, read } from './periods.js';

const start = Date.parse('2026-03-02T08:00:00Z');
const vehicleId = '11111111-0000-5000-8000-000000000001';
const time = (seconds: number) => new Date(start + seconds * 1000);

function row(seconds: number, engineStatus: boolean | null, kmNorth: number | null, counters: readonly number[] = []) {
  const [canDistance = null, canTripFuelUsed = null] = counters;
  const speed = engineStatus === false ? 0 : 60;
  return {
    vehicleId,
    timestamp: time(seconds).toISOString(),
    gps: kmNorth === null ? null : { latitude: 59 + kmNorth / 111.1949, longitude: 24, speed },
    ignition: { engineStatus },
    canBus: { canDistance, canTripFuelUsed },
  };
}

const rows = [
  row(-3000, false, 0),
  row(-90, null, null, [5000, 10]),
  row(0, true, 0),
  row(60, true, 0.9, [5000.9, 10.3]),
  row(120, false, 2),
  // Between the trips.
  row(170, null, null, [5001.95, 10.7]),
  row(250, true, 2),
  row(310, true, 2.9, [5002.85, 11]),
  row(370, false, 4),
  // In a short stop.
  row(380, null, null, [5003.9, 11.4]),
  row(420, true, 4),
  row(480, false, 5),
  row(490, null, null, [5004.95, 11.9]),
  row(3000, false, 5),
];
const whole = { from: time(-3600), to: time(3600) };
const shown = ({ startedAt, distanceKm, fuelUsed }: Trip) => [startedAt, distanceKm, fuelUsed];
const expected = [
  [time(0).toISOString(), 1.95, 0.7],
  [time(250).toISOString(), 3, 1.2],
];

test('the trips of each period, and the parts of them', async () => {
  const fleet = clientOf(rows, time(7200).getTime());
  const within = (from: Date, to: Date, clip: boolean) => read(fleet.streamTrips({ vehicleId, from, to }, { clip }));
  const all = await within(whole.from, whole.to, false);
  expect(all.map(shown)).toEqual(expected);
  for (const seconds of [-95, -90, -5, 0, 30, 90, 120, 145, 170, 175, 250, 300, 375, 380, 400, 420, 485, 490, 495]) {
    const cut = time(seconds);
    const later = await within(cut, whole.to, false);
    expect(later, `from ${seconds}`).toEqual(all.filter(({ endedAt }) => Date.parse(endedAt ?? '') >= cut.getTime()));
    const parts = [...(await within(whole.from, cut, true)), ...(await within(cut, whole.to, true))];
    for (const { id, distanceKm, fuelUsed } of all) {
      const own = parts.filter((part) => part.id === id);
      const sum = (of: (part: Trip) => number | null) => own.reduce((total, part) => total + (of(part) ?? 0), 0);
      expect(
        sum((part) => part.distanceKm),
        `cut at ${seconds}`,
      ).toBeCloseTo(distanceKm, 6);
      expect(
        sum((part) => part.fuelUsed),
        `cut at ${seconds}`,
      ).toBeCloseTo(fuelUsed ?? 0, 6);
    }
  }
});
