// Replaces the default selection of an operation with the caller's. It is checked against the
// contract, so that an error names a wrong field before anything is sent. Fields are written in the
// order of the contract, so that equal selections have equal texts.
import { InvalidInputError } from '../../core/errors.js';
import type { Operation } from '../../core/operation.js';
import { refusedInput } from '../../core/refused-input.js';
import { printableName, similarNames } from '../../core/suggestions.js';
import type { OperationName } from '../../generated/operation-table.js';
import { contractFields, pathsTo } from './fields.js';

/** A cache by operation and selection, so that equal selections return the identical object. */
const operationCache = new Map<string, Operation>();
const MAX_CACHED = 200;

const MAX_LISTED = 25;

/**
 * Returns the operation with this selection. `true` selects all plain fields of a record. An object
 * selects fields: `true` for a plain field, a nested selection for records; `false` and `undefined`
 * leave the field out.
 *
 * @throws {InvalidInputError} when the contract has no such field, or the selection is empty or
 * invalid.
 */
export function withSelection<Name extends OperationName>(
  operation: Operation<Name>,
  select: unknown,
): Operation<Name> {
  const { name, returns } = operation;
  if (returns.leaf)
    throw new InvalidInputError(`${name} returns plain values: it takes no select.`, { operation: name });
  const selection = writeSelection({ operation: name, type: returns.type, path: [], above: [] }, select);
  const key = `${name} ${selection}`;
  const cached = operationCache.get(key);
  // The key starts with the operation's name, so the type is right.
  if (cached) return cached as Operation<Name>;
  const selected = { ...operation, selection, fragments: [], document: documentOf(operation, selection) };
  if (operationCache.size >= MAX_CACHED) operationCache.clear();
  operationCache.set(key, selected);
  return selected;
}

function documentOf({ kind, name, args }: Operation, selection: string): string {
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const head = declared === '' ? `${kind} ${name}` : `${kind} ${name}(${declared})`;
  const root = passed === '' ? name : `${name}(${passed})`;
  return `${head} { ${root} ${selection} }`;
}

interface Place {
  readonly operation: string;
  readonly type: string;
  readonly path: readonly string[];
  /** The objects around this place, to detect one that contains itself. */
  readonly above: readonly object[];
}

/** Returns the selection as GraphQL text. */
function writeSelection(place: Place, select: unknown): string {
  const fields = contractFields(place.type);
  const selectOf = select === true ? plainFields(place) : readObject(place, select);
  const parts: string[] = [];
  for (const [name, { leaf, type }] of fields) {
    const value = selectOf(name);
    if (value === false || value === undefined) continue;
    const path = [...place.path, name];
    if (!leaf) {
      const above = typeof select === 'object' && select !== null ? [...place.above, select] : place.above;
      parts.push(`${name} ${writeSelection({ ...place, type, path, above }, value)}`);
    } else if (value === true) parts.push(name);
    else refuse({ ...place, path }, 'it is a plain value, with nothing below it. Give true.');
  }
  if (parts.length === 0) refuse(place, `nothing of it is selected. ${fieldsHint(place.type)}`);
  return `{ ${parts.join(' ')} }`;
}

type FieldSelect = (name: string) => unknown;

function plainFields(place: Place): FieldSelect {
  const fields = contractFields(place.type);
  if (![...fields.values()].some(({ leaf }) => leaf)) {
    refuse(place, `true stands for the plain fields, and ${place.type} has none. ${fieldsHint(place.type)}`);
  }
  return (name) => fields.get(name)?.leaf;
}

function readObject(place: Place, select: unknown): FieldSelect {
  if (typeof select !== 'object' || select === null || Array.isArray(select)) {
    return refuse(place, 'it must be true or an object with the fields that you want.');
  }
  if (place.above.includes(select)) refuse(place, 'the object contains itself.');
  const fields = contractFields(place.type);
  const unknown = Object.keys(select).find((name) => !fields.has(name));
  if (unknown !== undefined) {
    const path = [...place.path, printableName(unknown)];
    refuse({ ...place, path }, `${place.type} has no such field. ${suggestionText(unknown, place.type)}`);
  }
  return (name) => (Object.hasOwn(select, name) ? Reflect.get(select, name) : undefined);
}

function refuse({ operation, path }: Place, why: string): never {
  const what = path.length === 0 ? 'this selection' : path.join('.');
  throw refusedInput(`${operation} cannot select ${what}: ${why}`, operation);
}

function suggestionText(unknown: string, type: string): string {
  const near = similarNames(unknown, contractFields(type).keys());
  const candidates = near.length > 0 ? near : pathsTo(unknown, type).slice(0, 3);
  return candidates.length > 0 ? `Did you mean ${candidates.join(' or ')}?` : fieldsHint(type);
}

function fieldsHint(type: string): string {
  const names = [...contractFields(type).keys()];
  const listed = names.slice(0, MAX_LISTED).join(', ');
  return `It has ${listed}${names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''}.`;
}
