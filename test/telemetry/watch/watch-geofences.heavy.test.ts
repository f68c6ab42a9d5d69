// watchGeofences: entries and departures, also with the reference service and controlled time.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FleetClient, GeofenceEvent } from '../../../src/index.js';
import { containsPoint } from '../../../src/mock/core/geojson.js';
import type { MockService } from '../../../src/mock/service.js';
import { GeofenceBoard } from '../../../src/telemetry/events/geofence-board.js';
import type { WatchedVehicle } from '../../../src/telemetry/watch/events.js';
import { countRuns, makeClient, makeService } from '../../request/setup.js';
import { runs } from '../../runs.js';
import { follow, pass, useStoppedTimers } from './following.js';

const MINUTE = 60_000;
const DEGREE = 111_195.08;

function vehicleAt(metres: number | null): WatchedVehicle {
  return {
    vehicleId: 'van',
    name: 'Van',
    licensePlate: null,
    status: 'moving',
    timestamp: null,
    position: metres === null ? null : { latitude: metres / DEGREE, longitude: 24.75 },
    speedKmh: null,
    direction: null,
    engineOn: null,
    driverId: null,
  };
}

/** The edge is 1,000 m from the centre at latitude 0. */
const yard = { geofenceId: 'yard', name: 'Yard', geojson: { type: 'Point', coordinates: [24.75, 0], radius: 1_000 } };

function yardBoard(hysteresisMetres: number): GeofenceBoard {
  const board = new GeofenceBoard({ hysteresisMetres, radiusMetres: undefined, geofenceIds: null });
  board.setGeofences({ geofences: [yard], isComplete: true });
  return board;
}

