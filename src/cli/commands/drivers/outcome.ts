// Computes the outcome of assignment changes sent in order, by the rules of the reference service.
import { type AssignmentChange, type AssignmentInterval, assign, unassign } from '../../../mock/store/assignments.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import type { Request } from '../../records/requests.js';
import type { AssignmentRow } from '../../views/assignment.js';

export interface Pair {
  readonly vehicleId: string;
  readonly driverId: string;
}

/** A current or predicted assignment. Times in milliseconds. */
export interface HeldAssignment extends Pair {
  readonly id: string | null;
  readonly start: number;
  /** Infinity for an open assignment. */
  readonly end: number;
}

/** A change to send. Times in milliseconds. */
export type Move =
  | {
      readonly kind: 'assign';
      readonly pair: Pair;
      readonly at: number;
      /** Null: until the next assignment. */
      readonly end: number | null;
    }
  | {
      readonly kind: 'unassign';
      /** `driverId` null: any assigned driver. */
      readonly pair: { readonly vehicleId: string; readonly driverId: string | null };
      readonly at: number;
    };

/** Returns the assignments without duplicates: one can be read by its vehicle and by its driver. */
export function distinctAssignments(rows: readonly AssignmentRow[]): readonly HeldAssignment[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].flatMap(
    ({ id, vehicleId, driverId, startedAt, endedAt }): readonly HeldAssignment[] => {
      const start = timestampMs(startedAt);
      const pair = { vehicleId: vehicleId ?? '', driverId: driverId ?? '' };
      return start === null
        ? []
        : [{ ...pair, id: id ?? null, start, end: timestampMs(endedAt) ?? Number.POSITIVE_INFINITY }];
    },
  );
}

/** Returns the assignments after the moves, sorted by start. Added ones have no id yet. */
export function outcomeOf(held: readonly HeldAssignment[], moves: readonly Move[]): readonly HeldAssignment[] {
  // Predicted assignments have no id, so temporary keys are used here.
  const ids = new Map(held.map(({ id }, index) => [`row ${index}`, id]));
  let rows = held.map(
    ({ id: _id, start, end, ...pair }, index): AssignmentInterval => ({
      ...pair,
      id: `row ${index}`,
      start,
      end: Number.isFinite(end) ? end : null,
    }),
  );
  for (const [index, move] of moves.entries()) rows = [...changed(rows, changeOf(rows, move), `move ${index}`)];
  return rows
    .map(
      ({ id, end, ...row }): HeldAssignment => ({
        ...row,
        id: ids.get(id) ?? null,
        end: end ?? Number.POSITIVE_INFINITY,
      }),
    )
    .sort((a, b) => a.start - b.start);
}

function changeOf(rows: readonly AssignmentInterval[], move: Move): AssignmentChange | null {
  if (move.kind === 'assign') return assign(rows, { ...move.pair, start: move.at, end: move.end });
  const { vehicleId, driverId } = move.pair;
  return unassign(
    rows.filter((row) => row.vehicleId === vehicleId),
    move.at,
    driverId,
  );
}

function changed(
  rows: readonly AssignmentInterval[],
  change: AssignmentChange | null,
  id: string,
): readonly AssignmentInterval[] {
  if (change === null) return rows;
  const gone = new Set([...change.removed, ...change.resized].map((row) => row.id));
  const added = change.added.map((row, index) => ({ ...row, id: `${id}.${index}` }));
  return [...rows.filter((row) => !gone.has(row.id)), ...change.resized, ...added];
}

export function requestOf(move: Move): Request {
  const { pair, at } = move;
  if (move.kind === 'unassign') {
    const unassignDriverInput = { ...pair, timestamp: timeOf(at) };
    return { operation: 'unassignDriver', variables: { unassignDriverInput }, idempotent: false };
  }
  const times = { startTimestamp: timeOf(at), ...(move.end === null ? {} : { endTimestamp: timeOf(move.end) }) };
  // Idempotent: the service changes nothing when the driver is already assigned at this time.
  return { operation: 'assignDriver', variables: { assignDriverInput: { ...pair, ...times } }, idempotent: true };
}

export function isSamePair(one: Pair, other: Pair): boolean {
  return one.vehicleId === other.vehicleId && one.driverId === other.driverId;
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}
