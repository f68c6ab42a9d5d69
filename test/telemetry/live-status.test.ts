// liveStatus over real fields, and at its thresholds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FleetClient, InvalidInputError, liveStatus } from '../../src/index.js';
import { createMockService } from '../../src/mock/service.js';
import type { LiveSnapshot } from '../../src/telemetry/live-status.js';

const now = Date.parse('2026-03-02T09:30:00Z');
const minute = 60_000;
const hour = 60 * minute;
const words = ['moving', 'idling', 'stopped', 'stale', 'offline', 'unknown'];

function seen(ageMs: number, speed: number | null, engineStatus: boolean | null): LiveSnapshot {
  return { timestamp: new Date(now - ageMs).toISOString(), gps: { speed }, ignition: { engineStatus } };
}

describe('liveStatus', () => {
  test.each([
    [50, true, 'moving'],
    [50, null, 'moving'],
    [2, true, 'moving'],
    // The position of a parked vehicle wanders; that of one on a ferry travels.
    [50, false, 'stopped'],
    [1.9, true, 'idling'],
    [0, true, 'idling'],
    [null, true, 'idling'],
    [0, false, 'stopped'],
    [null, false, 'stopped'],
    [0, null, 'stopped'],
    [null, null, 'unknown'],
  ])('of %s km/h and engine %s says %s', (speed, engine, word) => {
    expect(liveStatus(seen(minute, speed, engine), { now })).toBe(word);
  });

  test.each([
    [90 * minute - 1, 'moving'],
    [90 * minute, 'stale'],
    [6 * hour - 1, 'stale'],
    [6 * hour, 'offline'],
    [-5 * minute, 'moving'],
    [-5 * minute - 1, 'unknown'],
  ])('of data that is %i ms old says %s', (age, word) => {
    expect(liveStatus(seen(age, 50, true), { now })).toBe(word);
    expect(liveStatus(seen(age, 50, true), { now: new Date(now) })).toBe(word);
  });

  test('takes the speed on the CAN bus where there is no position', () => {
    const snapshot = { ...seen(0, null, true), gps: null };
    expect(liveStatus({ ...snapshot, canBus: { canSpeed: 40 } }, { now })).toBe('moving');
    expect(liveStatus({ ...snapshot, canBus: { canSpeed: null, canWheelSpeed: 40 } }, { now })).toBe('moving');
    expect(liveStatus({ ...seen(0, 0, true), canBus: { canSpeed: 40 } }, { now })).toBe('idling');
  });

  test('takes other thresholds', () => {
    const thresholds = { now, staleAfterMs: 10 * minute, offlineAfterMs: 20 * minute };
    expect([9, 10, 19, 20].map((age) => liveStatus(seen(age * minute, 50, true), thresholds))).toEqual([
      'moving',
      'stale',
      'stale',
      'offline',
    ]);
    expect(() => liveStatus(seen(0, 0, true), { staleAfterMs: Number.NaN })).toThrow(InvalidInputError);
    expect(() => liveStatus(seen(0, 0, true), { now: new Date('never') })).toThrow(InvalidInputError);
  });

  test('takes no option that it does not know', () => {
    // As by a caller without types.
    expect(() => liveStatus(null, { stale: 1 } as object)).toThrow('it takes now, staleAfterMs, offlineAfterMs');
  });

  test('knows nothing without a snapshot, or without a time in it', () => {
    const { gps, ignition } = seen(0, 50, true);
    expect(liveStatus(null)).toBe('unknown');
    expect(liveStatus(undefined)).toBe('unknown');
    expect(liveStatus({ gps, ignition } as LiveSnapshot, { now })).toBe('unknown');
    expect(liveStatus({ ...seen(0, 50, true), timestamp: 'soon' }, { now })).toBe('unknown');
  });

  test('reads the times that the service sends, as text and as numbers', () => {
    for (const timestamp of [now - hour, (now - hour) / 1000, String(now - hour), '2026-03-02T08:30:00Z']) {
      expect(liveStatus({ timestamp, gps: { speed: 30 }, ignition: null }, { now })).toBe('moving');
    }
  });

  test('says one of six words of anything, and never a better one as time goes by', () => {
    const freshness = (word: string) => (word === 'offline' ? 2 : word === 'stale' ? 1 : 0);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 * hour }),
        fc.integer({ min: 0, max: 30 * hour }),
        fc.option(fc.double({ min: 0, max: 200, noNaN: true })),
        fc.option(fc.boolean()),
        (age, later, speed, engine) => {
          const snapshot = seen(age, speed, engine);
          const [first, second] = [liveStatus(snapshot, { now }), liveStatus(snapshot, { now: now + later })];
          expect(words).toContain(first);
          expect(freshness(second)).toBeGreaterThanOrEqual(freshness(first));
        },
      ),
    );
  });

  test('fits what the methods of the client return', async () => {
    const service = createMockService({ seed: 1, vehicles: 10, clock: { now: () => now } });
    const { fetch, clock } = service;
    const credentials = { username: 'demo', password: 'demo' };
    await using fleet = new FleetClient({ baseUrl: 'https://fleet.test', credentials, fetch, clock });
    const vehicles = await fleet.getVehicles();
    const snapshots = await fleet.getLatestSnapshots({ vehicleIds: vehicles.flatMap(({ id }) => id ?? []) });
    const said = new Map(snapshots.map((snapshot) => [snapshot.vehicleId, liveStatus(snapshot, { now })]));
    for (const { id, lastData } of vehicles) expect(liveStatus(lastData, { now })).toBe(said.get(id) ?? 'unknown');
    expect(new Set(said.values()).size).toBeGreaterThan(1);
  });
});
