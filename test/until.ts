// For what happens in another process or on another server, which tells this one nothing: it is asked until it has happened.
import { vi } from 'vitest';

export async function until(hasHappened: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(hasHappened, { interval: 2, timeout: 60_000 });
}
