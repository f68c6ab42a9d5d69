// Matches a text to records: by id, or by a name or other text that matches exactly one record.
import { didYouMean } from '../../core/suggestions.js';
import type { ReportingRun, Run } from '../context/context.js';
import { type Choice, CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import { comparable, hasPart, type TextForm, withoutSeparators } from '../records/names.js';
import { choiceOf, type RecordKind, type RecordText, recordId, textIn, textsOf } from '../records/record-kind.js';
import { isMarkedDeleted } from '../shape/deleted.js';

/** Returns an id for each query, or an error when it matches none or several. */
export function findEachIn<Row extends object>(
  run: ReportingRun,
  kind: RecordKind<Row>,
  rows: readonly Row[],
  queries: readonly string[],
  substring: boolean,
): readonly (string | CliError)[] {
  const match = matcher(run, kind, rows, substring);
  return queries.map((query) => {
    if (looksLikeId(query)) return query;
    try {
      return requireId(kind, match(query));
    } catch (error) {
      if (error instanceof CliError) return error;
      throw error;
    }
  });
}

/** Returns the ids, or throws the first error. */
export function requireIds(found: readonly (string | CliError)[]): readonly string[] {
  return found.map((id) => {
    if (id instanceof CliError) throw id;
    return id;
  });
}

export function requireId({ noun }: Pick<RecordKind<never>, 'noun'>, row: object): string {
  const id = recordId(row);
  if (id) return id;
  throw new CliError('GRAPHQL', `The service sent no id for this ${noun}.`);
}

/** Returns the matching record. Throws CliError NOT_FOUND or AMBIGUOUS_NAME. */
export function singleMatch<Row extends object>(
  run: ReportingRun,
  kind: RecordKind<Row>,
  all: readonly Row[],
  query: string,
  substring: boolean,
): Row {
  return matcher(run, kind, all, substring)(query);
}

/**
 * Returns a matching function. Preferred records come first. Deleted records match only when no
 * other does, and only for commands that read.
 */
function matcher<Row extends object>(
  run: ReportingRun,
  kind: RecordKind<Row>,
  all: readonly Row[],
  substring: boolean,
): (query: string) => Row {
  const rows = all.filter((row) => !isMarkedDeleted(row));
  const { isPreferred } = kind;
  const sets = [...(isPreferred ? [rows.filter(isPreferred)] : []), rows].map((set) => new NamedRows(kind, set));
  const matches = (query: string) => sets.map((set) => set.matches(query)).find((found) => found.length > 0) ?? [];
  const parts = (query: string) => sets.map((set) => set.withPart(query)).find((found) => found.length > 0) ?? [];
  return (query) => {
    const [only, ...others] = matches(query);
    if (only !== undefined && others.length === 0) return only;
    if (only !== undefined) throw ambiguous(kind, query, [only, ...others]);
    const partly = parts(query);
    const [part] = partly;
    if (part === undefined) {
      const [gone, ...alike] = new NamedRows(kind, all.filter(isMarkedDeleted)).matches(query);
      if (gone !== undefined && substring && alike.length === 0) return gone;
      if (gone !== undefined) throw notFound(kind, `The ${kind.noun} "${query}" has been deleted.`);
      const nearest = didYouMean(
        query,
        rows.flatMap((row) => textsOf(kind, row)),
      );
      throw notFound(kind, `There is no ${kind.noun} "${query}".`, { hint: nearest });
    }
    if (substring && partly.length > 1) throw ambiguous(kind, query, partly);
    // A partial match could change with new records, so scripts and changes need whole names.
    if (!substring || !isReadByPerson(run)) {
      const has = partly.length === 1 ? `one ${kind.noun} has` : `${partly.length} ${kind.plural} have`;
      throw notFound(kind, `There is no ${kind.noun} "${query}"; ${has} this text in a name.`, {
        choices: partly.map((row) => choiceOf(kind, row)),
        hint: 'Give the whole name, or the id.',
      });
    }
    const whole = kind.texts.find((text) => isPartOf(text, part, query));
    run.report.warn(
      `There is no ${kind.noun} "${query}"; this is ${(whole && textIn(whole, part)) ?? recordId(part)}, the only one with this text in its name.`,
    );
    return part;
  };
}

/** True when a person sees the warning about a partial match. */
function isReadByPerson(run: Run): boolean {
  return run.globals.input && run.io.stdout.isTTY === true && run.io.stderr.isTTY === true;
}

function ambiguous<Row extends object>(kind: RecordKind<Row>, query: string, matches: readonly Row[]): CliError {
  return new CliError('AMBIGUOUS_NAME', `"${query}" matches ${matches.length} ${kind.plural}.`, {
    choices: matches.map((row) => choiceOf(kind, row)),
    hint: 'Give more of the name, or the id.',
  });
}

export function notFound(
  { listCommand }: Pick<RecordKind<never>, 'listCommand'>,
  message: string,
  { hint, choices }: { readonly hint?: string | undefined; readonly choices?: readonly Choice[] } = {},
): CliError {
  return new CliError('NOT_FOUND', message, { choices, hint: hint ?? `\`${listCommand}\` lists all of them.` });
}

type NamingTexts = Pick<RecordKind<never>, 'texts' | 'ignoresSeparators'>;

function isPartOf(text: RecordText, row: object, query: string): boolean {
  const whole = text.isWhole ? null : textIn(text, row);
  return whole !== null && hasPart(whole, query, text.form);
}

/** Rows indexed by the texts that name them. */
export class NamedRows<Row extends object> {
  readonly #kind: NamingTexts;
  readonly #rows: Row[];
  /** Created on first use, keyed by normalised text. */
  readonly #indexes = new Map<Criterion, Map<string, Row[]>>();

  constructor(kind: NamingTexts, rows: readonly Row[]) {
    this.#kind = kind;
    this.#rows = [...rows];
  }

  /** Returns the matches of the first criterion with any. `by` defaults to all texts and the id. */
  matches(query: string, by?: readonly RecordText[]): readonly Row[] {
    const criteria = this.#kind.ignoresSeparators ? [exact, equal, loose] : [exact, equal];
    for (const criterion of criteria) {
      const found = this.#matchesBy(criterion, query, by ?? [...this.#kind.texts, id]);
      if (found.length > 0) return found;
    }
    return [];
  }

  withPart(query: string): readonly Row[] {
    return this.#rows.filter((row) => this.#kind.texts.some((text) => isPartOf(text, row, query)));
  }

  add(row: Row): void {
    this.#rows.push(row);
    for (const [criterion, index] of this.#indexes) this.#addTo(index, criterion, row);
  }

  #matchesBy(criterion: Criterion, query: string, texts: readonly RecordText[]): readonly Row[] {
    if (query.trim() === '') return [];
    const index = this.#indexOf(criterion);
    const found = texts.flatMap((text) => index.get(keyOf(criterion, text, query)) ?? []);
    return found.length < 2 ? found : [...new Set(found)];
  }

  #indexOf(criterion: Criterion): ReadonlyMap<string, readonly Row[]> {
    const existing = this.#indexes.get(criterion);
    if (existing) return existing;
    const index = new Map<string, Row[]>();
    for (const row of this.#rows) this.#addTo(index, criterion, row);
    this.#indexes.set(criterion, index);
    return index;
  }

  #addTo(index: Map<string, Row[]>, criterion: Criterion, row: Row): void {
    for (const text of [...this.#kind.texts, id]) {
      const value = textIn(text, row);
      if (value === null) continue;
      const key = keyOf(criterion, text, value);
      const same = index.get(key);
      if (same) same.push(row);
      else index.set(key, [row]);
    }
  }
}

type Criterion = (text: string, form: TextForm) => string;

const exact: Criterion = (text) => text;
const equal: Criterion = comparable;
const loose: Criterion = withoutSeparators;
const id: RecordText = { noun: 'id', form: 'code', members: ['id'] };

function keyOf(criterion: Criterion, { members, form }: RecordText, text: string): string {
  return `${members.join(' ')}\n${criterion(text, form)}`;
}
