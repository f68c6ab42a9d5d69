// Every stream of a client ends at once when its reader stops, whatever the stream waits for.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { FleetClient, FleetStream } from '../../src/index.js';
import { held, untilHeld } from '../held.js';
import { makeClient, makeService, START } from '../request/setup.js';

const HOUR = 3_600_000;
const period = { from: new Date(START - HOUR), to: new Date(START) };

const streams: Readonly<
  Record<string, (fleet: FleetClient, ids: readonly string[], signal?: AbortSignal) => FleetStream<unknown>>
> = {
  stream: (fleet, _, signal) => fleet.stream('getVehicles', {}, { signal }),
  streamSnapshots: (fleet, vehicleIds, signal) => fleet.streamSnapshots({ vehicleIds, ...period }, { signal }),
  'streamSnapshots of one vehicle': (fleet, [vehicleId = ''], signal) =>
    fleet.streamSnapshots({ vehicleId, ...period }, { signal }),
  streamTrips: (fleet, vehicleIds, signal) => fleet.streamTrips({ vehicleIds, ...period }, { signal }),
  'streamTrips of one vehicle': (fleet, [vehicleId = ''], signal) =>
    fleet.streamTrips({ vehicleId, ...period }, { signal }),
  watchStatus: (fleet, _, signal) => fleet.watchStatus({ signal }),
  watchGeofences: (fleet, _, signal) => fleet.watchGeofences({ signal }),
  watchEvents: (fleet, _, signal) => fleet.watchEvents({ rules: [{ on: 'movement' }], signal }),
};

test.each(Object.keys(streams))(
  '%s: return() and `await using` end a next() that waits for an answer',
  async (name) => {
    for (const end of ['return', 'dispose'] as const) {
      const service = makeService();
      const fleet = makeClient(service);
      const ids = (await fleet.getVehicles()).flatMap(({ id }) => id ?? []);
      service.faults.add(held);
      const stream = streams[name]?.(fleet, ids);
      if (stream === undefined) throw new Error('no stream');
      const next = stream.next();
      await untilHeld(service);
      if (end === 'return') expect(await stream.return()).toEqual({ done: true, value: undefined });
      else await stream[Symbol.asyncDispose]();
      expect(await next).toEqual({ done: true, value: undefined });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      // The user's turn is free again.
      service.faults.clear();
      expect(await fleet.getLabels()).not.toHaveLength(0);
    }
  },
);

test.each(Object.keys(streams))('%s that is never read leaves nothing on the signal', async (name) => {
  const { signal } = new AbortController();
  streams[name]?.(makeClient(makeService()), [crypto.randomUUID()], signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
