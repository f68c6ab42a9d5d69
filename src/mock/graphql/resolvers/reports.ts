// Lists the reports and runs one of them.
import type { WrappedReportInput } from '../../../generated/contract-types.js';
import { recordReports } from '../../reports/record-reports.js';
import {
  parameterDescriptions,
  type ReportDefinition,
  requireReport,
  runReport,
} from '../../reports/report-definition.js';
import { snapshotReports } from '../../reports/snapshot-reports.js';
import { tripReports } from '../../reports/trip-reports.js';
import type { RequestContext } from '../request-context.js';
import { requiredText } from './inputs.js';

const reports: ReadonlyMap<string, ReportDefinition> = new Map(
  [...recordReports, ...tripReports, ...snapshotReports]
    .sort((a, b) => a.id.localeCompare(b.id))
    .map((report) => [report.id, report]),
);

function describeReport({ id, title, description, parameters }: ReportDefinition): object {
  const inputs = Object.fromEntries(parameters.map((name) => [name, parameterDescriptions[name]]));
  return { id, title, description, onlyFleetTimezone: false, inputs };
}

export const rootResolvers = {
  getWrappedReport({ input }: { readonly input: WrappedReportInput }, context: RequestContext): object {
    const reportId = requiredText(input.reportId, 'reportId');
    return { reportId, report: runReport(requireReport(reports, reportId), input.inputs, context) };
  },
  getWrappedReportInputs({ id }: { readonly id?: string | null }): object[] {
    const selected = id === undefined || id === null ? [...reports.values()] : [reports.get(id)];
    return selected.filter((report) => report !== undefined).map(describeReport);
  },
};
