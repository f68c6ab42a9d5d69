// Polls for an event in another process or on another server.
import { vi } from 'vitest';

export async function until(hasHappened: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(hasHappened, { interval: 2, timeout: 60_000 });
}
