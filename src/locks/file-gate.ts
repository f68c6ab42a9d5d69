// A gate between the processes of one machine: scripts and the command line take turns for a user, first come, first served. The turn is
// a lease file; one whose holder was killed is taken over.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import type { WarningEvent } from '../core/hooks.js';
import { type Gate, localGate } from './gate.js';
import { acquireLease, type Lease, tryAcquireLease } from './lease.js';
import { hasTickets, waitForTicket } from './tickets.js';

export interface FileGateOptions {
  /** The config folder; lease files are in its `turns` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Called when another process takes over the turn of this one, or no turns can be taken in this folder. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** The lease file of a key, and the folder with the tickets of the processes that wait for it. */
export function turnFiles(directory: string, key: string): { readonly lease: string; readonly queue: string } {
  const lease = join(directory, 'turns', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.turn`);
  return { lease, queue: `${lease}.queue` };
}

/** A gate for all processes that use the same folder. */
export function fileGate({ directory = configFolder(), onWarning }: FileGateOptions = {}): Gate {
  // Calls of this process take turns first, so that only one of them waits for the lease.
  const inProcess = localGate();
  return {
    hold(key, task, options = {}) {
      const files = turnFiles(directory, key);
      return inProcess.hold(
        key,
        async () => {
          const lease = await leaseOrWarning(files, options.signal, onWarning);
          try {
            return await task();
          } finally {
            lease?.release();
          }
        },
        options,
      );
    },
  };
}

/** Null when there can be no lease in this folder: an occasional 429 is better than no request at all. */
async function leaseOrWarning(
  { lease: file, queue }: ReturnType<typeof turnFiles>,
  signal: AbortSignal | undefined,
  onWarning: FileGateOptions['onWarning'],
): Promise<Lease | null> {
  const warn = (message: string) => onWarning?.({ code: 'GATE_LOST', message });
  const onLost = () =>
    warn(
      'Another process considered this one dead and took over its turn: two requests of the user may be active at once, and one may be answered with 429.',
    );
  try {
    const immediate = hasTickets(queue) ? null : tryAcquireLease(file, { onLost });
    if (immediate) return immediate;
    const removeTicket = await waitForTicket(queue, signal);
    try {
      return await acquireLease(file, { signal, onLost });
    } finally {
      removeTicket();
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    warn(
      'This process cannot take turns with others, because the config folder is not writable. Its requests are sent nevertheless, and some may be answered with 429.',
    );
    return null;
  }
}
