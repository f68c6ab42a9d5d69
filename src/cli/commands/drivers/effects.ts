// What assigning a driver does to the assignments that are there, by the rules of the contract: told before it is sent, and compared
// with what is there afterwards.
import { localTime } from '../../time/local-time.js';
import type { AssignmentRow } from '../../views/assignment.js';
import { momentOf } from '../../views/humanize.js';

/** The assignment that is to be made. Times in milliseconds; without an end it is ongoing. */
export interface Assigning {
  readonly vehicleId: string;
  readonly driverId: string;
  readonly start: number;
  readonly end: number | null;
}

/** One sentence for each assignment that ends or changes; or the one that says why nothing will. Times are in `zone`. */
export function effectsOf(
  rows: readonly AssignmentRow[],
  assigning: Assigning,
  zone: string | undefined,
): readonly string[] {
  const minute = minuteIn(zone);
  const running = sameAt(rows, assigning);
  if (running !== null) return [`${nothing(running, minute)} The service will change nothing.`];
  const { start } = assigning;
  const concerned = unique(rows).flatMap((row) => {
    const from = momentOf(row.startedAt);
    return from === null ? [] : [{ row, from, to: momentOf(row.endedAt) ?? Number.POSITIVE_INFINITY }];
  });
  // An open assignment ends where the next planned one begins.
  const planned = concerned.flatMap(({ from }) => (from > start ? [from] : []));
  const end = assigning.end ?? Math.min(Number.POSITIVE_INFINITY, ...planned);
  return concerned.flatMap(({ row, from, to }) => {
    if (from >= end || to <= start) return [];
    const name = `${nameOf(row)}, from ${minute(row.startedAt)}`;
    const resumes = assigning.end !== null && to > end;
    if (from < start && resumes) return [`${name}: interrupted from ${minute(start)} to ${minute(end)}.`];
    if (from < start) return [`${name}: ends at ${minute(start)}.`];
    return [resumes ? `${name}: begins only at ${minute(end)}.` : `${name}: removed.`];
  });
}

/** Why a change that was accepted changed nothing, and what would end the assignment. */
export function unchangedText(rows: readonly AssignmentRow[], assigning: Assigning, zone: string | undefined): string {
  const running = sameAt(rows, assigning);
  const vehicle = running?.vehicleName ?? assigning.vehicleId;
  const at = assigning.end === null ? '' : ` --at ${new Date(assigning.end).toISOString()}`;
  const why = running === null ? 'The service accepted it without an effect.' : nothing(running, minuteIn(zone));
  return `Nothing changed. ${why} To end it: fleet drivers unassign "${vehicle}"${at}`;
}

type Minute = (value: string | number | null | undefined) => string;

/** `2026-03-02 09:41+02:00` */
function minuteIn(zone: string | undefined): Minute {
  return (value) => {
    const moment = momentOf(value);
    return moment === null ? '' : localTime(moment, 'minute', { zone, offset: null });
  };
}

function nothing(row: AssignmentRow, minute: Minute): string {
  const end = momentOf(row.endedAt) === null ? '' : ` until ${minute(row.endedAt)}`;
  return `${row.driverName ?? row.driverId} is assigned to ${row.vehicleName ?? row.vehicleId} already, from ${minute(row.startedAt)}${end}.`;
}

/** The assignment of the same pair that is active at the start. */
function sameAt(rows: readonly AssignmentRow[], { vehicleId, driverId, start }: Assigning): AssignmentRow | null {
  const isActive = ({ startedAt, endedAt }: AssignmentRow) =>
    (momentOf(startedAt) ?? Number.POSITIVE_INFINITY) <= start &&
    start < (momentOf(endedAt) ?? Number.POSITIVE_INFINITY);
  return rows.find((row) => row.vehicleId === vehicleId && row.driverId === driverId && isActive(row)) ?? null;
}

function nameOf({ driverName, driverId, vehicleName, vehicleId }: AssignmentRow): string {
  return `${driverName ?? driverId ?? 'unknown driver'} on ${vehicleName ?? vehicleId ?? 'unknown vehicle'}`;
}

/** An assignment of both the vehicle and the driver is in both lists. */
function unique(rows: readonly AssignmentRow[]): readonly AssignmentRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Whether the two lists hold the same assignments with the same times. */
export function isUnchanged(before: readonly AssignmentRow[], after: readonly AssignmentRow[]): boolean {
  const texts = (rows: readonly AssignmentRow[]) =>
    unique(rows)
      .map(({ id, startedAt, endedAt }) => JSON.stringify([id, startedAt, endedAt]))
      .sort()
      .join();
  return texts(before) === texts(after);
}
