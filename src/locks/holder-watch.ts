// Wakes the first waiting process at the end of a turn that was free when it was taken. Its holder
// has no address that others could connect to, so it connects to the waiting process.
import type { Socket } from 'node:net';
import { readTicket, ticketsIn } from './tickets.js';

/** Most turns end before the first check. */
const FIRST_CHECK_MS = 5;
const CHECK_MS = 25;

/** Call it when the turn begins, and the returned function after the lease is released. */
export function watchForWaiters(queue: string, id: string): () => void {
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
