// Plans the records of a file: matches them with those of the service, and orders the steps.

import { didYouMean } from '../../core/suggestions.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { firstOf, unusable } from '../errors/unusable.js';
import { NamedRows } from '../find/choose-record.js';
import type { InputLine } from '../input/read-input.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { Members } from '../records/differences.js';
import { NewRecord } from '../records/new-record.js';
import {
  type EditableKind,
  isSameRecordText,
  type RecordKind,
  type RecordText,
  recordId,
  recordName,
  textIn,
} from '../records/record-kind.js';
import type { PlanStep } from './plan.js';
import { currentRecord, planChange, planCreation, planDeletion, presentMembers } from './plan-record.js';

export interface FileRecord {
  readonly line: number;
  readonly source: InputLine;
  /** `line 3` or `feature 3`. */
  readonly where: string;
  /** Its id, or a name instead; null when it is matched by its members. */
  readonly id: string | null;
  /** Members of the line. Others stay unchanged. */
  readonly members: Members;
  /** Names next to ids in the line, by the members of the ids. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The placeholder for its id in other lines, when it is a new record. */
  readonly creates?: NewRecord | undefined;
}

export interface FilePlan {
  readonly steps: readonly PlanStep[];
  /** The number of records that --prune would delete; 0 with --prune. */
  readonly notInFile: number;
  /** Records whose name is spelled differently in the file; they keep their own spelling. */
  readonly respelled: readonly { readonly own: string; readonly inFile: string }[];
}

interface FileRules {
  readonly prune: boolean;
  readonly names: ReadonlyMap<string, string>;
}

/** Plans the records of a file. Throws CliError USAGE that lists each unclear line. */
export function planRecords<Row extends object>(
  kind: EditableKind<Row>,
  fileRecords: readonly FileRecord[],
  existing: readonly Row[],
  { prune, names }: FileRules,
): FilePlan {
  const lines = new LinePlanner(kind, existing, names);
  const steps = fileRecords.flatMap((one) => lines.plan(one));
  if (lines.problems.length > 0) throw refused(kind, lines.problems, fileRecords.length);
  const others = existing.filter((row) => !lines.isMatched(row));
  // Records that are not in the file and can be deleted; `surplus` are those to delete.
  const absent = kind.remove === null ? [] : others.filter((row) => recordId(row) && !kind.isProtected?.(row));
  const surplus = prune ? absent : [];
  const needed = neededOf(kind, surplus, [
    ...fileRecords.map(({ where, members }, index) => ({ where, record: { ...lines.rows[index], ...members } })),
    ...others.filter((row) => !surplus.includes(row)).map((record) => ({ where: null, record })),
  ]);
  if (needed.length > 0) {
    const linked = needed.map((text) => ({ text, isOf: 'record' }) as const);
    throw refused(kind, linked, needed.length, 'Add it to the file, or leave out --prune.');
  }
  const deletions = childrenFirst(kind, surplus)
    .map((row) => currentRecord(kind, row))
    .map((one) => planDeletion(kind, one.id, one, names));
  const ordered = parentsFirst(kind, steps, existing);
  return { steps: [...ordered, ...deletions], notInFile: absent.length - surplus.length, respelled: lines.respelled };
}

/** Plans the lines one after another, and collects the problems of all of them. */
class LinePlanner {
  readonly problems: Problem[] = [];
  readonly respelled: { own: string; inFile: string }[] = [];
  /** The existing record of each line; null for a new one. */
  readonly rows: (object | null)[] = [];
  readonly #kind: EditableKind<never>;
  readonly #existing: readonly object[];
  readonly #names: ReadonlyMap<string, string>;
  readonly #existingByName: NamedRows<object>;
  readonly #createdByName: NamedRows<Members>;
  readonly #matched = new Map<object, FileRecord>();
  readonly #created = new Map<Members, FileRecord>();

  constructor(kind: EditableKind<never>, existing: readonly object[], names: ReadonlyMap<string, string>) {
    this.#kind = kind;
    this.#existing = existing;
    this.#names = names;
    this.#existingByName = new NamedRows<object>(kind, existing);
    this.#createdByName = new NamedRows<Members>(kind, []);
  }

