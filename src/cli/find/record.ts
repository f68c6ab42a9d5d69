// Finds the record that somebody means: by id, or by a name or another text that fits exactly one.

import { joinTrees, pick, type SelectionTree } from '../../contract/selection/tree.js';
import { didYouMean } from '../../core/suggestions.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { call } from '../connection/call.js';
import { type Choice, CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { Context } from '../run/context.js';

/** The operations that list all records of a kind. */
export type ListOperation = {
  [Name in OperationName]: OperationTypes[Name]['variables'] extends Record<string, never>
    ? OperationTypes[Name]['result'] extends readonly unknown[]
      ? Name
      : never
    : never;
}[OperationName];

/** A kind of record that people name: how they call it, and how it is found. */
export interface Kind<Row> {
  /** `vehicle`, as in "There is no vehicle …". */
  readonly noun: string;
  readonly plural: string;
  /** Shows all there are, for hints. */
  readonly listCommand: string;
  readonly list: ListOperation;
  /** Where the records are parts of what is listed: takes them out of it. */
  readonly within?: (listed: readonly unknown[]) => readonly Row[];
  /** Reads one by its id; null where the service has no such operation, and the list is searched. */
  readonly byId: OperationName | null;
  /** What `texts` and `choice` read; the id among it. */
  readonly identity: SelectionTree;
  readonly id: (row: Row) => string | null | undefined;
  /** What the record may be called by, besides its id. */
  readonly texts: (row: Row) => readonly (string | null | undefined)[];
  /** The words that tell one candidate from the others. */
  readonly choice: (row: Row) => Choice;
  /** Makes two spellings of one thing equal, such as the gaps in a plate. */
  readonly spelling?: (text: string) => string;
  /** Which of several that fit is meant before the others: the driver among people of one name. */
  readonly preferred?: (row: Row) => boolean;
}

export interface Finding {
  /** Whether a part of a name is enough. For reads only. */
  readonly substring: boolean;
  /** What the row is to hold; the default selection when left out. */
  readonly select?: SelectionTree | undefined;
}

/** The record. @throws CliError NOT_FOUND when there is none, AMBIGUOUS_NAME when several fit. */
export async function findRecord<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  said: string,
  { substring, select }: Finding,
): Promise<Row> {
  const wanted = nameOf(kind, said);
  if (looksLikeId(wanted) && kind.byId !== null) return readById(context, client, kind, wanted, select);
  const rows = await listAll(context, client, kind, select ? joinTrees(select, kind.identity) : undefined);
  const row = theOne(kind, rows, wanted, substring);
  return select ? (pick(row, select) as Row) : row;
}

/** The id alone. An id is taken as it is, and nothing is asked; a name costs a look at the list. */
export async function findId<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  said: string,
  { substring }: { readonly substring: boolean },
): Promise<string> {
  const wanted = nameOf(kind, said);
  if (looksLikeId(wanted)) return wanted;
  return idOf(kind, theOne(kind, await listAll(context, client, kind, kind.identity), wanted, substring));
}

/** The ids of several, with one look at the list at most; one that is not found is no reason to give up the others. */
export async function findEach<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  said: readonly string[],
  { substring }: { readonly substring: boolean },
): Promise<readonly (string | CliError)[]> {
  const wanted = said.map((one) => one.trim());
  if (wanted.every(looksLikeId)) return wanted;
  const rows = await listAll(context, client, kind, kind.identity);
  return eachIn(kind, rows, wanted, substring);
}

/** Among rows that are there already: ids, and errors for what fits none or several. */
export function eachIn<Row>(
  kind: Kind<Row>,
  rows: readonly Row[],
  wanted: readonly string[],
  substring: boolean,
): readonly (string | CliError)[] {
  // Thousands of names among thousands of records: most are written as they are.
  const exact = byText(kind, kind.preferred ? rows.filter(kind.preferred) : rows);
  return wanted.map((one) => {
    if (looksLikeId(one)) return one;
    try {
      return idOf(kind, theOne(kind, exact.get(one) ?? rows, one, substring));
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  });
}

/** The words that tell the records of a kind apart, by id. */
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
  throw new CliError('GRAPHQL', `The service gave no id for this ${kind.noun}.`);
}

