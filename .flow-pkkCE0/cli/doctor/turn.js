import { readdirSync } from "node:fs";
import { turnKey, userById } from "../../auth/acting-user.js";
import { turnFiles } from "../../locks/file-gate.js";
import { leaseHolder } from "../../locks/lease.js";
import { ok, warning } from "./check.js";
const LONG_TURN_MS = 6e4;
function checkTurn(folder, baseUrl, userId) {
  const { lease, queue } = turnFiles(folder, turnKey(baseUrl, userById(userId)));
  const holder = leaseHolder(lease);
  if (holder === null) return ok("free");
  const seconds = Math.round(holder.heldMs / 1e3);
  const who = holder.pid === null ? "a process" : `process ${holder.pid}${holder.isHere ? "" : " of another machine"}`;
  if (holder.isGone) {
    return warning(
      `held for ${seconds} s by ${who}, which has ended`,
      "Nothing to do: the next request takes the turn over."
    );
  }
  const held = `held for ${seconds} s by ${who}, which is running${waitingText(queue)}`;
  if (holder.heldMs < LONG_TURN_MS) return ok(held);
  return warning(
    held,
    `Commands of this user wait for it. Check what it does, or end it: ${holder.pid ?? "the process"}.`
  );
}
function waitingText(line) {
  try {
    const count = readdirSync(line).length;
    return count === 0 ? "" : `; ${count} waiting`;
  } catch {
    return "";
  }
}
export {
  LONG_TURN_MS,
  checkTurn
};
