import { quotedKey } from "../../core/json-object.js";
import { notFound } from "../../core/refusals.js";
import { reports } from "../../reports/reports.js";
import { describeReport, runReport } from "../../reports/run-report.js";
import { requiredText } from "./inputs.js";
const rootResolvers = {
  getWrappedReport({ input }, context) {
    const reportId = requiredText(input.reportId, "reportId");
    const report = reports.find(({ id }) => id === reportId);
    if (report === void 0) throw notFound("report", quotedKey(reportId));
    return { reportId, report: runReport(report, input.inputs, context) };
  },
  getWrappedReportInputs({ id }) {
    return reports.filter((report) => id == null || report.id === id).map(describeReport);
  }
};
export {
  rootResolvers
};
