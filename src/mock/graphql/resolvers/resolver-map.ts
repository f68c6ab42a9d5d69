// The resolver map: a resolver for every root field, and for the fields of types that are computed.
import type { Mutation, Query } from '../../../generated/contract-types.js';
import type { RequestContext } from '../request-context.js';
import * as drivers from './drivers.js';
import * as geofences from './geofences.js';
import * as groups from './groups.js';
import * as people from './people.js';
import * as reports from './reports.js';
import * as snapshots from './snapshots.js';
import * as vehicles from './vehicles.js';

/** Resolves a root field. The arguments are `never` because each resolver declares its own. */
export type RootResolver = (args: never, context: RequestContext) => unknown;

/** Computes a field of a record. */
export type FieldResolver = (source: never, context: RequestContext) => unknown;

type RootField = keyof Omit<Query & Mutation, '__typename'>;

/** The compiler names the root field of the contract that has no resolver. */
export const rootResolvers: Readonly<Record<RootField, RootResolver>> = {
  ...drivers.rootResolvers,
  ...geofences.rootResolvers,
  ...groups.rootResolvers,
  ...people.rootResolvers,
  ...reports.rootResolvers,
  ...snapshots.rootResolvers,
  ...vehicles.rootResolvers,
};

export const typeResolvers: Readonly<Record<string, Readonly<Record<string, FieldResolver>>>> = {
  ...geofences.typeResolvers,
  ...groups.typeResolvers,
  ...people.typeResolvers,
  ...vehicles.typeResolvers,
};
