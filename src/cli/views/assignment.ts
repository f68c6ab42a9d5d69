// How driver assignments are shown.
import type { DriverAssignment } from '../../index.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { momentOf } from './humanize.js';

/** In tables, with the names where they are known. */
export interface AssignmentRow extends DriverAssignment {
  readonly vehicleName?: string | undefined;
  readonly driverName?: string | undefined;
}

export const assignmentView: View<AssignmentRow> = {
  columns: [
    { title: 'VEHICLE', text: ({ vehicleName }) => vehicleName ?? 'unknown', min: 8, rank: 0 },
    { title: 'DRIVER', text: ({ driverName }) => driverName ?? 'unknown', min: 8, rank: 0 },
    { title: 'FROM', text: ({ startedAt }) => minute(startedAt), rank: 0 },
    { title: 'TO', text: endText, paint: paintEnd, rank: 0 },
    { title: 'DRIVER ID', text: ({ driverId }) => driverId ?? '', rank: 1 },
    { title: 'VEHICLE ID', text: ({ vehicleId }) => vehicleId ?? '', rank: 2 },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 3 },
  ],
  fields: ['id', 'vehicleId', 'driverId', 'startedAt', 'endedAt'],
};

/** `2026-03-02 07:41Z`: to the minute, in UTC. */
function minute(value: string | number | null | undefined): string {
  const moment = momentOf(value);
  if (moment === null) return '';
  const text = new Date(moment).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)}Z`;
}

function endText({ startedAt, endedAt }: AssignmentRow, { now }: RenderOptions): string {
  const end = minute(endedAt);
  if (end !== '') return end;
  return (momentOf(startedAt) ?? now) > now ? 'open' : 'ongoing';
}

function paintEnd(text: string, { endedAt }: AssignmentRow, { now, colors }: RenderOptions): string {
  const end = momentOf(endedAt);
  return end === null || end > now ? colors.green(text) : text;
}
