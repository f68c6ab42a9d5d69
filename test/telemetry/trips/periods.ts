// Reads the trips of a vehicle in periods, from a service with given snapshots.
import { type Fetch, FleetClient, type Trip } from '../../../src/index.js';
import { createMockService } from '../../../src/mock/service.js';

/** Returns a client of a service with these snapshots. `timeOf`: the time to filter them by. */
export function clientOf<Snapshot extends { readonly timestamp: unknown }>(
  snapshots: readonly Snapshot[],
  now: number,
  timeOf: (snapshot: Snapshot) => number = ({ timestamp }) => Date.parse(String(timestamp)),
): FleetClient {
  const clock = { now: () => now };
  const { fetch } = createMockService({ vehicles: 1, clock });
  const answers: Fetch = (url, init) => {
    if (!url.endsWith('/graphql')) return fetch(url, init);
    const { variables } = JSON.parse(String(init.body));
    const [from, to] = [Date.parse(variables.from), Date.parse(variables.to)];
    const isAsked = (snapshot: Snapshot) => timeOf(snapshot) >= from && timeOf(snapshot) <= to;
    return Promise.resolve(Response.json({ data: { getSnapshots: snapshots.filter(isAsked) } }));
  };
  const credentials = { username: 'demo', password: 'demo' };
  return new FleetClient({ baseUrl: 'https://fleet.test', credentials, fetch: answers, clock });
}

export async function read(trips: AsyncIterable<Trip>): Promise<Trip[]> {
  const all: Trip[] = [];
  for await (const trip of trips) all.push(trip);
  return all;
}

/** Returns the sums of the parts of each trip, by id. */
export function sums(trips: readonly Trip[]) {
  const found = new Map<string, Record<string, number>>();
  for (const trip of trips) {
    const sum = found.get(trip.id) ?? {};
    found.set(trip.id, sum);
    const add = (name: string, value: number) => {
      sum[name] = Math.round(((sum[name] ?? 0) + value) * 1000) / 1000;
    };
    add('distanceKm', trip.distanceKm);
    add('durationSeconds', trip.durationSeconds);
    add('movingSeconds', trip.movingSeconds);
    add('idleSeconds', trip.idleSeconds);
    add('unseenSeconds', trip.unseenSeconds);
    add('snapshots', trip.snapshots);
    for (const [type, count] of Object.entries(trip.harshEvents)) add(type, count);
  }
  return found;
}
