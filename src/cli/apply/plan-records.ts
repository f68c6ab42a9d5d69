// Compares the records of a file with those of the service: what to create, change and delete so that the service has those of the file.

import { didYouMean } from '../../core/suggestions.js';
import type { Members } from '../change/change-spec.js';
import { lostMembers } from '../change/describe.js';
import { type Differences, memberDifferences } from '../change/differences.js';
import type { PlanStep, Request } from '../change/plan.js';
import type { InputLine } from '../change/read-input.js';
import { createdMembers, type MemberChange } from '../change/record-change.js';
import { CliError } from '../errors/cli-error.js';
import { firstOf, unusable } from '../errors/unusable.js';
import { looksLikeId } from '../parse/user-selector.js';

/** A member that says something; null for other values and for an empty text. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A record as the file has it. */
export interface FileRecord {
  readonly line: number;
  readonly source: InputLine;
  /** `line 3` or `feature 3`. */
  readonly where: string;
  /** Its id, or a name that stands in its place; null when it is found by its members. */
  readonly id: string | null;
  /** What the file does not say of a record stays as it is. */
  readonly members: Members;
}

export interface Key {
  /** What people call it: `employee id`. */
  readonly noun: string;
  /** Members of the file and records have the same names. */
  readonly of: (record: Members) => string | null;
  /** A record with another one is another record, whatever its name. */
  readonly isFixed?: true;
}

/** A kind of record that a file can describe. `Row` is a record of the service. */
export interface Target<Row> {
  readonly noun: string;
  readonly plural: string;
  /** Prints ids, for hints. */
  readonly listCommand: string;
  readonly id: (row: Row) => string | null | undefined;
  /** The texts that tell a record from others, the most telling first; the last is its name. */
  readonly keys: readonly Key[];
  /** How people call it; empty when the file gives no name. */
  readonly nameOf: (record: Members) => string;
  /** Why a record with these members cannot be created. */
  readonly lacks?: (members: Members) => string | null;
  /** Default: each member is compared by itself. */
  readonly differences?: (members: Members, row: Row) => Differences;
  /** Null when the service creates none. */
  readonly create: ((members: Members, created: ReadonlyMap<string, string>) => Request) | null;
  readonly change: (
    id: string,
    members: Members,
    created: ReadonlyMap<string, string>,
    changes: readonly MemberChange[],
  ) => Request | readonly Request[];
  /** Null when the service deletes none. */
  readonly remove: ((id: string) => Request) | null;
  /** The known record that a line is about, null for none, or why that is not clear. Default: by id and keys. */
  readonly match?: (wanted: FileRecord, known: readonly Row[]) => Row | null | string;
  /** The id of the record that it stands below: the service does not delete that one as long as it does. */
  readonly above?: (record: Members) => unknown;
  /** The order in which records can be deleted. */
  readonly inOrderOfDeletion?: (rows: readonly Row[]) => readonly Row[];
  /** Records that --prune leaves alone. */
  readonly spared?: (row: Row) => boolean;
}

export interface FilePlan {
  readonly steps: readonly PlanStep[];
  /** How many records of the service no line is about, and --prune would delete; 0 with --prune. */
  readonly notInFile: number;
}

