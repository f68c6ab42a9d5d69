// Waits for a turn, first come, first served. A process follows the one before it in the queue, or
// the holder when it is first. It is woken when that process ends its turn, leaves or dies. It also
// polls the files, because sockets do not work in every folder and between all processes: rarely
// while it is linked, otherwise often.
import { dirname } from 'node:path';
import { Contender, type Lease, type LeaseOptions, reachableHolder } from './lease.js';
import { readTicket, removeStaleTicket, type Ticket } from './tickets.js';
import { WakeUp } from './wake-up.js';

/** Poll interval of a linked process. It detects stale leases and touches the own ticket. */
const LINKED_POLL_MS = 1000;
/** Poll interval of any other process, per place in the queue: the first one polls most often. */
const POLL_MS_PER_PLACE = 4;
const MAX_POLL_MS = 40;

export interface TurnFiles {
  readonly lease: string;
  readonly queue: string;
}

interface TurnQueueOptions extends LeaseOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves with the lease when it is the ticket's turn, and removes the ticket. Rejects with the
 * signal's reason, or when the files cannot be written.
 */
export async function waitForTurn(
  files: TurnFiles,
  ticket: Ticket,
  { signal, ...options }: TurnQueueOptions,
): Promise<Lease> {
  const contender = new Contender(files.lease, options, ticket.id);
  const wakeUp = new WakeUp();
  try {
    const address = await wakeUp.listen(dirname(files.lease));
    if (address) {
      contender.address = address;
      ticket.publish(address);
    }
    const lease = await waitInQueue(files, contender, ticket, wakeUp, signal);
    return {
      id: lease.id,
      release() {
        lease.release();
        wakeUp.close();
      },
    };
  } catch (error) {
    ticket.remove();
    wakeUp.close();
    throw error;
  }
}

async function waitInQueue(
  { lease, queue }: TurnFiles,
  contender: Contender,
  ticket: Ticket,
  wakeUp: WakeUp,
  signal: AbortSignal | undefined,
): Promise<Lease> {
  const isGone = (id: string) => wakeUp.isGone(id);
  for (;;) {
    signal?.throwIfAborted();
    const ahead = ticket.ahead();
    const previous = ahead.at(-1);
    if (previous === undefined) {
      const held = contender.take() ?? contender.takeOver(isGone);
      if (held) {
        ticket.remove();
        return held;
      }
    } else {
      const gone = [...new Set([ahead[0] ?? previous, previous])].filter((name) =>
        removeStaleTicket(queue, name, isGone),
      );
      if (gone.length > 0) continue;
    }
    const target = previous === undefined ? reachableHolder(lease) : readTicket(queue, previous);
    if (target?.address) wakeUp.follow(target.address, target.id);
    const poll = Math.min(MAX_POLL_MS, POLL_MS_PER_PLACE * Math.max(1, ahead.length)) * (0.5 + Math.random());
    await wakeUp.sleep(wakeUp.isLinked ? LINKED_POLL_MS : poll, signal);
  }
}
