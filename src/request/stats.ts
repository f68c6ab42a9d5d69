// Counts what the calls of each user are doing, and what has become of their requests since the client was made. The numbers are for gauges,
// and for people who ask why a program waits.
import type { Priority } from '../core/priority.js';
import type { MergedCalls } from './batch.js';

/** Calls of one operation that wait for a turn. */
export type WaitingCalls = {
  readonly operation: string;
  readonly priority: Priority;
  /** How many there are. */
  readonly calls: number;
  /** How long the first of them has waited, in milliseconds. */
  readonly forMs: number;
};

/** The request that has the turn. */
export type ActiveRequest = {
  /** The operations in it, each once. */
  readonly operations: readonly string[];
  /** How many calls it answers. */
  readonly calls: number;
  /** How often it was sent so far. */
  readonly attempts: number;
  /** Whether it is at the service now; otherwise it waits for the gate, a token, a connection, or to be sent again. */
  readonly isOnWire: boolean;
  /** How long it has had the turn, in milliseconds. */
  readonly forMs: number;
};

export type UserStats = {
  /** As in events: the userId, or `fleet:` and the fleetId; null for an id that is no UUID. */
  readonly user: string | null;
  /** What waits, by operation and priority. */
  readonly waiting: readonly WaitingCalls[];
  /** Null when nothing is under way. */
  readonly active: ActiveRequest | null;
  /** Requests that were sent, repeats included, logins not. */
  readonly requests: number;
  /** Calls that shared a request with others. */
  readonly mergedCalls: number;
  /** Answers of HTTP 429. */
  readonly refusals: number;
  /** Size of the texts of all responses. */
  readonly bytes: number;
};

/** What a client and those made from it by `forUser()` and `fork()` are doing. */
export interface ClientStats {
  /** As in events. */
  readonly label: string;
  /** Every user that a call was made for. A call is counted here when its user is known. */
  readonly users: readonly UserStats[];
}

/** Groups what waits, from the highest priority to the lowest. */
export function waitingCalls(batches: Iterable<MergedCalls>, now: number): readonly WaitingCalls[] {
  const groups = new Map<string, { operation: string; priority: Priority; calls: number; forMs: number }>();
  for (const { fields, priority } of batches) {
    for (const { call, members } of fields) {
      for (const { deadline } of members) {
        const key = `${priority} ${call.name}`;
        const group = groups.get(key) ?? { operation: call.name, priority, calls: 0, forMs: 0 };
        group.calls++;
        group.forMs = Math.max(group.forMs, now - deadline.startedAt);
        groups.set(key, group);
      }
    }
  }
  return [...groups.values()];
}

export function activeRequest({ fields, progress }: MergedCalls, since: number, now: number): ActiveRequest {
  return {
    operations: [...new Set(fields.map(({ call }) => call.name))],
    calls: fields.reduce((sum, { members }) => sum + members.length, 0),
    attempts: progress.attempts,
    isOnWire: progress.isOnWire,
    forMs: now - since,
  };
}