/** @throws CliError USAGE that lists every line whose record is ambiguous, given twice or without a name */
export function planRecords<Row extends object>(
  target: Target<Row>,
  wanted: readonly FileRecord[],
  known: readonly Row[],
  { prune }: { readonly prune: boolean },
): FilePlan {
  const kind = target.noun;
  const problems: Problem[] = [];
  const taken = new Map<Row, FileRecord>();
  /** The known record of each wanted one. */
  const rows: (Row | null)[] = [];
  const born: FileRecord[] = [];
  const steps = wanted.flatMap((one): readonly PlanStep[] => {
    const { line, source, where, members } = one;
    const found = (target.match ?? ((line, all) => match(target, line, all)))(one, known);
    rows.push(typeof found === 'string' ? null : found);
    if (typeof found === 'string') {
      problems.push({ text: `${where}: ${found}`, isOfIdentity: true });
      return [];
    }
    const requestsOf = (request: (created: ReadonlyMap<string, string>) => Request | readonly Request[]) => ({
      requests: (created: ReadonlyMap<string, string>) => [request(created)].flat(),
    });
    if (found === null) {
      const { create } = target;
      if (create === null) {
        const named = one.id ?? target.nameOf(members);
        const near = didYouMean(
          named,
          known.map((row) => target.nameOf(membersOf(row))),
        );
        problems.push({
          text: `${where}: there is no ${kind}${named === '' ? '' : ` "${named}"`}${near === null ? '' : `. ${near}`}`,
          isOfIdentity: true,
        });
        return [];
      }
      const name = target.nameOf(members);
      if (name === '') {
        problems.push({ text: `${where}: a new ${target.noun} needs a name`, isOfIdentity: false });
        return [];
      }
      const lacking = target.lacks?.(members) ?? null;
      if (lacking !== null) {
        problems.push({ text: `${where}: ${lacking}`, isOfIdentity: false });
        return [];
      }
      const twin = matchByKeys<Members>(
        target,
        members,
        born.map((other) => other.members),
      );
      if (twin !== null) {
        const other = born.find((before) => before.members === twin);
        if (other && isRepeat(one, other)) return [];
        problems.push({ text: `${where}: ${twice(name, one, other)}`, isOfIdentity: true });
        return [];
      }
      born.push(one);
      return [
        {
          line,
          source,
          record: { kind, action: 'create', name, id: null, changes: createdMembers(members) },
          creates: name,
          ...requestsOf((made) => create(members, made)),
        },
      ];
    }
    const id = target.id(found) ?? '';
    const name = target.nameOf(membersOf(found)) || target.nameOf(members) || id;
    const earlier = taken.get(found);
    if (earlier) {
      if (!isRepeat(one, earlier))
        problems.push({ text: `${where}: ${twice(name, one, earlier)}`, isOfIdentity: true });
      return [];
    }
    taken.set(found, one);
    const { changes, send } = (target.differences ?? memberDifferences)(members, found);
    if (changes.length === 0) {
      return [{ line, source, record: { kind, action: 'keep', name, id, changes }, requests: () => [] }];
    }
    const record = { kind, action: 'update', name, id, changes } as const;
    return [{ line, source, record, ...requestsOf((made) => target.change(id, send, made, changes)) }];
  });
  if (problems.length > 0) throw refused(target, problems, wanted.length);
  const absent =
    target.remove === null ? [] : known.filter((row) => target.id(row) && !taken.has(row) && !target.spared?.(row));
  const surplus = prune ? absent : [];
  const needed = neededOf(target, surplus, [
    ...wanted.map(({ where, members }, index) => ({ where, record: { ...membersOf(rows[index] ?? {}), ...members } })),
    ...known
      .filter((row) => !taken.has(row) && !surplus.includes(row))
      .map((row) => ({ where: null, record: membersOf(row) })),
  ]);
  if (needed.length > 0) {
    const linked = needed.map((text) => ({ text, isOfIdentity: false }));
    throw refused(target, linked, wanted.length, 'Add it to the file, or leave out --prune.');
  }
  const deletions = (target.inOrderOfDeletion?.(surplus) ?? surplus).map((row) => deletion(target, row));
  return { steps: [...steps, ...deletions], notInFile: absent.length - surplus.length };
}

/** Why some of the surplus records cannot be deleted: others that stay are below them. */
function neededOf<Row extends object>(
  target: Target<Row>,
  surplus: readonly Row[],
  staying: readonly { readonly where: string | null; readonly record: Members }[],
): readonly string[] {
  const doomed = new Map(surplus.map((row) => [target.id(row), target.nameOf(membersOf(row))]));
  return staying.flatMap(({ where, record }) => {
    const above = target.above?.(record);
    const name = typeof above === 'string' ? doomed.get(above) : undefined;
    if (name === undefined) return [];
    const from = where === null ? '' : `${where}: `;
    return [`${from}"${target.nameOf(record)}" is below "${name}", which is not in the file: --prune would delete it`];
  });
}

function deletion<Row extends object>(target: Target<Row>, row: Row): PlanStep {
  const id = target.id(row) ?? '';
  const name = target.nameOf(membersOf(row)) || id;
  const record = { kind: target.noun, action: 'delete', name, id, changes: lostMembers(row) } as const;
  return { line: null, source: null, record, requests: () => [target.remove?.(id) ?? []].flat() };
}

