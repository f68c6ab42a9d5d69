// The printed columns of a kind that are no input members. A table may contain them, because the
// output of a list is a valid input.
import { type ContractField, contractFields } from '../../../contract/selection/fields.js';
import { isHeadingOf } from '../../output/headings.js';
import type { Printed } from './columns.js';

/**
 * Returns true when a list prints this column: a field of the record, or one that a view adds or
 * computes.
 */
export function isPrinted(title: string, printed: Printed): boolean {
  const words = wordsOf(title);
  return (
    pathOf(words, printed.type) !== null ||
    printed.views.some((view) => namesOf(view).some((name) => isHeadingOf(words, name)))
  );
}

/** Removes the zone or unit that csv and workbooks add to a name. */
function wordsOf(title: string): string {
  return title.replace(/ *\([^()]*\)$/, '');
}

function namesOf({ fields, computed = {}, added = {} }: Printed['views'][number]): readonly string[] {
  return [...fields, ...Object.keys(computed), ...Object.keys(added)];
}

/**
 * Returns the path of the field that a title names in a record type; null without one. Each step is
 * a field name or its heading.
 */
function pathOf(words: string, root: string): readonly string[] | null {
  const path: string[] = [];
  let type: string | undefined = root;
  for (const step of words.split('.')) {
    const fields: readonly (readonly [string, ContractField])[] = type === undefined ? [] : [...contractFields(type)];
    const found = fields.find(([name]) => name === step) ?? fields.find(([name]) => isHeadingOf(step, name));
    if (found === undefined) return null;
    path.push(found[0]);
    type = found[1].type;
  }
  return path;
}

/**
 * Returns the input members that could set a printed column: `labelIds` for `assignedLabels.name`.
 */
export function settersOf(title: string, { type }: Printed): readonly string[] {
  const [step = '', ...rest] = pathOf(wordsOf(title), type) ?? [];
  const record = contractFields(type).get(step)?.type;
  if (record === undefined || rest.length === 0) return [];
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}`;
  return [`${name}Id`, `${name}Ids`];
}

/** The commands that change printed members that are no inputs. */
const commands: Readonly<Record<string, string>> = { 'Person.driverTokens': 'fleet tokens apply' };

/** Returns the command that sets a printed column; null without one. */
export function commandFor(title: string, { type }: Printed): string | null {
  const name = `${type}.${pathOf(wordsOf(title), type)?.[0]}`;
  return Object.hasOwn(commands, name) ? (commands[name] ?? null) : null;
}
