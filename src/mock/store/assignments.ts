// The assignment rules as pure functions. A vehicle and a driver have at most one assignment at a
// time. An assignment includes its start and excludes its end; an end of null means ongoing.

export interface AssignmentInterval {
  readonly id: string;
  readonly vehicleId: string;
  readonly driverId: string;
  readonly start: number;
  readonly end: number | null;
}

export type NewAssignment = Omit<AssignmentInterval, 'id'>;

export interface AssignmentChange {
  readonly removed: readonly AssignmentInterval[];
  /** Same id, new start and end. */
  readonly resized: readonly AssignmentInterval[];
  readonly added: readonly NewAssignment[];
}

type Period = Pick<AssignmentInterval, 'start' | 'end'>;

const endOf = ({ end }: Pick<Period, 'end'>): number => end ?? Number.POSITIVE_INFINITY;

export function isActiveAt(interval: Period, time: number): boolean {
  return interval.start <= time && time < endOf(interval);
}

function doOverlap(a: Period, b: Period): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

/**
 * Adds an assignment; overlapping ones of its vehicle or driver are shortened, split or removed. If
 * it has no end, it ends where the next planned one begins. Null when vehicle and driver are
 * already assigned to each other at its start.
 */
export function assign(existing: Iterable<AssignmentInterval>, assignment: NewAssignment): AssignmentChange | null {
  const removed: AssignmentInterval[] = [];
  const resized: AssignmentInterval[] = [];
  const added: NewAssignment[] = [];
  const concerned = [...existing].filter(
    ({ vehicleId, driverId }) => vehicleId === assignment.vehicleId || driverId === assignment.driverId,
  );
  const planned = concerned.filter(({ start }) => start > assignment.start).map(({ start }) => start);
  const end = assignment.end ?? (planned.length === 0 ? null : Math.min(...planned));
  for (const current of concerned) {
    const isSamePair = current.vehicleId === assignment.vehicleId && current.driverId === assignment.driverId;
    if (isSamePair && isActiveAt(current, assignment.start)) return null;
    if (!doOverlap(current, { start: assignment.start, end })) continue;
    const before = current.start < assignment.start ? { ...current, end: assignment.start } : null;
    const after =
      assignment.end !== null && endOf(current) > assignment.end ? { ...current, start: assignment.end } : null;
    // The part before keeps the id. If both parts remain, the part after is a new assignment.
    if (before !== null) resized.push(before);
    if (after !== null && before === null) resized.push(after);
    if (after !== null && before !== null) {
      const { vehicleId, driverId, start, end } = after;
      added.push({ vehicleId, driverId, start, end });
    }
    if (before === null && after === null) removed.push(current);
  }
  added.push({ ...assignment, end });
  return { removed, resized, added };
}

/** Ends the assignment active at this time. Null if there is none, or if it has another driver. */
export function unassign(
  existing: Iterable<AssignmentInterval>,
  time: number,
  driverId: string | null,
): AssignmentChange | null {
  for (const current of existing) {
    if (!isActiveAt(current, time)) continue;
    if (driverId !== null && current.driverId !== driverId) return null;
    // An assignment that ends at its start has no length.
    if (current.start === time) return { removed: [current], resized: [], added: [] };
    return { removed: [], resized: [{ ...current, end: time }], added: [] };
  }
  return null;
}

/** Ends active assignments at this time and removes later ones. */
export function endAll(existing: Iterable<AssignmentInterval>, time: number): AssignmentChange {
  const removed: AssignmentInterval[] = [];
  const resized: AssignmentInterval[] = [];
  for (const current of existing) {
    if (current.start >= time) removed.push(current);
    else if (endOf(current) > time) resized.push({ ...current, end: time });
  }
  return { removed, resized, added: [] };
}