/** The record of the service, null for a new one, or why it cannot be told. */
function match<Row extends object>(
  target: Target<Row>,
  { id, members }: FileRecord,
  known: readonly Row[],
): Row | null | string {
  if (id === null) return matchByKeys(target, members, known);
  // A file of another fleet has other ids, and the same names.
  if (looksLikeId(id)) return known.find((row) => target.id(row) === id) ?? matchByKeys(target, members, known);
  const named = known.filter((row) => target.keys.some((key) => key.of(membersOf(row)) === id));
  const [only] = named;
  if (only === undefined) return `there is no ${target.noun} "${id}"`;
  return named.length === 1 ? only : ambiguous(target, id, named.length);
}

/** Where no record has a text of the line, such as its employee id, the name alone does not decide. */
function matchByKeys<Row extends object>(
  target: Pick<Target<never>, 'keys' | 'plural' | 'noun'>,
  members: Members,
  known: readonly Row[],
): Row | null | string {
  let pool = known;
  let last: string | null = null;
  const missed: Key[] = [];
  for (const key of target.keys) {
    const text = key.of(members);
    if (text === null) continue;
    const same = pool.filter((row) => key.of(membersOf(row)) === text);
    if (same.length === 0) {
      missed.push(key);
      continue;
    }
    const isOther = (row: Row) => missed.some(({ of, isFixed }) => isFixed === true && of(membersOf(row)) !== null);
    const rest = same.filter((row) => !isOther(row));
    const [only] = rest;
    const isName = key === target.keys.at(-1);
    const [first] = missed;
    if (first && !isName && only === undefined)
      return `its ${key.noun} is that of a ${target.noun} with another ${first.noun}`;
    if (only === undefined) continue;
    if (first && isName) {
      const has = first.of(membersOf(only)) === null ? 'has none' : 'has another';
      return `no ${target.noun} has its ${first.noun}, and "${text}" ${has}: it is not clear whether they are the same`;
    }
    if (rest.length === 1) return only;
    // Several have the same text: the next one may tell them apart.
    pool = rest;
    last = text;
  }
  return last === null ? null : ambiguous(target, last, pool.length);
}

/** Whether two lines say the same of a record. */
function isRepeat(one: FileRecord, other: FileRecord): boolean {
  return otherFields(one, other).length === 0;
}

/** The members that only one of them has, or that differ. */
function otherFields(one: FileRecord, other: FileRecord): readonly string[] {
  const names = new Set([...Object.keys(one.members), ...Object.keys(other.members)]);
  const text = ({ members }: FileRecord, name: string) => JSON.stringify(members[name]);
  return [...names].filter((name) => text(one, name) !== text(other, name));
}

function twice(name: string, one: FileRecord, earlier: FileRecord | undefined): string {
  if (!earlier) return `"${name}" is in the file already`;
  return `"${name}" is in the file already, in ${earlier.where}, with another ${otherFields(one, earlier).join(', ')}`;
}

function ambiguous({ plural }: Pick<Target<never>, 'plural'>, text: string, count: number): string {
  return `there are ${count} ${plural} with the name "${text}"`;
}

/** Targets read only members that file and service have in common. */
function membersOf(row: object): Members {
  return row as Members;
}

/** Why a line cannot be used. */
interface Problem {
  readonly text: string;
  /** It is not clear which record the line means: an id helps. */
  readonly isOfIdentity: boolean;
}

function refused(
  { plural, listCommand, create }: Pick<Target<never>, 'plural' | 'listCommand' | 'create'>,
  problems: readonly Problem[],
  count: number,
  ownHint?: string,
): CliError {
  const names =
    create === null
      ? `\`${listCommand} -o csv\` prints all of them with their ids. The service creates and deletes no ${plural}, so neither does a file.`
      : `An id tells records with the same name apart: \`${listCommand} -o csv\` prints them.`;
  const text = ownHint ?? (problems.some(({ isOfIdentity }) => isOfIdentity) ? names : null);
  const more = { undone: 'changed', hint: text ?? undefined } as const;
  const [only] = problems;
  if (only && problems.length === 1) return unusable('file', only.text, more);
  return new CliError('USAGE', `${problems.length} of ${count} ${plural} cannot be used.`, {
    ...more,
    details: firstOf(problems.map((problem) => problem.text)),
  });
}
