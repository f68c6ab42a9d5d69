// Deleted records, which some services keep in their lists: omitted without --deleted, else marked.

import { contractFields } from '../../contract/selection/fields.js';
import { isObject } from '../../core/json.js';
import type { View } from '../output/view.js';

export const deletedFlag = '--deleted';
export const deletedHelp = 'show deleted records too, where the service still lists them';

export interface DeletedFlag {
  readonly deleted?: true;
}

/** Returns true when records of this type have the field `isDeleted`. */
export function canBeDeleted(type: string): boolean {
  return contractFields(type).get('isDeleted')?.leaf === true;
}

export function isMarkedDeleted(row: unknown): boolean {
  return isObject(row) && row.isDeleted === true;
}

/** Returns the view with a mark for deleted records, shown when a row has one. */
export function withDeletedMark<Row>(view: View<Row>, isField: boolean): View<Row> {
  const mark = (title: string) => ({ title, text: (row: Row) => (isMarkedDeleted(row) ? 'yes' : '') });
  const [first, ...others] = view.columns;
  return {
    ...view,
    columns: first ? [first, { ...mark('DELETED'), rank: 0 }, ...others] : [],
    details: view.details && [...view.details, mark('Deleted')],
    fields: isField ? [...view.fields, 'isDeleted'] : view.fields,
  };
}