  plan(one: FileRecord): readonly PlanStep[] {
    const found = matchRecord(this.#kind, one, this.#existing, this.#existingByName);
    this.rows.push(typeof found === 'string' ? null : (found?.row ?? null));
    if (typeof found === 'string') return this.#refuse(one.where, found, 'identity');
    return found === null ? this.#planNew(one) : this.#planExisting(one, found.row, found.isById);
  }

  isMatched(row: object): boolean {
    return this.#matched.has(row);
  }

  #planNew(one: FileRecord): readonly PlanStep[] {
    const kind = this.#kind;
    const { line, source, where, members, creates } = one;
    const [first] = kind.texts;
    const name = first ? textIn(first, members) : null;
    if (kind.create === null) {
      const named = one.id ?? recordName(kind, members) ?? '';
      return this.#refuse(where, missing(kind, named, this.#existing), 'identity');
    }
    if (name === null) return this.#refuse(where, `a new ${kind.noun} needs a ${first?.noun ?? 'name'}`, 'record');
    const lacking = kind.lacks?.(members) ?? null;
    if (lacking !== null) return this.#refuse(where, lacking, 'record');
    const twin = matchByTexts(kind, members, this.#createdByName);
    const other = twin !== null && typeof twin === 'object' ? this.#created.get(twin) : undefined;
    const others = other ? otherFields(kind, one, other, {}) : [];
    if (other && others.length === 0) return [];
    if (twin !== null) return this.#refuse(where, duplicateProblem(name, other, others), 'identity');
    this.#created.set(members, one);
    this.#createdByName.add(members);
    return [{ ...planCreation(kind, members, this.#names, { creates }), line, source }];
  }

  /** Plans a change of a record. An equal repeated line is skipped, a different one refused. */
  #planExisting(one: FileRecord, row: object, isById: boolean): readonly PlanStep[] {
    const kind = this.#kind;
    const { line, source, where } = one;
    const id = recordId(row) ?? '';
    const name = recordName(kind, row) ?? recordName(kind, one.members) ?? id;
    const named = isById ? one.members : withOwnSpelling(kind, one.members, row);
    const members = withOwnForm(named, row);
    const earlier = this.#matched.get(row);
    if (earlier) {
      const others = otherFields(kind, { ...one, members }, earlier, presentMembers(row, kind));
      if (others.length === 0) return [];
      return this.#refuse(where, duplicateProblem(name, earlier, others), isById ? 'repeat' : 'identity');
    }
    this.#matched.set(row, { ...one, members });
    if (named !== one.members) this.respelled.push({ own: name, inFile: recordName(kind, one.members) ?? '' });
    return [{ ...planChange(kind, id, members, { name, row }, this.#names), line, source }];
  }

  #refuse(where: string, problem: string, isOf: Problem['isOf']): readonly PlanStep[] {
    this.problems.push({ text: `${where}: ${problem}`, isOf });
    return [];
  }
}

function missing(kind: RecordKind<never>, named: string, existing: readonly object[]): string {
  const near = didYouMean(
    named,
    existing.flatMap((row) => recordName(kind, row) ?? []),
  );
  return `there is no ${kind.noun}${named === '' ? '' : ` "${named}"`}${near === undefined ? '' : `. ${near}`}`;
}

/** Removes names that differ only in spelling: the record keeps its own spelling. */
function withOwnSpelling(kind: EditableKind<never>, members: Members, row: object): Members {
  const others = kind.texts.filter((text) => {
    const [fileText, own] = [textIn(text, members), textIn(text, row)];
    return fileText !== null && own !== null && fileText !== own && isSameRecordText(kind, text, fileText, own);
  });
  if (others.length === 0) return members;
  const respelledMembers = new Set(others.flatMap((text) => text.members));
  return Object.fromEntries(Object.entries(members).filter(([member]) => !respelledMembers.has(member)));
}

/** Removes texts that differ only in their Unicode form: macOS writes another one into files. */
function withOwnForm(members: Members, row: object): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => {
      const own: unknown = Reflect.get(row, member);
      return typeof value !== 'string' || typeof own !== 'string' || value.normalize('NFC') !== own.normalize('NFC');
    }),
  );
}

type Leveled = Pick<EditableKind<never>, 'noun' | 'relations'>;

/** Returns the member with the id of the parent; undefined for a kind without parents. */
function parentMember({ noun, relations = {} }: Leveled): string | undefined {
  return Object.entries(relations).find(([, relation]) => relation.kind().noun === noun)?.[0];
}

/** Returns a text for each remaining record whose parent would be deleted. */
function neededOf(
  kind: EditableKind<never>,
  surplus: readonly object[],
  staying: readonly { readonly where: string | null; readonly record: object }[],
): readonly string[] {
  const parent = parentMember(kind);
  if (parent === undefined) return [];
  const doomed = new Map(surplus.map((row) => [recordId(row), recordName(kind, row)]));
  return staying.flatMap(({ where, record }) => {
    const above: unknown = Reflect.get(record, parent);
    const name = typeof above === 'string' ? doomed.get(above) : undefined;
    if (name === undefined) return [];
    const from = where === null ? '' : `${where}: `;
    return [
      `${from}"${recordName(kind, record)}" is below "${name}", which is not in the file: --prune would delete it`,
    ];
  });
}

/**
 * Sorts new parents before children; no record is ever its own ancestor.
 * @throws CliError USAGE when there is no such order
 */
function parentsFirst(
  kind: EditableKind<never>,
  steps: readonly PlanStep[],
  existing: readonly object[],
): readonly PlanStep[] {
  const parent = parentMember(kind);
  if (parent === undefined) return steps;
  const above = new Map<unknown, unknown>(existing.map((row) => [recordId(row), Reflect.get(row, parent)]));
  const stepNode = ({ creates, record }: PlanStep): unknown => creates ?? record.id;
  const movesTo = ({ record }: PlanStep) => record.changes.find(({ field }) => field === parent)?.after ?? null;
  const isMove = ({ record }: PlanStep) => record.changes.some(({ field }) => field === parent);
  const moving = new Set(steps.filter(isMove).map(stepNode));
  /** Returns the record that must be created or moved before; null when the step is possible. */
  const blockerOf = (step: PlanStep): unknown => {
    const target = movesTo(step);
    if (target instanceof NewRecord && !above.has(target)) return target;
    if (step.creates) return null;
    const path = new Set<unknown>();
    for (let at: unknown = target; at !== null && at !== undefined && !path.has(at); at = above.get(at)) {
      if (at === stepNode(step)) return [...path].find((one) => moving.has(one)) ?? at;
      path.add(at);
    }
    return null;
  };
  const ordered: PlanStep[] = [];
  const waiting = new Map<unknown, PlanStep[]>();
  const order = (next: PlanStep) => {
    const work = [next];
    for (const step of work) {
      const blocker = blockerOf(step);
      const node = stepNode(step);
      if (blocker !== null) {
        waiting.set(blocker, [...(waiting.get(blocker) ?? []), step]);
        continue;
      }
      if (isMove(step) || step.creates) above.set(node, movesTo(step));
      moving.delete(node);
      ordered.push(step);
      work.push(...(waiting.get(node) ?? []));
      waiting.delete(node);
    }
  };
  for (const step of steps) order(step);
  for (let count = -1; waiting.size > 0; ) {
    const rest = [...waiting.values()].flat();
    const [first] = rest;
    if (first && ordered.length === count) {
      throw refusal(`line ${first.line}: "${first.record.name}" would be its own parent.`, {
        hint: 'Correct the parents in the file.',
      });
    }
    count = ordered.length;
    waiting.clear();
    for (const step of rest) order(step);
  }
  return ordered;
}

/** Sorts children before their parents, because the service deletes no record with children. */
export function childrenFirst<Row extends object>(kind: Leveled, rows: readonly Row[]): readonly Row[] {
  const parent = parentMember(kind);
  if (parent === undefined) return rows;
  const byId = new Map(rows.map((row) => [recordId(row), row]));
  const depthOf = (row: Row, seen: readonly Row[] = []): number => {
    const above: unknown = Reflect.get(row, parent);
    const holder = typeof above === 'string' ? byId.get(above) : undefined;
    return holder === undefined || seen.includes(holder) ? 0 : 1 + depthOf(holder, [...seen, row]);
  };
  const depths = new Map(rows.map((row) => [row, depthOf(row)]));
  return [...rows].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
}

/** Returns the matching record, null for a new one, or a text when it is ambiguous or missing. */
export function matchRecord(
  kind: RecordKind<never>,
  { id, members }: FileRecord,
  existing: readonly object[],
  existingByName: NamedRows<object>,
): { readonly row: object; readonly isById: boolean } | null | string {
  if (id !== null) {
    const byId = looksLikeId(id) ? existing.find((row) => recordId(row) === id) : undefined;
    if (byId) return { row: byId, isById: true };
    const named = looksLikeId(id) ? [] : existingByName.matches(id);
    const [only] = named;
    if (only && named.length === 1) return { row: only, isById: true };
    if (only) return ambiguous(kind, id, named.length);
    if (!looksLikeId(id)) return missing(kind, id, existing);
  }
  // A file of another fleet has other ids, but the same names.
  const row = matchByTexts(kind, members, existingByName);
  return row === null || typeof row === 'string' ? row : { row, isById: false };
}

/**
 * Matches a record by the texts of a line, the most specific unique text first. A line with an
 * unknown unique text is not matched by its name alone.
 */
function matchByTexts<Row extends object>(
  kind: RecordKind<never>,
  members: Members,
  existing: NamedRows<Row>,
): Row | null | string {
  const { noun, texts } = kind;
  const hasFixed = texts.some(({ isFixed }) => isFixed === true);
  let pool: readonly Row[] | null = null;
  let last: string | null = null;
  const missed: RecordText[] = [];
  for (const text of hasFixed ? [...texts].reverse() : texts) {
    const value = textIn(text, members);
    if (value === null) continue;
    const earlier: readonly Row[] | null = pool;
    const same: readonly Row[] = existing
      .matches(value, [text])
      .filter((row) => earlier === null || earlier.includes(row));
    if (same.length === 0) {
      if (hasFixed) missed.push(text);
      continue;
    }
    const isOther = (row: Row) => missed.some((one) => one.isFixed === true && textIn(one, row) !== null);
    const rest: readonly Row[] = same.filter((row) => !isOther(row));
    const [only] = rest;
    const isName = text === texts[0];
    const [first] = missed;
    if (first && !isName && only === undefined)
      return `its ${text.noun} is that of a ${noun} with another ${first.noun}`;
    if (only === undefined) continue;
    if (first && isName) {
      const has = textIn(first, only) === null ? 'has none' : 'has another';
      return `no ${noun} has its ${first.noun}, and "${value}" ${has}: it is not clear whether they are the same`;
    }
    if (rest.length === 1) return only;
    // Several have the same text: the next one may be unique.
    pool = rest;
    last = value;
  }
  return last === null ? null : ambiguous(kind, last, pool?.length ?? 0);
}

/** Returns the members in which two lines differ, apart from spelling and current values. */
function otherFields(
  kind: EditableKind<never>,
  one: FileRecord,
  other: FileRecord,
  present: Members,
): readonly string[] {
  const members = withOwnSpelling(kind, one.members, other.members);
  const respelled = Object.keys(one.members).filter((member) => !Object.hasOwn(members, member));
  const names = new Set([...Object.keys(members), ...Object.keys(other.members)]);
  const saidBy = (line: Members, name: string) => JSON.stringify(name in line ? line[name] : present[name]);
  return [...names].filter(
    (name) => !respelled.includes(name) && saidBy(members, name) !== saidBy(other.members, name),
  );
}

function duplicateProblem(name: string, earlier: FileRecord | undefined, others: readonly string[]): string {
  if (!earlier) return `"${name}" is in the file already`;
  return `"${name}" is in the file already, in ${earlier.where}, with another ${others.join(', ')}`;
}

function ambiguous({ plural }: RecordKind<never>, text: string, count: number): string {
  return `there are ${count} ${plural} with the name "${text}"`;
}

interface Problem {
  readonly text: string;
  /** `identity`: unclear, an id helps. `repeat`: same record in two lines. */
  readonly isOf: 'identity' | 'repeat' | 'record';
}

function refused(
  { plural, listCommand, create }: EditableKind<never>,
  problems: readonly Problem[],
  count: number,
  ownHint?: string,
): CliError {
  const names =
    create === null
      ? `\`${listCommand} -o csv\` prints all of them with their ids. The service cannot create or delete ${plural}, so a file cannot either.`
      : `An id tells records with the same name apart: \`${listCommand} -o csv\` prints them.`;
  const has = (what: Problem['isOf']) => problems.some(({ isOf }) => isOf === what);
  const repeat = has('repeat') ? 'Combine both lines into one.' : undefined;
  const more = { undone: 'changed', hint: ownHint ?? (has('identity') ? names : repeat) } as const;
  const [only] = problems;
  if (only && problems.length === 1) return unusable('file', only.text, more);
  return new CliError('USAGE', `${problems.length} of ${count} ${plural} cannot be used.`, {
    ...more,
    details: firstOf(problems.map((problem) => problem.text)),
  });
}
