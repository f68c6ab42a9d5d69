// A gate between the processes of one machine, first come, first served. The turn is a lease file;
// the lease of a killed process is taken over.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import { errorCode } from '../core/error-code.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { restrictToOwner } from '../core/owner-only.js';
import { quietly } from '../core/quietly.js';
import { type Gate, type HoldOptions, hasFired, localGate } from './gate.js';
import { watchForWaiters } from './holder-watch.js';
import { type Lease, tryAcquireLease } from './lease.js';
import { Ticket, ticketsIn } from './tickets.js';
import type { TurnFiles } from './turn-queue.js';

export interface FileGateOptions {
  /** The config folder, which contains the `turns` folder. Default: `configFolder()`. */
  readonly directory?: string | undefined;
  /** Called when another process takes over the turn, or when this folder cannot be used. */
  readonly onWarning?: ((event: Warning) => void) | undefined;
}

export function turnFiles(directory: string, key: string): TurnFiles {
  const lease = join(directory, 'turns', `${hashedName(key)}.turn`);
  return { lease, queue: `${lease}.queue` };
}

export function fileGate({ directory = configFolder(), onWarning }: FileGateOptions = {}): Gate {
  // Calls of this process queue here first, so that only one of them waits for the lease.
  const inProcess = localGate();
  const warning = quietly(onWarning);
  const warn = (message: string) => warning({ code: 'GATE_LOST', message });
  return {
    hold(key, task, options = {}) {
      const files = turnFiles(directory, key);
      return inProcess.hold(
        key,
        async () => {
          const lease = await leaseOrWarning(files, options, warn);
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

/** Other users must not be able to remove lease files. The first lease creates the folder. */
function restrictFolder(folder: string): void {
  if (existsSync(folder)) restrictToOwner(folder, 0o700);
}

/** Returns null when no lease can be created here: an occasional 429 beats no request. */
async function leaseOrWarning(
  files: TurnFiles,
  options: HoldOptions,
  warn: (message: string) => void,
): Promise<Pick<Lease, 'release'> | null> {
  const onLost = () =>
    warn(
      'Another process considered this one dead and took over its turn: two requests of the user may be active at once, and one may be answered with 429.',
    );
  try {
    restrictFolder(dirname(files.lease));
    const free = ticketsIn(files.queue).length > 0 ? null : tryAcquireLease(files.lease, { onLost });
    if (free) return withWakeUp(free, files);
    // The ticket is created at once; the code for waiting is loaded only when needed.
    const ticket = new Ticket(files.queue);
    try {
      const { waitForTurn } = await import('./turn-queue.js');
      return await waitForTurn(files, ticket, { signal: options.signal, onLost });
    } catch (error) {
      // `waitForTurn` removes it, unless its code could not be loaded.
      ticket.remove();
      throw error;
    }
  } catch (error) {
    if (hasFired(options)) throw error;
    warn(
      `This process cannot take turns with others, because ${reasonOf(error)}. Its requests are sent nevertheless, and some may be answered with 429.`,
    );
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'of an unexpected error';
  const code = errorCode(error) ?? error.name;
  if (!('syscall' in error)) return `of an unexpected error (${code})`;
  return `its files in the config folder cannot be written (${code})`;
}

function withWakeUp(lease: Lease, { queue }: TurnFiles): Pick<Lease, 'release'> {
  const wakeFirst = watchForWaiters(queue, lease.id);
  return {
    release() {
      lease.release();
      wakeFirst();
    },
  };
}
