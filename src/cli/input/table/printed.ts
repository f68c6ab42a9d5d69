// Finds printed columns that are no inputs. They are accepted, so that list output is valid input.
import { type ContractField, contractFields } from '../../../contract/selection/fields.js';
import { isHeadingOf } from '../../output/headings.js';
import type { Printed } from './columns.js';

/** Returns true for a field, or for a column that a view adds or computes. */
export function isPrinted(title: string, printed: Printed): boolean {
  const words = wordsOf(title);
  return (
    pathOf(words, printed.type) !== null ||
    printed.views.some((view) => namesOf(view).some((name) => isHeadingOf(words, name)))
  );
}

function wordsOf(title: string): string {
  return title.replace(/ *\([^()]*\)$/, '');
}

function namesOf({ fields, computed = {}, added = {} }: Printed['views'][number]): readonly string[] {
  return [...fields, ...Object.keys(computed), ...Object.keys(added)];
}

/** Returns the path of the field that a title names, by names or headings; null without one. */
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

/** Returns input members that could set a printed column: `labelIds` for `assignedLabels.name`. */
export function settersOf(title: string, { type }: Printed): readonly string[] {
  const [step = '', ...rest] = pathOf(wordsOf(title), type) ?? [];
  const record = contractFields(type).get(step)?.type;
  if (record === undefined || rest.length === 0) return [];
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}`;
  return [`${name}Id`, `${name}Ids`];
}

const commands: Readonly<Record<string, string>> = { 'Person.driverTokens': 'fleet tokens apply' };

/** Returns the command that sets a printed column; null without one. */
export function commandFor(title: string, { type }: Printed): string | null {
  const name = `${type}.${pathOf(wordsOf(title), type)?.[0]}`;
  return Object.hasOwn(commands, name) ? (commands[name] ?? null) : null;
}
