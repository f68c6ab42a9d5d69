// Views of driver assignments.
import type { DriverAssignment } from '../../index.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { timeColumn } from './humanize.js';

/** A driver assignment with the names of its vehicle and driver where they are known. */
export interface AssignmentRow extends DriverAssignment {
  readonly vehicleName?: string | undefined;
  readonly driverName?: string | undefined;
  /** Names in the output for programs. */
  readonly vehicle?: string;
  readonly driver?: string;
}

const ended = timeColumn<AssignmentRow>(({ endedAt }) => endedAt);

const assignmentView: View<AssignmentRow> = {
  columns: [
    { title: 'VEHICLE', text: ({ vehicleName, vehicle }) => vehicleName ?? vehicle ?? 'unknown', min: 8, rank: 0 },
    {
      title: 'DRIVER',
      text: ({ driverName, driver, driverId }) => driverName ?? driver ?? driverId ?? 'unknown',
      min: 8,
      rank: 0,
    },
    { title: 'FROM', ...timeColumn(({ startedAt }) => startedAt), rank: 0 },
    { title: 'TO', ...ended, text: endText, paint: paintEnd, rank: 0 },
    {
      title: 'DRIVER ID',
      text: ({ driverId }) => driverId ?? '',
      namedBy: ({ driverName, driver }) => driverName ?? driver,
      rank: 1,
    },
    {
      title: 'VEHICLE ID',
      text: ({ vehicleId }) => vehicleId ?? '',
      namedBy: ({ vehicleName, vehicle }) => vehicleName ?? vehicle,
      rank: 2,
    },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ id }) => id, rank: 3 },
  ],
  fields: ['id', 'vehicleId', 'driverId', 'startedAt', 'endedAt'],
  added: { vehicle: ['vehicleId'], driver: ['driverId'] },
};

/** View of assignments of several vehicles or drivers, with names in every format. */
export const fleetAssignmentView: View<AssignmentRow> = {
  ...assignmentView,
  fields: ['vehicle', 'driver', ...assignmentView.fields],
};

function endText(row: AssignmentRow, options: RenderOptions): string {
  const end = ended.text(row, options);
  if (end !== '') return end;
  return (timestampMs(row.startedAt) ?? options.now) > options.now ? 'open' : 'ongoing';
}

function paintEnd(text: string, { endedAt }: AssignmentRow, { now, colors }: RenderOptions): string {
  const end = timestampMs(endedAt);
  return end === null || end > now ? colors.green(text) : text;
}
