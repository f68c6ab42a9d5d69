// Merges several queries into one document: root fields get aliases, variables are renamed, each
// fragment is written once. Splits the answer again, so that each query gets the answer that it
// would have got alone.
import type { GraphQLErrorEntry } from '../../core/errors.js';
import { refusesToken } from '../../core/token-refusal.js';
import { fragments as table } from '../../generated/operation-table.js';

/** A root field with its selection, such as an entry of the operation table. */
export interface RootField {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  readonly selection: string;
  readonly fragments: readonly string[];
}

export interface FieldCall {
  readonly field: RootField;
  readonly variables: { readonly [name: string]: unknown };
}

export interface FieldAnswer {
  readonly data: { readonly [name: string]: unknown };
  readonly errors: readonly GraphQLErrorEntry[];
}

const fragmentTexts: Readonly<Record<string, string>> = table;

/** Returns a key that is equal for two calls if and only if they request the same data. */
export function identityOf({ field, variables }: FieldCall): string {
  return `${field.name} ${field.selection} ${JSON.stringify(variables)}`;
}

/** Returns one document with all these fields, in order. Unset variables are left out. */
export function mergedDocument(calls: readonly FieldCall[]): {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
} {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields: string[] = [];
  const fragments = new Set<string>();
  for (const [at, { field, variables: values }] of calls.entries()) {
    const passed: string[] = [];
    for (const { name, type } of field.args) {
      if (values[name] === undefined) continue;
      const renamed = `${name}_${at}`;
      variables[renamed] = values[name];
      declared.push(`$${renamed}: ${type}`);
      passed.push(`${name}: $${renamed}`);
    }
    const args = passed.length === 0 ? '' : `(${passed.join(', ')})`;
    fields.push(`${aliasOf(at)}: ${field.name}${args} ${field.selection}`);
    // All fragments come from one table, so equal names mean equal texts.
    for (const name of field.fragments) fragments.add(name);
  }
  const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`;
  const texts = [...fragments].map((name) => fragmentTexts[name] ?? '');
  return { document: [`${head} {\n${fields.join('\n')}\n}`, ...texts].join('\n'), variables };
}

/**
 * Returns the answer of each field, in order; null when an error cannot be assigned to a field, or
 * a field has no answer. `alone` for a field that was refused as unauthorized: it must be sent
 * alone, to get another token first.
 */
export function splitAnswer(
  fields: readonly RootField[],
  answer: { readonly data: unknown; readonly errors: readonly GraphQLErrorEntry[] },
): readonly (FieldAnswer | 'alone')[] | null {
  const { data } = answer;
  if (typeof data !== 'object' || data === null) return null;
  const errors = new Map<unknown, GraphQLErrorEntry[]>();
  for (const error of answer.errors) {
    const alias = error.path?.[0];
    const before = errors.get(alias);
    if (before) before.push(error);
    else errors.set(alias, [error]);
  }
  const answers: (FieldAnswer | 'alone')[] = [];
  for (const [at, { name }] of fields.entries()) {
    const alias = aliasOf(at);
    const value: unknown = Reflect.get(data, alias);
    const own = errors.get(alias) ?? [];
    errors.delete(alias);
    if (value === undefined) return null;
    const isRefused = value === null && own.some(refusesToken);
    answers.push(isRefused ? 'alone' : { data: { [name]: value }, errors: own.map((error) => asAlone(error, name)) });
  }
  return errors.size === 0 ? answers : null;
}

/** True when each field has one of these errors, or one of the errors is for all fields. */
export function areAllNamed(count: number, errors: readonly GraphQLErrorEntry[]): boolean {
  const named = new Set(errors.map(({ path }) => path?.[0]));
  return (
    named.has(undefined) || Array.from({ length: count }, (_, at) => aliasOf(at)).every((alias) => named.has(alias))
  );
}

export function aliasOf(at: number): string {
  return `q${at}`;
}

/** Returns the error as in a single query, without alias and location of the merged document. */
function asAlone({ locations: _, ...error }: GraphQLErrorEntry, name: string): GraphQLErrorEntry {
  const alias = String(error.path?.[0]);
  // graphql-java puts the path into the message: "Exception while fetching data (/q3/id) : …".
  const message = error.message.replace(`(/${alias})`, `(/${name})`).replace(`(/${alias}/`, `(/${name}/`);
  return { ...error, message, path: [name, ...(error.path ?? []).slice(1)] };
}
