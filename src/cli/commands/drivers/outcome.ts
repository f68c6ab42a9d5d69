// What the service makes of assignments that are sent one after the other, by the rules of the reference service.
import { type AssignmentChange, type AssignmentInterval, assign, unassign } from '../../../mock/store/assignments.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import type { Request } from '../../records/requests.js';
import type { AssignmentRow } from '../../views/assignment.js';

export interface Pair {
  readonly vehicleId: string;
  readonly driverId: string;
}

/** An assignment of the service, as it is or as the plan foresees it. Times in milliseconds. */
export interface HeldAssignment extends Pair {
  readonly id: string | null;
  readonly start: number;
  /** Infinity for one that lasts. */
  readonly end: number;
}

/** Something to send. Times in milliseconds. */
export type Move =
  | {
      readonly kind: 'assign';
      readonly pair: Pair;
      readonly at: number;
      /** Null for an assignment that lasts until the next one. */
      readonly end: number | null;
    }
  | {
      readonly kind: 'unassign';
      /** Without a driver, whoever is assigned then. */
      readonly pair: { readonly vehicleId: string; readonly driverId: string | null };
      readonly at: number;
    };

/** The assignments of the service; one of both the vehicle and the driver is read twice. */
export function heldOf(rows: readonly AssignmentRow[]): readonly HeldAssignment[] {
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

/** The assignments afterwards, by their begin. Those that a move adds have no id yet. */
export function outcomeOf(held: readonly HeldAssignment[], moves: readonly Move[]): readonly HeldAssignment[] {
  // Keys of this calculation only: those of an earlier one would be given again.
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

/** What is sent for a move. */
export function requestOf(move: Move): Request {
  const { pair, at } = move;
  if (move.kind === 'unassign') {
    const unassignDriverInput = { ...pair, timestamp: timeOf(at) };
    return { operation: 'unassignDriver', variables: { unassignDriverInput }, idempotent: false };
  }
  const times = { startTimestamp: timeOf(at), ...(move.end === null ? {} : { endTimestamp: timeOf(move.end) }) };
  // The service changes nothing when the driver is assigned at this time already.
  return { operation: 'assignDriver', variables: { assignDriverInput: { ...pair, ...times } }, idempotent: true };
}

export function isSamePair(one: Pair, other: Pair): boolean {
  return one.vehicleId === other.vehicleId && one.driverId === other.driverId;
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}
