// Which function answers which root field, and which fields of a type are worked out rather than stored.
import type { Context } from '../context.js';
import * as drivers from './drivers.js';
import * as geofences from './geofences.js';
import * as groups from './groups.js';
import * as people from './people.js';
import * as reports from './reports.js';
import * as snapshots from './snapshots.js';
import * as vehicles from './vehicles.js';

/** Answers one root field. `never` because each operation declares its own arguments. */
export type RootField = (args: never, context: Context) => unknown;

/** Works out one field of a record. */
export type TypeField = (source: never, context: Context) => unknown;

export const rootFields: Readonly<Record<string, RootField>> = {
  ...drivers.rootFields,
  ...geofences.rootFields,
  ...groups.rootFields,
  ...people.rootFields,
  ...reports.rootFields,
  ...snapshots.rootFields,
  ...vehicles.rootFields,
};

export const typeFields: Readonly<Record<string, Readonly<Record<string, TypeField>>>> = {
  ...geofences.typeFields,
  ...groups.typeFields,
  ...people.typeFields,
  ...vehicles.typeFields,
};
