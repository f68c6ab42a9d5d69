// Finds the record that the user names: by id, or by a name or another text that matches exactly one record.
import { joinTrees, pick, type SelectionTree } from '../../contract/selection/tree.js';
import { didYouMean } from '../../core/suggestions.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import type { Context } from '../context/context.js';
import { type Choice, CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import { isDeleted } from '../shape/deleted.js';

/** The operations that list all records of a kind. */
export type ListOperation = {
  [Name in OperationName]: OperationTypes[Name]['variables'] extends Record<string, never>
    ? OperationTypes[Name]['result'] extends readonly unknown[]
      ? Name
      : never
    : never;
}[OperationName];

/** A kind of record: what it is called, and how its records are found. */
export interface Kind<Row> {
  /** `vehicle`, as in "There is no vehicle …". */
  readonly noun: string;
  readonly plural: string;
  /** The command that lists all of them, for hints. */
  readonly listCommand: string;
  readonly list: ListOperation;
  /** Extracts the records, when they are parts of the listed ones. */
  readonly within?: (listed: readonly unknown[]) => readonly Row[];
  /** Reads one record by id; null when the service has no such operation and the list is searched. */
  readonly byId: OperationName | null;
  /** The selection that `id`, `texts` and `choice` need. */
  readonly identity: SelectionTree;
  readonly id: (row: Row) => string | null | undefined;
  /** The texts that name the record, besides its id. */
  readonly texts: (row: Row) => readonly (string | null | undefined)[];
  /** The values that distinguish one record from others with the same name. */
  readonly choice: (row: Row) => Choice;
  /** Normalizes spellings of the same text, such as the spaces in a plate. */
  readonly normalize?: (text: string) => string;
  /** Matching records that are preferred to the others: the driver among people with the same name. */
  readonly preferred?: (row: Row) => boolean;
}

/** A kind whose records can be read one by one. */
export interface KindById<Row> extends Kind<Row> {
  readonly byId: OperationName;
}

export interface Finding {
  /** Whether a part of a name is enough: for commands that read, with a warning, and not under --no-input. */
  readonly substring: boolean;
  /** The selection of the row; default: the default selection. */
  readonly select?: SelectionTree | undefined;
}

/** @throws CliError NOT_FOUND when no record matches, AMBIGUOUS_NAME when several do */
export async function findRecord<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  name: string,
  { substring, select }: Finding,
): Promise<Row> {
  const query = requireName(kind, name);
  if (looksLikeId(query) && kind.byId !== null) return readById(context, client, kind, query, select);
  const { byId } = kind;
  if (byId !== null) {
    // The names first, and the record after it: the whole list may be large, and parts of it may fail.
    const named = singleMatch(context, kind, await listAll(context, client, kind, kind.identity), query, substring);
    return readById(context, client, kind, idOf(kind, named), select);
  }
  const rows = await listAll(context, client, kind, select ? joinTrees(select, kind.identity) : undefined);
  const row = singleMatch(context, kind, rows, query, substring);
  return select ? (pick(row, select) as Row) : row;
}

/** Several records, in the order of their names, each once; without names all that are not deleted. One request, for the list. @throws as findRecord */
export async function findRecords<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  names: readonly string[],
  { select }: { readonly select?: SelectionTree | undefined },
): Promise<readonly Row[]> {
  const queries = names.map((name) => requireName(kind, name));
  const rows = await listAll(context, client, kind, select ? joinTrees(select, kind.identity) : undefined);
  if (queries.length === 0) return rows;
  const byId = new Map(rows.map((row) => [kind.id(row), row]));
  const ids = new Set(findEachIn(context, kind, rows, queries, true).map(idOrThrow));
  return [...ids].map((id) => {
    const row = byId.get(id);
    if (row !== undefined) return row;
    throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
  });
}

function idOrThrow(found: string | CliError): string {
  if (found instanceof CliError) throw found;
  return found;
}

/** Only the id. An id is returned as it is, without a request; a name is looked up in the list. */
export async function findId<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  name: string,
  { substring }: { readonly substring: boolean },
): Promise<string> {
  const query = requireName(kind, name);
  if (looksLikeId(query)) return query;
  const rows = await listAll(context, client, kind, kind.identity);
  return idOf(kind, singleMatch(context, kind, rows, query, substring));
}

/** The ids of several records, with at most one request for the list. A name that is not found gives an error in its place. */
export async function findEach<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  names: readonly string[],
  { substring }: { readonly substring: boolean },
): Promise<readonly (string | CliError)[]> {
  const queries = names.map((name) => name.trim());
  if (queries.every(looksLikeId)) return queries;
  const rows = await listAll(context, client, kind, kind.identity);
  return findEachIn(context, kind, rows, queries, substring);
}

/** Searches the given rows: returns ids, and errors for names that match none or several. */
export function findEachIn<Row>(
  context: Context,
  kind: Kind<Row>,
  rows: readonly Row[],
  queries: readonly string[],
  substring: boolean,
): readonly (string | CliError)[] {
  // With thousands of names and records, an index of exact texts finds most of them at once.
  const exact = byText(kind, kind.preferred ? rows.filter(kind.preferred) : rows);
  return queries.map((query) => {
    if (looksLikeId(query)) return query;
    try {
      return idOf(kind, singleMatch(context, kind, exact.get(query) ?? rows, query, substring));
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  });
}

/** The distinguishing values of all records of a kind, by id. */
export async function choicesById<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
): Promise<ReadonlyMap<string, Choice>> {
  const rows = await listAll(context, client, kind, kind.identity);
  return new Map(rows.flatMap((row) => [[kind.id(row) ?? '', kind.choice(row)] as const]));
}

