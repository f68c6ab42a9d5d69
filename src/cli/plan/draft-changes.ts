// Builds changes from flags and --input, and checks them against the contract. Sends no request.

import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import type { ReportingRun } from '../context/context.js';
import { type CliError, refusal } from '../errors/cli-error.js';
import { checkInput } from '../input/check-input.js';
import type { InputLine } from '../input/read-input.js';
import { isGuessed, membersOf } from '../records/input-members.js';
import { type ChangeSpec, type Draft, type Reference, subjectOf } from './change-spec.js';
import { readCustomFields } from './custom-field.js';

/**
 * Builds a change that may still have names. `source`: the object of --input, or the name of the
 * record.
 * @throws CliError USAGE
 */
export function draftChange(run: ReportingRun, spec: ChangeSpec, source: InputLine): Draft {
  const members = membersOfSource(spec, source);
  const variables: Record<string, unknown> = { ...defined(spec.variables ?? {}) };
  const references: Record<string, unknown> = {};
  const labels: Record<string, string> = {};
  // Members that only the live service knows: required ones are not checked then.
  const hasUnknownMembers = hasOtherMembers(spec, members);
  for (const reference of spec.references) {
    const { value, label } = takeReference(spec, reference, members, hasUnknownMembers);
    if (label !== undefined) labels[reference.name] = label;
    if (value !== undefined) (reference.into === 'variables' ? variables : references)[reference.name] = value;
  }
  const sourceMembers = inputMembersIn(spec, members);
  const inputMembers = spec.read?.(sourceMembers, '') ?? sourceMembers;
  if (!spec.input) {
    const [unknown] = Object.keys(inputMembers);
    if (unknown === undefined) return { variables, input: {}, labels };
    throw refusal(`${spec.operation} has no member "${unknown}".`);
  }
  const input = withFields(spec, { ...inputMembers, ...defined(spec.flags), ...references });
  if (Object.keys(input).length === 0) throw emptyInput(spec);
  checkInput(run, spec.input.type, hasOwnField(spec) ? withoutFields(input) : input, '');
  return { variables, input: (hasUnknownMembers ? undefined : spec.refine?.(input, '')) ?? input, labels };
}

/** Returns true when a separate operation sets the custom fields of the record. */
function hasOwnField({ subject: { kind }, input }: ChangeSpec): boolean {
  const memberNames = input === null ? [] : membersOf(input.type).map(({ name }) => name);
  return (
    'idVariable' in kind && kind.field !== undefined && input === kind.update && !memberNames.includes('customFields')
  );
}

function withoutFields({ customFields: _, ...others }: Record<string, unknown>): Record<string, unknown> {
  return others;
}

/** Returns the input with custom fields as a list; another form is sent as it is. */
function withFields({ subject: { kind } }: ChangeSpec, input: Record<string, unknown>): Record<string, unknown> {
  const { customFields } = input;
  if (customFields === undefined || !('idVariable' in kind) || kind.field === undefined) return input;
  const isKnown = (field: unknown) =>
    isObject(field) && Object.keys(field).every((name) => /^(name|value)$/.test(name));
  if (Array.isArray(customFields) && !customFields.every(isKnown)) return input;
  return { ...input, customFields: readCustomFields(customFields, '') };
}

/** Returns true for unknown members of a guessed type; required members are not checked then. */
function hasOtherMembers({ input, references, more = [] }: ChangeSpec, members: ReadonlyMap<string, unknown>): boolean {
  if (input === null || !isGuessed(input.type)) return false;
  const memberNames = [
    ...[...membersOf(input.type), ...more].map(({ name }) => name),
    ...['id', input.variable, ...references.flatMap(({ name, label = name }) => [name, label])],
  ];
  return [...members.keys()].some((name) => !memberNames.includes(name));
}

function membersOfSource(spec: ChangeSpec, source: InputLine): Map<string, unknown> {
  if (typeof source !== 'string') return new Map(Object.entries(source));
  const subject = subjectOf(spec);
  if (subject) return new Map([[subject.name, subject.list ? [source] : source]]);
  throw refusal(`A text is not enough to create a record.`, {
    hint: 'Give an object with its members.',
  });
}

/** Returns the value of a reference and its name, and removes members outside the input. */
function takeReference(
  spec: ChangeSpec,
  reference: Reference,
  members: Map<string, unknown>,
  hasUnknownMembers: boolean,
): { readonly value?: unknown; readonly label?: string | undefined } {
  const { name, into, typed, requiredAs, list = false } = reference;
  // An object may also contain the record to change as `id`, as the service's answers do.
  const isSubject = into === 'variables' && reference === subjectOf(spec);
  const named = reference.label === undefined ? undefined : members.get(reference.label);
  if (reference.label !== undefined) members.delete(reference.label);
  const byId = members.get(name) ?? (isSubject ? members.get('id') : undefined);
  const inObject = isEmpty(byId) ? (named ?? byId) : byId;
  if (into === 'variables') {
    members.delete(name);
    if (isSubject) members.delete('id');
  }
  const isTwice = typed !== undefined && !isEmpty(inObject) && JSON.stringify(inObject) !== JSON.stringify(typed);
  if (requiredAs !== null && isTwice) {
    throw refusal(`${requiredAs} is given twice: as an argument and in --input.`, {
      hint: `Leave out the argument, or "${name}" in --input.`,
    });
  }
  const value = typed ?? inObject;
  if (isEmpty(value)) {
    if (requiredAs === null || (hasUnknownMembers && into === 'input')) return {};
    throw refusal(`${requiredAs} is missing.`, {
      hint: isSubject
        ? `Give it as an argument, or as "id" in --input (a name is accepted there too).`
        : requiredAs.startsWith('--')
          ? `Add ${requiredAs}.`
          : `Give it as an argument, or as "${name}" in --input.`,
    });
  }
  const isLabel = typed === undefined && inObject !== named && typeof named === 'string' && !isEmpty(named);
  if (isReference(value, list)) return { value, label: isLabel ? named : undefined };
  throw refusal(`"${name}" is not a ${list ? 'list of texts' : 'text'}.`);
}

/**
 * Returns the input members, also from an object of variables: its references are already removed.
 */
function inputMembersIn(
  { input }: ChangeSpec,
  members: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  const variable = input && members.size === 1 ? members.get(input.variable) : undefined;
  return isObject(variable) ? variable : Object.fromEntries(members);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function isReference(value: unknown, list: boolean): value is string | readonly string[] {
  if (!list) return typeof value === 'string';
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function emptyInput(spec: ChangeSpec): CliError {
  const { description } = operations[spec.operation];
  return refusal(`No change is given.`, {
    hint: `Use the flags that --help lists, or --input with its members. (${description})`,
  });
}