async function listAll<Row>(
  context: Context,
  client: FleetClient,
  kind: Kind<Row>,
  select: SelectionTree | undefined,
): Promise<readonly Row[]> {
  const rows = await tolerate(context, (options) => call(client, kind.list, {}, { ...options, select }));
  if (kind.within) return kind.within(rows);
  // A kind's Row is the row of its list operation.
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
        : // Operations by id have one variable, id.
          await tolerate(context, (options) => call(client, byId, { id } as never, { ...options, select }));
    // As above, for its operation by id.
    if (row !== null) return row as unknown as Row;
  } catch (error) {
    // Some services answer an unknown id with null, others with an error.
    if (!(error instanceof CliError && error.code === 'NOT_FOUND')) throw error;
  }
  throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
}

/** What is said, when something is. In a script a variable may be empty. */
function nameOf(kind: Pick<Kind<never>, 'noun'>, said: string): string {
  const name = said.trim();
  if (name !== '') return name;
  throw new CliError('USAGE', `Which ${kind.noun} is meant is left empty.`, { hint: 'Give an id or a name.' });
}

function theOne<Row>(kind: Kind<Row>, rows: readonly Row[], wanted: string, substring: boolean): Row {
  const matches = meantIn(kind, wanted, rows, substring);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined) {
    throw new CliError('AMBIGUOUS_NAME', `"${wanted}" fits ${matches.length} ${kind.plural}.`, {
      choices: matches.map(kind.choice),
      hint: 'Say more of the name, or give the id.',
    });
  }
  throw notFound(
    kind,
    `There is no ${kind.noun} "${wanted}".`,
    didYouMean(wanted, rows.flatMap(kind.texts).filter(isText)),
  );
}

/** Those that are preferred before the others; those called so before those of which it is a part. */
function meantIn<Row>(kind: Kind<Row>, wanted: string, rows: readonly Row[], substring: boolean): readonly Row[] {
  const { preferred } = kind;
  const sets = preferred ? [rows.filter(preferred), rows] : [rows];
  for (const isPartEnough of substring ? [false, true] : [false]) {
    for (const set of sets) {
      const matches = matchesOf(kind, wanted, set, isPartEnough);
      if (matches.length > 0) return matches;
    }
  }
  return [];
}

function notFound(kind: Pick<Kind<never>, 'listCommand'>, message: string, nearest?: string): CliError {
  return new CliError('NOT_FOUND', message, { hint: nearest ?? `\`${kind.listCommand}\` shows all there are.` });
}

/** The best way of fitting that fits anything: exactly as written, but for case and spelling, or as a part. */
export function matchesOf<Row>(
  kind: Pick<Kind<Row>, 'id' | 'texts' | 'spelling'>,
  said: string,
  rows: readonly Row[],
  substring: boolean,
): readonly Row[] {
  const wanted = said.toLowerCase();
  if (wanted === '') return [];
  const { spelling } = kind;
  const texts = (row: Row) => [kind.id(row), ...kind.texts(row)].filter(isText);
  const ways: ((row: Row) => boolean)[] = [
    (row) => texts(row).includes(said),
    (row) => texts(row).some((text) => text.toLowerCase() === wanted),
  ];
  if (spelling) ways.push((row) => texts(row).some((text) => spelling(text) === spelling(said)));
  if (substring) ways.push((row) => texts(row).some((text) => text.toLowerCase().includes(wanted)));
  for (const way of ways) {
    const matches = rows.filter(way);
    if (matches.length > 0) return matches;
  }
  return [];
}

function isText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
