// The columns that lists of a kind of record print and that no change takes: a table may have them, because what a list prints is an input.
import { contractFields } from '../../../contract/selection/fields.js';
import { offsetInHeading } from '../../time/local-time.js';
import type { Printed } from '../change-spec.js';

/** Whether a list prints a column of this title: a field of the record, or one that a view adds or computes. */
export function isPrinted(title: string, printed: Printed): boolean {
  const name = offsetInHeading(title)?.name ?? title;
  return isFieldPath(name, printed.type) || printed.views.some((view) => namesOf(view).includes(name));
}

function namesOf({ fields, computed = {}, added = {} }: Printed['views'][number]): readonly string[] {
  return [...fields, ...Object.keys(computed), ...Object.keys(added)];
}

function isFieldPath(path: string, root: string): boolean {
  let type: string | undefined = root;
  for (const step of path.split('.')) {
    type = type === undefined ? undefined : contractFields(type).get(step)?.type;
    if (type === undefined) return false;
  }
  return true;
}

/** The inputs that could set a printed column: `labelIds` for `assignedLabels.name`. */
export function settersOf(title: string, { type }: Printed): readonly string[] {
  const [step = '', ...rest] = title.split('.');
  const record = contractFields(type).get(step)?.type;
  if (record === undefined || rest.length === 0) return [];
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}`;
  return [`${name}Id`, `${name}Ids`];
}
