// Closes the clients that the tests of a file created. All files of a worker share one process: an
// unanswered request would be retried during another file's tests, on their fake timers.
import { afterAll, vi } from 'vitest';

interface Client {
  close(): Promise<void>;
}

/** On the process, because each file loads this module again. */
const held = globalThis as { openClients?: Set<Client> };

export function closeAfterTests<Made extends Client>(client: Made): Made {
  held.openClients ??= new Set();
  held.openClients.add(client);
  return client;
}

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  const clients = [...(held.openClients ?? [])];
  held.openClients?.clear();
  // Not awaited, because a login may never end.
  for (const client of clients) client.close().catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
});
