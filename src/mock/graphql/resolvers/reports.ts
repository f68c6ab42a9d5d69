// Reports: which there are, and running one.
import type { WrappedReportInput } from '../../../generated/contract-types.js';
import { recordReports } from '../../reports/records.js';
import { parameterDescriptions, type Report, runReport, theReport } from '../../reports/report.js';
import { snapshotReports } from '../../reports/snapshots.js';
import { tripReports } from '../../reports/trips.js';
import type { Context } from '../context.js';
import { requiredText } from './inputs.js';

const reports: ReadonlyMap<string, Report> = new Map(
  [...recordReports, ...tripReports, ...snapshotReports]
    .sort((a, b) => a.id.localeCompare(b.id))
    .map((report) => [report.id, report]),
);

function described({ id, title, description, parameters }: Report): object {
  const inputs = Object.fromEntries(parameters.map((name) => [name, parameterDescriptions[name]]));
  return { id, title, description, onlyFleetTimezone: false, inputs };
}

export const rootFields = {
  getWrappedReport({ input }: { readonly input: WrappedReportInput }, context: Context): object {
    const reportId = requiredText(input.reportId, 'reportId');
    return { reportId, report: runReport(theReport(reports, reportId), input.inputs, context) };
  },
  getWrappedReportInputs({ id }: { readonly id?: string | null }): object[] {
    const asked = id === undefined || id === null ? [...reports.values()] : [reports.get(id)];
    return asked.filter((report) => report !== undefined).map(described);
  },
};