function byText<Row>(kind: Kind<Row>, rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    for (const text of new Set([kind.id(row), ...kind.texts(row)].filter(isText))) {
      const same = found.get(text);
      if (same) same.push(row);
      else found.set(text, [row]);
    }
  }
  return found;
}

function idOf<Row>(kind: Kind<Row>, row: Row): string {
  const id = kind.id(row);
  if (id) return id;
  throw new CliError('GRAPHQL', `The service sent no id for this ${kind.noun}.`);
}

async function listAll<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  select: SelectionTree | undefined,
): Promise<readonly Row[]> {
  const rows = await allowPartial(context, (options) => call(client, kind.list, {}, { ...options, select }));
  if (kind.within) return kind.within(rows);
  // The Row of a kind is the row of its list operation.
  return rows as readonly unknown[] as readonly Row[];
}

async function readById<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  id: string,
  select: SelectionTree | undefined,
): Promise<Row> {
  const { byId } = kind;
  try {
    const row =
      byId === null
        ? null
        : // An operation by id has one variable, id.
          await allowPartial(context, (options) => call(client, byId, { id } as never, { ...options, select }));
    // The Row of a kind is also the result of its operation by id.
    if (row !== null) return row as unknown as Row;
  } catch (error) {
    // Some services answer an unknown id with null, others with an error.
    if (!(error instanceof CliError && error.code === 'NOT_FOUND')) throw error;
  }
  throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
}

/** Refuses an empty name, which a script passes when a variable is empty. */
function requireName(kind: Pick<Kind<never>, 'noun'>, text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  throw new CliError('USAGE', `The name of the ${kind.noun} is empty.`, { hint: 'Give an id or a name.' });
}

/** Deleted records, which some services still list, are found only when no other record matches, and only by commands that read. */
function singleMatch<Row>(
  context: Context,
  kind: Kind<Row>,
  all: readonly Row[],
  query: string,
  substring: boolean,
): Row {
  const rows = all.filter((row) => !isDeleted(row));
  const matches = bestMatches(kind, query, rows, false);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined) throw ambiguous(kind, query, matches);
  const parts = bestMatches(kind, query, rows, true);
  const [part] = parts;
  if (part === undefined) {
    const [gone, ...others] = bestMatches(kind, query, all.filter(isDeleted), false);
    if (gone !== undefined && substring && others.length === 0) return gone;
    if (gone !== undefined) throw notFound(kind, `The ${kind.noun} "${query}" has been deleted.`);
    const nearest = didYouMean(query, rows.flatMap(kind.texts).filter(isText));
    throw notFound(kind, `There is no ${kind.noun} "${query}".`, { hint: nearest });
  }
  if (substring && parts.length > 1) throw ambiguous(kind, query, parts);
  // A script must not get another record tomorrow because one was added, nor change one that it did not name.
  if (!substring || !context.globals.input) {
    const has = parts.length === 1 ? `one ${kind.noun} has` : `${parts.length} ${kind.plural} have`;
    throw notFound(kind, `There is no ${kind.noun} "${query}"; ${has} it as a part of a name.`, {
      choices: parts.map(kind.choice),
      hint: 'Give the whole name, or the id.',
    });
  }
  const whole = kind.texts(part).find((text) => text?.toLowerCase().includes(query.toLowerCase()));
  context.warnings.push(
    `There is no ${kind.noun} "${query}"; this is ${whole ?? kind.id(part)}, the only one with it in a name.`,
  );
  return part;
}

function ambiguous<Row>({ plural, choice }: Kind<Row>, query: string, matches: readonly Row[]): CliError {
  return new CliError('AMBIGUOUS_NAME', `"${query}" matches ${matches.length} ${plural}.`, {
    choices: matches.map(choice),
    hint: 'Give more of the name, or the id.',
  });
}

/** Preferred records come before others. */
function bestMatches<Row>(kind: Kind<Row>, query: string, rows: readonly Row[], substring: boolean): readonly Row[] {
  const { preferred } = kind;
  for (const set of preferred ? [rows.filter(preferred), rows] : [rows]) {
    const matches = matchesOf(kind, query, set, substring);
    if (matches.length > 0) return matches;
  }
  return [];
}

function notFound(
  { listCommand }: Pick<Kind<never>, 'listCommand'>,
  message: string,
  { hint, choices }: { readonly hint?: string | undefined; readonly choices?: readonly Choice[] } = {},
): CliError {
  return new CliError('NOT_FOUND', message, { choices, hint: hint ?? `\`${listCommand}\` lists all of them.` });
}

/** The matches of the first criterion that matches anything: exact, ignoring case, ignoring spelling, or as a part. */
export function matchesOf<Row>(
  kind: Pick<Kind<Row>, 'id' | 'texts' | 'normalize'>,
  query: string,
  rows: readonly Row[],
  substring: boolean,
): readonly Row[] {
  const lowerCaseQuery = query.toLowerCase();
  if (lowerCaseQuery === '') return [];
  const { normalize } = kind;
  const texts = (row: Row) => [kind.id(row), ...kind.texts(row)].filter(isText);
  const criteria: ((row: Row) => boolean)[] = [
    (row) => texts(row).includes(query),
    (row) => texts(row).some((text) => text.toLowerCase() === lowerCaseQuery),
  ];
  if (normalize) criteria.push((row) => texts(row).some((text) => normalize(text) === normalize(query)));
  if (substring) criteria.push((row) => texts(row).some((text) => text.toLowerCase().includes(lowerCaseQuery)));
  for (const criterion of criteria) {
    const matches = rows.filter(criterion);
    if (matches.length > 0) return matches;
  }
  return [];
}

function isText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
