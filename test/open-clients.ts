// Closes the clients that the tests of a file have made: the files of a worker share one process, and a request that nobody answers would be
// repeated in the middle of the tests of another file, on the timers that these have put in place.
import { afterAll, vi } from 'vitest';

interface Client {
  close(): Promise<void>;
}

/** On the process: this module is loaded again for each file. */
const held = globalThis as { openClients?: Set<Client> };

/** Has the client closed when the tests of the file have ended. */
export function closedInTheEnd<Made extends Client>(client: Made): Made {
  held.openClients ??= new Set();
  held.openClients.add(client);
  return client;
}

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  const clients = [...(held.openClients ?? [])];
  held.openClients?.clear();
  // Not awaited: a login that never ends would be waited for.
  for (const client of clients) client.close().catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
});
