// A gate between the processes of one machine, first come, first served. The turn is a lease file;
// the lease of a killed process is taken over.
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { configFolder } from '../core/config-folder.js';
import { errorCode } from '../core/error-code.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { restrictToOwner } from '../core/private-file.js';
import { quietly } from '../core/safe-read.js';
import { type Gate, type HoldOptions, hasFired, localGate } from './gate.js';
import { type Lease, tryAcquireLease } from './lease.js';
import { readTicket, Ticket, ticketsIn } from './tickets.js';
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

/** Returns the words after "because" in the warning. */
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

/** Most turns end before the first check. */
const FIRST_CHECK_MS = 5;
const CHECK_MS = 25;

/**
 * Wakes the first waiting process at the end of a turn that was free when it was taken. Its holder
 * has no address that others could connect to, so it connects to the waiting process. Call it when
 * the turn begins, and the returned function after the lease is released.
 */
function watchForWaiters(queue: string, id: string): () => void {
  let socket: Socket | null = null;
  let isOver = false;
  const check = async () => {
    const opened = await announceToFirst(queue, id);
    if (opened === null) return scheduleCheck(CHECK_MS);
    if (isOver) return opened.end();
    socket = opened.once('close', () => {
      socket = null;
      // It has left, so another process is first now.
      if (!isOver) scheduleCheck(CHECK_MS);
    });
  };
  const scheduleCheck = (ms: number) => {
    // Unref: the work in the turn keeps the process alive.
    if (!isOver) timer = setTimeout(() => void check(), ms).unref();
  };
  let timer = setTimeout(() => void check(), FIRST_CHECK_MS).unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
    if (socket) socket.connecting ? socket.end() : socket.destroy();
    else void announceToFirst(queue, id).then((opened) => opened?.end());
  };
}

async function announceToFirst(queue: string, id: string): Promise<Socket | null> {
  const [first] = ticketsIn(queue);
  const address = first === undefined ? null : readTicket(queue, first)?.address;
  if (!address) return null;
  const { announceHolder } = await import('./wake-up.js');
  return announceHolder(address, id);
}
