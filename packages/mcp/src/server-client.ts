// The client that all calls share, with user and profile of the server's start.

import type { FleetClient, Trip } from 'fleet-telematics';
import { operations } from 'fleet-telematics/kit';
import type { Context } from 'fleet-telematics/kit/command';
import { openForUser, readSettings, type Settings } from 'fleet-telematics/kit/command';

/** Returns an opener. A failure is retried with the next call: a person may have logged in. */
export function sharedClient(server: Context): () => Promise<FleetClient> {
  let settings: Promise<Settings> | null = null;
  let client: Promise<FleetClient> | null = null;
  const read = () => {
    settings ??= readSettings(server);
    settings.catch(() => {
      settings = null;
    });
    return settings;
  };
  // Read at the start, so that later changes of the profile have no effect.
  const begun = server.globals.demo ? null : read().catch(() => undefined);
  return async () => {
    await begun;
    client ??= openForUser(server, read).then(withLowPriority);
    try {
      return await client;
    } catch (error) {
      client = null;
      throw error;
    }
  };
}

/** Returns a client with low priority: people wait for other commands of the same user. */
export function withLowPriority(client: FleetClient): FleetClient {
  return replacing(client, (name, member) => {
    // Index of the options argument.
    const at = name === 'request' ? 2 : Object.hasOwn(operations, name) ? 1 : null;
    if (at === null) return member;
    return (...args) => {
      const before = Array.from({ length: at }, (_, index) => args[index]);
      return member(...before, { priority: 'low', ...Object(args[at]) });
    };
  });
}

export function withTripStream(
  client: FleetClient,
  stream: (...args: Parameters<FleetClient['streamTrips']>) => AsyncIterable<Trip>,
): FleetClient {
  return replacing(client, (name, member) =>
    name === 'streamTrips' ? (...args) => Reflect.apply(stream, undefined, args) : member,
  );
}

type Method = (...args: readonly unknown[]) => unknown;

function replacing(client: FleetClient, change: (name: string, member: Method) => Method): FleetClient {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? change(String(name), member.bind(target)) : member;
    },
  });
}
