import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { configFolder } from "../core/config-folder.js";
import { errorCode } from "../core/error-code.js";
import { hashedName } from "../core/hashed-name.js";
import { restrictToOwner } from "../core/owner-only.js";
import { quietly } from "../core/quietly.js";
import { hasFired, localGate } from "./gate.js";
import { watchForWaiters } from "./holder-watch.js";
import { tryAcquireLease } from "./lease.js";
import { Ticket, ticketsIn } from "./tickets.js";
function turnFiles(directory, key) {
  const lease = join(directory, "turns", `${hashedName(key)}.turn`);
  return { lease, queue: `${lease}.queue` };
}
function fileGate({ directory = configFolder(), onWarning } = {}) {
  const inProcess = localGate();
  const warning = quietly(onWarning);
  const warn = (message) => warning({ code: "GATE_LOST", message });
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
        options
      );
    }
  };
}
function narrow(folder) {
  if (existsSync(folder)) restrictToOwner(folder, 448);
}
async function leaseOrWarning(files, options, warn) {
  const onLost = () => warn(
    "Another process considered this one dead and took over its turn: two requests of the user may be active at once, and one may be answered with 429."
  );
  try {
    narrow(dirname(files.lease));
    const free = ticketsIn(files.queue).length > 0 ? null : tryAcquireLease(files.lease, { onLost });
    if (free) return endingFreeTurn(free, files);
    const ticket = new Ticket(files.queue);
    try {
      const { waitForTurn } = await import("./turn-queue.js");
      return await waitForTurn(files, ticket, { signal: options.signal, onLost });
    } catch (error) {
      ticket.remove();
      throw error;
    }
  } catch (error) {
    if (hasFired(options)) throw error;
    warn(
      `This process cannot take turns with others, because ${reasonOf(error)}. Its requests are sent nevertheless, and some may be answered with 429.`
    );
    return null;
  }
}
function reasonOf(error) {
  if (!(error instanceof Error)) return "of an unexpected error";
  const code = errorCode(error) ?? error.name;
  if (!("syscall" in error)) return `of an unexpected error (${code})`;
  return `its files in the config folder cannot be written (${code})`;
}
function endingFreeTurn(lease, { queue }) {
  const wakeFirst = watchForWaiters(queue, lease.id);
  return {
    release() {
      lease.release();
      wakeFirst();
    }
  };
}
export {
  fileGate,
  turnFiles
};
