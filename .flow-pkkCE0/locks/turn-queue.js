import { dirname } from "node:path";
import { Contender, reachableHolder } from "./lease.js";
import { readTicket, removeStaleTicket } from "./tickets.js";
import { WakeUp } from "./wake-up.js";
const SELDOM_MS = 1e3;
const POLL_MS_PER_PLACE = 4;
const MAX_POLL_MS = 40;
async function waitForTurn(files, ticket, { signal, ...options }) {
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
      }
    };
  } catch (error) {
    ticket.remove();
    wakeUp.close();
    throw error;
  }
}
async function waitInQueue({ lease, queue }, contender, ticket, wakeUp, signal) {
  const isGone = (id) => wakeUp.isGone(id);
  for (; ; ) {
    signal?.throwIfAborted();
    const ahead = ticket.ahead();
    const previous = ahead.at(-1);
    if (previous === void 0) {
      const held = contender.take() ?? contender.takeOver(isGone);
      if (held) {
        ticket.remove();
        return held;
      }
    } else {
      const gone = [.../* @__PURE__ */ new Set([ahead[0] ?? previous, previous])].filter(
        (name) => removeStaleTicket(queue, name, isGone)
      );
      if (gone.length > 0) continue;
    }
    const awaited = previous === void 0 ? reachableHolder(lease) : readTicket(queue, previous);
    if (awaited?.address) wakeUp.follow(awaited.address, awaited.id);
    const poll = Math.min(MAX_POLL_MS, POLL_MS_PER_PLACE * Math.max(1, ahead.length)) * (0.5 + Math.random());
    await wakeUp.sleep(wakeUp.isLinked ? SELDOM_MS : poll, signal);
  }
}
export {
  waitForTurn
};
