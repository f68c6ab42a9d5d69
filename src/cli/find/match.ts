// Finds the records among given rows that a text names: by id, or by a name or another text that matches exactly one record.
import { didYouMean } from '../../core/suggestions.js';
import type { ReportingRun } from '../context/context.js';
import { type Choice, CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import { isMarkedDeleted } from '../shape/deleted.js';
import { isText, type Kind, wholeTexts } from './kind.js';

/** Searches the given rows: returns ids, and errors for names that match none or several. */
export function findEachIn<Row>(
  run: ReportingRun,
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
      return requireId(kind, singleMatch(run, kind, exact.get(query) ?? rows, query, substring));
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  });
}

/** The same ids, when each was found. @throws CliError that of the first name that was not */
export function requireIds(found: readonly (string | CliError)[]): readonly string[] {
  return found.map((id) => {
    if (id instanceof CliError) throw id;
    return id;
  });
}

function byText<Row>(kind: Kind<Row>, rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    for (const text of new Set(wholeTexts(kind, row))) {
      const same = found.get(text);
      if (same) same.push(row);
      else found.set(text, [row]);
    }
  }
  return found;
}

export function requireId<Row>(kind: Kind<Row>, row: Row): string {
  const id = kind.id(row);
  if (id) return id;
  throw new CliError('GRAPHQL', `The service sent no id for this ${kind.noun}.`);
}

/** Deleted records, which some services still list, are found only when no other record matches, and only by commands that read. */
export function singleMatch<Row>(
  run: ReportingRun,
  kind: Kind<Row>,
  all: readonly Row[],
  query: string,
  substring: boolean,
): Row {
  const rows = all.filter((row) => !isMarkedDeleted(row));
  const matches = bestMatches(kind, query, rows, false);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only !== undefined) throw ambiguous(kind, query, matches);
  const parts = bestMatches(kind, query, rows, true);
  const [part] = parts;
  if (part === undefined) {
    const [gone, ...others] = bestMatches(kind, query, all.filter(isMarkedDeleted), false);
    if (gone !== undefined && substring && others.length === 0) return gone;
    if (gone !== undefined) throw notFound(kind, `The ${kind.noun} "${query}" has been deleted.`);
    const nearest = didYouMean(
      query,
      rows.flatMap((row) => [...kind.texts(row), ...(kind.codes?.(row) ?? [])]).filter(isText),
    );
    throw notFound(kind, `There is no ${kind.noun} "${query}".`, { hint: nearest });
  }
  if (substring && parts.length > 1) throw ambiguous(kind, query, parts);
  // A script must not get another record tomorrow because one was added, nor change one that it did not name.
  if (!substring || !run.globals.input) {
    const has = parts.length === 1 ? `one ${kind.noun} has` : `${parts.length} ${kind.plural} have`;
    throw notFound(kind, `There is no ${kind.noun} "${query}"; ${has} it as a part of a name.`, {
      choices: parts.map(kind.choice),
      hint: 'Give the whole name, or the id.',
    });
  }
  const whole = kind.texts(part).find((text) => isText(text) && hasPart(text, query));
  run.report.warn(
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

export function notFound(
  { listCommand }: Pick<Kind<never>, 'listCommand'>,
  message: string,
  { hint, choices }: { readonly hint?: string | undefined; readonly choices?: readonly Choice[] } = {},
): CliError {
  return new CliError('NOT_FOUND', message, { choices, hint: hint ?? `\`${listCommand}\` lists all of them.` });
}

/** The matches of the first criterion that matches anything: exact, ignoring case, ignoring spelling, or as a part of a name. */
export function matchesOf<Row>(
  kind: Pick<Kind<Row>, 'id' | 'texts' | 'codes' | 'normalize'>,
  query: string,
  rows: readonly Row[],
  substring: boolean,
): readonly Row[] {
  const lowerCaseQuery = query.toLowerCase();
  if (lowerCaseQuery === '') return [];
  const { normalize } = kind;
  const texts = (row: Row) => wholeTexts(kind, row);
  const criteria: ((row: Row) => boolean)[] = [
    (row) => texts(row).includes(query),
    (row) => texts(row).some((text) => text.toLowerCase() === lowerCaseQuery),
  ];
  if (normalize) criteria.push((row) => texts(row).some((text) => normalize(text) === normalize(query)));
  if (substring) criteria.push((row) => kind.texts(row).some((text) => isText(text) && hasPart(text, query)));
  for (const criterion of criteria) {
    const matches = rows.filter(criterion);
    if (matches.length > 0) return matches;
  }
  return [];
}

function hasPart(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
