// A gate between the processes of one machine: scripts and the command line take turns for a user, first come first served. The
// turn is a lease file, which survives the killing of its holder.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import type { WarningEvent } from '../core/hooks.js';
import { type Gate, localGate } from './gate.js';
import { acquireLease, type Lease, tryAcquireLease } from './lease.js';
import { placeInLine, somebodyWaits } from './tickets.js';

export interface FileGateOptions {
  /** The config folder; turns are kept in its `turns` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Told when another process took a turn over that this one still held. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

/** The lease file of a turn, and the folder of those who wait for it. */
export function turnFiles(directory: string, key: string): { readonly lease: string; readonly line: string } {
  const lease = join(directory, 'turns', `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.turn`);
  return { lease, line: `${lease}.line` };
}

/** A gate in files, for all processes that use the same folder. */
export function fileGate({ directory = configFolder(), onWarning }: FileGateOptions = {}): Gate {
  // Calls of this process come first come first served, and only one of them asks for the lease.
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

/** Null when no turn can be kept in this folder: a 429 now and then is better than no request at all. */
async function leaseOrWarning(
  { lease: file, line }: ReturnType<typeof turnFiles>,
  signal: AbortSignal | undefined,
  onWarning: FileGateOptions['onWarning'],
): Promise<Lease | null> {
  const warn = (message: string) => onWarning?.({ code: 'GATE_LOST', message });
  const onLost = () =>
    warn(
      'Another process took this one for dead and its turn with it: two requests of the user may be active at once, and one may get a 429.',
    );
  try {
    const atOnce = somebodyWaits(line) ? null : tryAcquireLease(file, { onLost });
    if (atOnce) return atOnce;
    const giveUpPlace = await placeInLine(line, signal);
    try {
      return await acquireLease(file, { signal, onLost });
    } finally {
      giveUpPlace();
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    warn(
      'Turns with other processes cannot be kept: the config folder cannot be written. Requests are sent all the same, and some may get a 429.',
    );
    return null;
  }
}
