// The client that all calls of a server share. User and profile are those of its start, whatever
// the configuration says later.

import type { FleetClient, Trip } from 'fleet-telematics';
import { operations } from 'fleet-telematics/kit';
import type { Context } from 'fleet-telematics/kit/command';
import { openForUser, readSettings, type Settings } from 'fleet-telematics/kit/command';

/**
 * Returns what opens the client with the first call. A failure is retried with the next call: a
 * person may have logged in by then.
 */
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

/** Returns a client whose calls let others of the same user go first: people wait for commands. */
export function withLowPriority(client: FleetClient): FleetClient {
  return replacing(client, (name, member) => {
    // The place of the options of a call among its arguments.
    const at = name === 'request' ? 2 : Object.hasOwn(operations, name) ? 1 : null;
    if (at === null) return member;
    return (...args) => {
      const before = Array.from({ length: at }, (_, index) => args[index]);
      return member(...before, { priority: 'low', ...Object(args[at]) });
    };
  });
}

/** Returns a client whose trips come from another stream. */
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
