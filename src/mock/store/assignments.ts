// The assignment rules as pure functions. A vehicle has at most one driver at a time, and a driver at most one vehicle. An
// assignment includes its start and excludes its end; an end of null means that it is ongoing.

export interface AssignmentInterval {
  readonly id: string;
  readonly vehicleId: string;
  readonly driverId: string;
  readonly start: number;
  readonly end: number | null;
}

export type NewAssignment = Omit<AssignmentInterval, 'id'>;

/** What to do with the existing assignments. */
export interface AssignmentChange {
  readonly removed: readonly AssignmentInterval[];
  /** Assignments that keep their id and get this start and end. */
  readonly resized: readonly AssignmentInterval[];
  readonly added: readonly NewAssignment[];
}

type Period = Pick<AssignmentInterval, 'start' | 'end'>;

const endOf = ({ end }: Pick<Period, 'end'>): number => end ?? Number.POSITIVE_INFINITY;

/** Whether the assignment is active at this time. */
export function isActiveAt(interval: Period, time: number): boolean {
  return interval.start <= time && time < endOf(interval);
}

function doOverlap(a: Period, b: Period): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

/**
 * Adds an assignment. Existing assignments of the same vehicle or driver that overlap it are shortened, split in two or removed.
 * Without an end, the given time is its start: what is planned for later stays, and the new assignment ends where that begins.
 * Null when the vehicle and the driver are already assigned to each other at its start: then nothing changes.
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
    // The part before keeps the id. When both parts remain, the part after is a new assignment.
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

/** Ends the assignment that is active at this time. Null when there is none, or when it belongs to another driver. */
export function unassign(
  existing: Iterable<AssignmentInterval>,
  time: number,
  driverId: string | null,
): AssignmentChange | null {
  for (const current of existing) {
    if (!isActiveAt(current, time)) continue;
    if (driverId !== null && current.driverId !== driverId) return null;
    // Ended at its start, it has no length left.
    if (current.start === time) return { removed: [current], resized: [], added: [] };
    return { removed: [], resized: [{ ...current, end: time }], added: [] };
  }
  return null;
}

/** Ends all assignments at this time: active ones end now, later ones are removed. */
export function endAll(existing: Iterable<AssignmentInterval>, time: number): AssignmentChange {
  const removed: AssignmentInterval[] = [];
  const resized: AssignmentInterval[] = [];
  for (const current of existing) {
    if (current.start >= time) removed.push(current);
    else if (endOf(current) > time) resized.push({ ...current, end: time });
  }
  return { removed, resized, added: [] };
}
