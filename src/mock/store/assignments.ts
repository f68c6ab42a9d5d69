// The assignment rules as pure functions over half-open intervals [start, end): a vehicle has one driver at a time, and a
// driver one vehicle. An end of null is open: the assignment goes on.

export interface Interval {
  readonly id: string;
  readonly vehicleId: string;
  readonly driverId: string;
  readonly start: number;
  readonly end: number | null;
}

export type NewInterval = Omit<Interval, 'id'>;

/** What has to happen to the intervals there are. */
export interface Change {
  readonly removed: readonly Interval[];
  /** Intervals that keep their id and get these bounds. */
  readonly resized: readonly Interval[];
  readonly added: readonly NewInterval[];
}

const endOf = ({ end }: { readonly end: number | null }): number => end ?? Number.POSITIVE_INFINITY;

/** Whether the interval holds at this time: its start does, its end does not. */
function holdsAt(interval: Pick<Interval, 'start' | 'end'>, time: number): boolean {
  return interval.start <= time && time < endOf(interval);
}

function overlap(a: Pick<Interval, 'start' | 'end'>, b: Pick<Interval, 'start' | 'end'>): boolean {
  return a.start < endOf(b) && b.start < endOf(a);
}

/**
 * Makes room for a new assignment among those of the same vehicle and of the same driver: what overlaps it is shortened,
 * split in two or removed. Null when the pair already holds at the start: then nothing changes, whatever the end.
 */
export function assign(existing: Iterable<Interval>, wanted: NewInterval): Change | null {
  const removed: Interval[] = [];
  const resized: Interval[] = [];
  const added: NewInterval[] = [];
  for (const one of existing) {
    const sameVehicle = one.vehicleId === wanted.vehicleId;
    const sameDriver = one.driverId === wanted.driverId;
    if (sameVehicle && sameDriver && holdsAt(one, wanted.start)) return null;
    if (!(sameVehicle || sameDriver) || !overlap(one, wanted)) continue;
    const before = one.start < wanted.start ? { ...one, end: wanted.start } : null;
    const after = wanted.end !== null && endOf(one) > wanted.end ? { ...one, start: wanted.end } : null;
    // The earlier part keeps the id; when both parts remain, the later one is a new assignment.
    if (before !== null) resized.push(before);
    if (after !== null && before === null) resized.push(after);
    if (after !== null && before !== null) {
      const { vehicleId, driverId, start, end } = after;
      added.push({ vehicleId, driverId, start, end });
    }
    if (before === null && after === null) removed.push(one);
  }
  added.push(wanted);
  return { removed, resized, added };
}

/** Ends the vehicle's assignment that holds at this time, at this time. Null when none does, or when it is another driver's. */
export function unassign(existing: Iterable<Interval>, time: number, driverId: string | null): Change | null {
  for (const one of existing) {
    if (!holdsAt(one, time)) continue;
    if (driverId !== null && one.driverId !== driverId) return null;
    // Ended where it starts, nothing of it would remain.
    if (one.start === time) return { removed: [one], resized: [], added: [] };
    return { removed: [], resized: [{ ...one, end: time }], added: [] };
  }
  return null;
}

/** Everything a driver still has at this time or will have: what holds ends now, what lies ahead is removed. */
export function endAll(existing: Iterable<Interval>, time: number): Change {
  const removed: Interval[] = [];
  const resized: Interval[] = [];
  for (const one of existing) {
    if (one.start >= time) removed.push(one);
    else if (endOf(one) > time) resized.push({ ...one, end: time });
  }
  return { removed, resized, added: [] };
}
