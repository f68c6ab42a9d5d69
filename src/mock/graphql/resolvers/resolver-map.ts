// The resolvers of every root field and of computed fields.
import type { Mutation, Query } from '../../../generated/contract-types.js';
import type { RequestContext } from '../request-context.js';
import * as drivers from './drivers.js';
import * as geofences from './geofences.js';
import * as groups from './groups.js';
import * as people from './people.js';
import * as reports from './reports.js';
import * as snapshots from './snapshots.js';
import * as vehicles from './vehicles.js';

/** Resolves a root field. The arguments are `never`, because each resolver declares its own. */
export type RootResolver = (args: never, context: RequestContext) => unknown;

export type FieldResolver = (source: never, context: RequestContext) => unknown;

type RootField = keyof Omit<Query & Mutation, '__typename'>;

/** The type makes the compiler report root fields without a resolver. */
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
