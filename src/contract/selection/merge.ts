// Several queries as one document: each root field under an alias of its own, variables renamed, fragments written once; and its
// answer taken apart again, so that each field has the answer it would have had alone.
import { classificationOf, type GraphQLErrorEntry } from '../../core/errors.js';
import { fragments as table } from '../../generated/operation-table.js';

/** A root field with its selection; an entry of the operation table is one. */
export interface RootField {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  /** Selection on the field; empty for a leaf. */
  readonly selection: string;
  /** Names of the fragments that the selection uses, directly or through others. */
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

/** What two calls have in common exactly when they ask for the same. */
export function identityOf({ field, variables }: FieldCall): string {
  return `${field.name} ${field.selection} ${JSON.stringify(variables)}`;
}

/** One document for all these fields, in their order. A variable that was not given is left out, as alone. */
export function mergedDocument(calls: readonly FieldCall[]): {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
} {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields: string[] = [];
  const fragments = new Set<string>();
  for (const [at, { field, variables: given }] of calls.entries()) {
    const passed: string[] = [];
    for (const { name, type } of field.args) {
      if (given[name] === undefined) continue;
      const renamed = `${name}_${at}`;
      variables[renamed] = given[name];
      declared.push(`$${renamed}: ${type}`);
      passed.push(`${name}: $${renamed}`);
    }
    const args = passed.length === 0 ? '' : `(${passed.join(', ')})`;
    fields.push(`${aliasOf(at)}: ${field.name}${args} ${field.selection}`);
    // The fragments all come from one table: the same name is the same text.
    for (const name of field.fragments) fragments.add(name);
  }
  const head = declared.length === 0 ? 'query' : `query (${declared.join(', ')})`;
  const texts = [...fragments].map((name) => fragmentTexts[name] ?? '');
  return { document: [`${head} {\n${fields.join('\n')}\n}`, ...texts].join('\n'), variables };
}

/**
 * The answer of each field, in their order; `alone` for one that was refused as unauthorized, because alone it would have got
 * another token first. Null when it cannot be told whose an error is, or a field was not answered at all.
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
    const isRefused = value === null && own.some((error) => classificationOf(error) === 'UNAUTHORIZED');
    answers.push(isRefused ? 'alone' : { data: { [name]: value }, errors: own.map((error) => asAlone(error, name)) });
  }
  return errors.size === 0 ? answers : null;
}

/** Whether every one of these fields has an error of its own that says so, or an error says it of all of them. */
export function areAllNamed(count: number, errors: readonly GraphQLErrorEntry[]): boolean {
  const named = new Set(errors.map(({ path }) => path?.[0]));
  return (
    named.has(undefined) || Array.from({ length: count }, (_, at) => aliasOf(at)).every((alias) => named.has(alias))
  );
}

function aliasOf(at: number): string {
  return `q${at}`;
}

/** The error as it would have read without its neighbours: its alias and its place in the document mean nothing to the caller. */
function asAlone({ locations: _, ...error }: GraphQLErrorEntry, name: string): GraphQLErrorEntry {
  const alias = String(error.path?.[0]);
  // graphql-java writes the path into the message: "Exception while fetching data (/q3/id) : …".
  const message = error.message.replace(`(/${alias})`, `(/${name})`).replace(`(/${alias}/`, `(/${name}/`);
  return { ...error, message, path: [name, ...(error.path ?? []).slice(1)] };
}
