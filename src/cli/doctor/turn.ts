// Whether a process of this machine has the user's turn, and whether it is one that still lives.
import { readdirSync } from 'node:fs';
import { turnKey, userById } from '../../auth/acting-user.js';
import { turnFiles } from '../../locks/file-gate.js';
import { leaseHolder } from '../../locks/lease.js';
import { type Finding, fine, warning } from './check.js';

/** A turn is as long as a request. */
const LONG_MS = 60_000;

export function lookAtTurn(folder: string, baseUrl: string, userId: string): Finding {
  const { lease, line } = turnFiles(folder, turnKey(baseUrl, userById(userId)));
  const holder = leaseHolder(lease);
  if (holder === null) return fine('free');
  const seconds = Math.round(holder.heldMs / 1000);
  const who = holder.pid === null ? 'a process' : `process ${holder.pid}${holder.isHere ? '' : ' of another machine'}`;
  if (holder.isGone) {
    return warning(`held for ${seconds} s by ${who}, which is gone`, 'Nothing to do: the next request takes it over.');
  }
  const held = `held for ${seconds} s by ${who}, which lives${waitingText(line)}`;
  if (holder.heldMs < LONG_MS) return fine(held);
  return warning(
    held,
    `Commands of this user wait for it. See what it does, or end it: ${holder.pid ?? 'the process'}.`,
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
