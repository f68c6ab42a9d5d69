// What the service makes of assignments that are sent one after the other, by the rules of the reference service.
import { type AssignmentChange, type AssignmentInterval, assign, unassign } from '../../../mock/store/assignments.js';

export interface Pair {
  readonly vehicleId: string;
  readonly driverId: string;
}

/** An assignment of the service, as it is or as the plan foresees it. Times in milliseconds. */
export interface Held extends Pair {
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
  | { readonly kind: 'unassign'; readonly pair: Pair; readonly at: number };

/** The assignments that there are afterwards, by their begin. */
export function outcomeOf(held: readonly Held[], moves: readonly Move[]): readonly Held[] {
  let rows = held.map(
    ({ id, start, end, ...pair }, index): AssignmentInterval => ({
      ...pair,
      id: id ?? `row ${index}`,
      start,
      end: Number.isFinite(end) ? end : null,
    }),
  );
  for (const [index, move] of moves.entries()) rows = [...changed(rows, changeOf(rows, move), `move ${index}`)];
  return rows
    .map(({ end, ...row }): Held => ({ ...row, end: end ?? Number.POSITIVE_INFINITY }))
    .sort((a, b) => a.start - b.start);
}

function changeOf(rows: readonly AssignmentInterval[], move: Move): AssignmentChange | null {
  const { pair, at } = move;
  if (move.kind === 'assign') return assign(rows, { ...pair, start: at, end: move.end });
  return unassign(
    rows.filter(({ vehicleId }) => vehicleId === pair.vehicleId),
    at,
    pair.driverId,
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
