// Checks for a process of this machine that holds the user's request lock, and that it still runs.
import { readdirSync } from 'node:fs';
import { turnKey, userById } from '../../auth/acting-user.js';
import { turnFiles } from '../../locks/file-gate.js';
import { leaseHolder } from '../../locks/lease.js';
import { type CheckFinding, ok, warning } from './check.js';

/** A longer hold is reported: one lasts a single request. */
export const LONG_TURN_MS = 60_000;

export function checkTurn(folder: string, baseUrl: string, userId: string): CheckFinding {
  const { lease, queue } = turnFiles(folder, turnKey(baseUrl, userById(userId)));
  const holder = leaseHolder(lease);
  if (holder === null) return ok('free');
  const seconds = Math.round(holder.heldMs / 1000);
  const who = holder.pid === null ? 'a process' : `process ${holder.pid}${holder.isHere ? '' : ' of another machine'}`;
  if (holder.isGone) {
    return warning(
      `held for ${seconds} s by ${who}, which has ended`,
      'Nothing to do: the next request takes the turn over.',
    );
  }
  const held = `held for ${seconds} s by ${who}, which is running${waitingText(queue)}`;
  if (holder.heldMs < LONG_TURN_MS) return ok(held);
  return warning(
    held,
    `Commands of this user wait for this process. Check what it does, or end it: ${holder.pid ?? 'the process'}.`,
  );
}

function waitingText(line: string): string {
  try {
    const count = readdirSync(line).length;
    return count === 0 ? '' : `; ${count} waiting`;
  } catch {
    return '';
  }
}
