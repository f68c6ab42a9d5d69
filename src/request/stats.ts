// Counts the current calls and all requests of each user, for gauges and diagnosis.
import type { Priority } from '../core/priority.js';
import type { MergedCalls } from './batch.js';

/** Calls of one operation that wait for a turn. */
export type WaitingCalls = {
  readonly operation: string;
  readonly priority: Priority;
  /** Number of calls. */
  readonly calls: number;
  /** Wait of the oldest call, in milliseconds. */
  readonly forMs: number;
};

/** The request that has the turn. */
export type ActiveRequest = {
  /** Distinct operation names. */
  readonly operations: readonly string[];
  /** Number of calls that it answers. */
  readonly calls: number;
  /** Number of times it was sent. */
  readonly attempts: number;
  /** False while it waits for the gate, a token, a connection or a retry. */
  readonly isOnWire: boolean;
  /** Time since it got the turn, in milliseconds. */
  readonly forMs: number;
};

export type UserStats = {
  /** As in events: the userId, or `fleet:` and the fleetId; null for an id that is no UUID. */
  readonly user: string | null;
  /** Waiting calls by operation and priority. */
  readonly waiting: readonly WaitingCalls[];
  /** Null when no request is active. */
  readonly active: ActiveRequest | null;
  /** Requests sent, including retries, without logins. */
  readonly requests: number;
  /** Calls that shared a request with others. */
  readonly mergedCalls: number;
  /** Answers of HTTP 429. */
  readonly refusals: number;
  /** Size of all response texts. */
  readonly bytes: number;
};

/** The current work of a client and of those made from it by `forUser()` and `fork()`. */
export interface ClientStats {
  /** As in events. */
  readonly label: string;
  /** Every user with a call. A call is counted as soon as its user is known. */
  readonly users: readonly UserStats[];
}

/** Groups the waiting calls, from the highest priority to the lowest. */
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
