// Lists the reports and runs a report.
import type { WrappedReportInput } from '../../../generated/contract-types.js';
import { quotedKey } from '../../core/json-object.js';
import { notFoundError } from '../../core/refusals.js';
import { reports } from '../../reports/reports.js';
import { describeReport, runReport } from '../../reports/run-report.js';
import type { RequestContext } from '../request-context.js';
import { requiredText } from './inputs.js';

export const rootResolvers = {
  getWrappedReport({ input }: { readonly input: WrappedReportInput }, context: RequestContext): object {
    const reportId = requiredText(input.reportId, 'reportId');
    const report = reports.find(({ id }) => id === reportId);
    if (report === undefined) throw notFoundError('report', quotedKey(reportId));
    return { reportId, report: runReport(report, input.inputs, context) };
  },
  getWrappedReportInputs({ id }: { readonly id?: string | null }): object[] {
    return reports.filter((report) => id == null || report.id === id).map(describeReport);
  },
};
