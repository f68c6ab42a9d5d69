// Converts trips to rows of their tables.

import type { TripWithDetails } from 'fleet-telematics/kit';
import { canonicalZone, offsetAt } from 'fleet-telematics/kit';
import { type Cell, partRows, type Row, rowOf } from './rows.js';
import { partTables } from './tables.js';
import type { RowPeriod, Step } from './target.js';

/** Returns steps that replace the trips of these periods together with their parts. */
export function tripSteps(trips: readonly TripWithDetails[], periods: readonly RowPeriod[]): readonly Step[] {
  const parts = new Map<string, Row[]>(partTables('trips').map(({ name }) => [name, []]));
  for (const trip of trips) {
    for (const { table, rows } of partRows('trips', trip)) parts.get(table)?.push(...rows);
  }
  const rows = trips.map((trip) => rowOf('trips', trip, localTimes(trip)));
  return [
    { kind: 'replace', table: 'trips', rows, periods },
    ...[...parts].map(([table, own]): Step => ({ kind: 'replace', table, rows: own, periods })),
  ];
}

function localTimes({ startedAt, endedAt, details }: TripWithDetails): Readonly<Record<string, Cell>> {
  const { timeZone } = details;
  return {
    local_started_at: localTimeText(Date.parse(startedAt), timeZone),
    local_ended_at: endedAt === null ? null : localTimeText(Date.parse(endedAt), timeZone),
  };
}

/** Formats a local time as `2026-03-29 07:15:00`, or the UTC time for an unknown zone. */
export function localTimeText(moment: number, timeZone: Cell | undefined): string {
  const zone = (typeof timeZone === 'string' ? canonicalZone(timeZone) : undefined) ?? 'UTC';
  return new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 19).replace('T', ' ');
}