describe('hysteresis', () => {
  test('entered inside, left beyond the band, nothing in between; the two alternate', () => {
    const steps = fc.array(fc.integer({ min: 800, max: 1_300 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 200 }), (distances, band) => {
        const board = yardBoard(band);
        let isIn = false;
        for (const metres of distances) {
          const changes = board.take([vehicleAt(metres)]).map(({ type }) => type);
          // At the edges, rounding of degrees decides.
          if (Math.abs(metres - 1_000) < 1 || Math.abs(metres - 1_000 - band) < 1) {
            isIn = changes.length === 0 ? isIn : changes[0] === 'entered';
            continue;
          }
          const isInNow = metres < 1_000 || (isIn && metres < 1_000 + band);
          expect(changes).toEqual(isInNow === isIn ? [] : [isInNow ? 'entered' : 'left']);
          isIn = isInNow;
          expect(board.visits().length).toBe(isIn ? 1 : 0);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  test('a vehicle that jitters at the edge enters once', () => {
    const board = yardBoard(50);
    const emitted = [1_200, 999, 1_010, 995, 1_040, 999].flatMap((metres) => board.take([vehicleAt(metres)]));
    expect(emitted).toMatchObject([
      { type: 'entered', because: 'vehicle', geofence: { geofenceId: 'yard', name: 'Yard' } },
    ]);
    expect(board.take([vehicleAt(1_051)])).toMatchObject([{ type: 'left', because: 'vehicle' }]);
  });
});

describe('what changes beside the position', () => {
  test('a geofence that is created, redrawn or deleted around a vehicle', () => {
    const board = yardBoard(50);
    board.take([vehicleAt(2_000)]);
    const larger = { ...yard, geojson: { ...yard.geojson, radius: 3_000 } };
    board.setGeofences({ geofences: [larger], isComplete: true });
    expect(board.take([vehicleAt(2_000)])).toMatchObject([{ type: 'entered', because: 'geofence' }]);
    board.setGeofences({ geofences: [], isComplete: false });
    expect(board.take([vehicleAt(2_000)])).toEqual([]);
    board.setGeofences({ geofences: [], isComplete: true });
    expect(board.take([vehicleAt(2_000)])).toMatchObject([
      { type: 'left', because: 'geofence', geofence: { geofenceId: 'yard', name: 'Yard' } },
    ]);
  });

  test('a vehicle that is gone leaves; one without a position is nowhere', () => {
    const board = yardBoard(50);
    expect(board.take([vehicleAt(null)])).toEqual([]);
    expect(board.take([vehicleAt(10)])).toMatchObject([{ type: 'entered' }]);
    expect(board.take([])).toMatchObject([{ type: 'left', because: 'vehicle', vehicle: { vehicleId: 'van' } }]);
    expect(board.take([])).toEqual([]);
  });

  test('who was where before a restart', () => {
    const rules = { hysteresisMetres: 50, radiusMetres: undefined, geofenceIds: null };
    const previous = [{ vehicleId: 'van', geofenceId: 'yard' }];
    const resumed = (metres: number) => {
      const board = new GeofenceBoard(rules, previous);
      board.setGeofences({ geofences: [yard], isComplete: true });
      return board.take([vehicleAt(metres)]).map(({ type }) => type);
    };
    expect([10, 1_040, 1_060].map(resumed)).toEqual([[], [], ['left']]);
  });
});

describe('against the reference service', () => {
  useStoppedTimers();
  let service: MockService;
  let fleet: FleetClient;
  beforeEach(() => {
    service = makeService();
    fleet = makeClient(service);
  });
  afterEach(() => fleet.close());

  async function visitsNow(): Promise<readonly string[]> {
    const [vehicles, geofences] = await Promise.all([fleet.getVehicles(), fleet.getGeofences()]);
    return vehicles
      .flatMap(({ id, lastData }) =>
        geofences.flatMap((geofence) =>
          containsPoint(geofence.geojson, Number(lastData?.gps?.longitude), Number(lastData?.gps?.latitude))
            ? `${id} ${geofence.id}`
            : [],
        ),
      )
      .sort();
  }

  test('the visits that the events leave are those of the positions, all day long', async () => {
    const events = fleet.watchGeofences({ snapshot: true, hysteresisMetres: 0, intervalMs: 20 * MINUTE });
    const followed = await follow(events);
    const visits = new Set<string>();
    const types: string[] = [];
    const apply = (emitted: readonly GeofenceEvent[]) => {
      for (const event of emitted) {
        types.push(event.type);
        if (event.type === 'snapshot') {
          for (const { vehicle, geofence } of event.visits) visits.add(`${vehicle.vehicleId} ${geofence.geofenceId}`);
        } else if (event.type === 'entered' || event.type === 'left') {
          const key = `${event.vehicle.vehicleId} ${event.geofence.geofenceId}`;
          expect(visits.has(key)).toBe(event.type === 'left');
          if (event.type === 'entered') visits.add(key);
          else visits.delete(key);
        }
      }
    };
    apply(followed.take());
    for (let polls = 0; polls < 72; polls++) {
      await pass(service, 20 * MINUTE);
      apply(followed.take());
      expect([...visits].sort()).toEqual(await visitsNow());
    }
    expect(types[0]).toBe('snapshot');
    expect(types).toEqual(expect.arrayContaining(['entered', 'left']));
    expect(followed.end).toBeUndefined();
  });

  test('one request with the geofences at first and every ten minutes, and one for both watches', async () => {
    const followed = [await follow(fleet.watchGeofences()), await follow(fleet.watchStatus())];
    expect(service.requests.filter(({ path }) => path.endsWith('/graphql'))).toHaveLength(1);
    expect([...(service.requests.at(-1)?.operations ?? [])].sort()).toEqual(['getGeofences', 'getVehicles']);
    service.clearRequests();
    for (let minutes = 0; minutes < 11; minutes++) await pass(service, MINUTE);
    expect(countRuns(service, 'getGeofences')).toBe(1);
    expect(service.requests.filter(({ path }) => path.endsWith('/graphql')).length).toBeLessThanOrEqual(22);
    expect(followed.map(({ end }) => end)).toEqual([undefined, undefined]);
  });

  test('only some geofences', async () => {
    const [one] = await fleet.getGeofences();
    const followed = await follow(fleet.watchGeofences({ snapshot: true, geofenceIds: [one?.id ?? ''] }));
    for (let hours = 0; hours < 24; hours++) await pass(service, 60 * MINUTE);
    const ids = followed.take().flatMap((event) => {
      if (event.type === 'snapshot') return event.visits.map(({ geofence }) => geofence.geofenceId);
      return 'geofence' in event ? event.geofence.geofenceId : [];
    });
    expect(new Set(ids)).toEqual(new Set([one?.id]));
  });
});
