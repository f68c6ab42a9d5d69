// The resolvers of every root field and of computed fields.
import type { Mutation, Query, WrappedReportInput } from '../../../generated/contract-types.js';
import { quotedKey } from '../../core/json-object.js';
import { notFoundError } from '../../core/refusals.js';
import { reports } from '../../reports/reports.js';
import { describeReport, runReport } from '../../reports/run-report.js';
import type { RequestContext } from '../request-context.js';
import * as drivers from './drivers.js';
import * as geofences from './geofences.js';
import * as groups from './groups.js';
import { requiredText } from './inputs.js';
import * as people from './people.js';
import * as snapshots from './snapshots.js';
import * as vehicles from './vehicles.js';

/** Resolves a root field. The arguments are `never`, because each resolver declares its own. */
export type RootResolver = (args: never, context: RequestContext) => unknown;

export type FieldResolver = (source: never, context: RequestContext) => unknown;

const reportResolvers = {
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

type RootField = keyof Omit<Query & Mutation, '__typename'>;

/** The type makes the compiler report root fields without a resolver. */
export const rootResolvers: Readonly<Record<RootField, RootResolver>> = {
  ...drivers.rootResolvers,
  ...geofences.rootResolvers,
  ...groups.rootResolvers,
  ...people.rootResolvers,
  ...reportResolvers,
  ...snapshots.rootResolvers,
  ...vehicles.rootResolvers,
};

export const typeResolvers: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>> = {
  ...geofences.typeResolvers,
  ...groups.typeResolvers,
  ...people.typeResolvers,
  ...vehicles.typeResolvers,
};
