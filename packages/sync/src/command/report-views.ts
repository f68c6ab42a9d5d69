// Views of a sync for the command line: the changes of each table, and the plan of --dry-run.

import type { View } from 'fleet-telematics/kit/command';
import type { TableReport } from '../report.js';

const count = (value: number | null) => (value === null ? '' : String(value));

export const tableReportView: View<TableReport> = {
  columns: [
    { title: 'TABLE', text: ({ table }) => table, rank: 0 },
    { title: 'READ', text: ({ read }) => count(read), align: 'right', rank: 1 },
    { title: 'WRITTEN', text: ({ written }) => count(written), align: 'right', rank: 0 },
    { title: 'ADDED', text: ({ added }) => count(added), align: 'right', rank: 2 },
    { title: 'CHANGED', text: ({ changed }) => count(changed), align: 'right', rank: 3 },
    { title: 'REMOVED', text: ({ removed }) => count(removed), align: 'right', rank: 4 },
  ],
  fields: ['table', 'read', 'written', 'added', 'changed', 'removed'],
};

export interface PlannedPart {
  readonly part: string;
  /** Null for lists of records, which are read whole. */
  readonly vehicles: number | null;
  readonly from: string | null;
  readonly to: string | null;
}

export const plannedPartView: View<PlannedPart> = {
  columns: [
    { title: 'PART', text: ({ part }) => part, rank: 0 },
    { title: 'VEHICLES', text: ({ vehicles }) => count(vehicles), align: 'right', rank: 0 },
    { title: 'FROM', text: ({ from }) => from ?? '', rank: 0 },
    { title: 'TO', text: ({ to }) => to ?? '', rank: 0 },
  ],
  fields: ['part', 'vehicles', 'from', 'to'],
};
