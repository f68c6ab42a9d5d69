// Reads the records of a file: a table, JSON or YAML.

import type { ReportingRun } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { firstOf } from '../errors/unusable.js';
import { checkInput } from '../input/check-input.js';
import { type InputFlags, loadInput } from '../input/load-input.js';
import type { Input, TableFormat } from '../input/read-input.js';
import type { InputColumn, TableColumns } from '../input/table/columns.js';
import type { Members } from '../records/differences.js';
import { membersOf } from '../records/input-members.js';
import type { EditableKind, WritingOperation } from '../records/record-kind.js';
import { readCustomFields } from './custom-field.js';
import type { FileRecord } from './plan-file.js';

export interface RecordFile {
  readonly records: readonly FileRecord[];
  readonly table: TableFormat | undefined;
}

/** A kind whose records a file may contain. */
type FileKind = Pick<EditableKind<never>, 'noun' | 'type' | 'view' | 'relations' | 'field'> &
  ({ readonly create: WritingOperation } | Pick<EditableKind<never>, 'create' | 'update'>);

export interface RecordFileSpec {
  readonly kind: FileKind;
  /** The members by their alternative column names. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly more?: readonly InputColumn[];
  /** Converts additional members to input members, such as a circle to a shape. */
  readonly read?: (members: Members, where: string) => Members;
}

/** Reads the records of a file. Throws CliError USAGE that lists every invalid line. */
export async function loadRecords(
  run: ReportingRun,
  file: string,
  flags: InputFlags,
  records: RecordFileSpec,
): Promise<RecordFile> {
  const input = await loadInput(run, file, flags, recordColumns(records));
  return { records: parseRecords(run, input, records), table: input.table };
}

/** Returns the columns of a table: id, input members, and members with other operations. */
export function recordColumns({ kind, columns, more = [] }: RecordFileSpec): TableColumns {
  const id = { name: 'id', into: 'variables' } as const;
  return {
    references: [id],
    input: inputOf(kind),
    printed: { type: kind.type, views: [kind.view] },
    columns: { ...relatedColumns(kind), ...columns },
    more: [...relationsApart(kind), ...labelsOf(kind).map(([, label]) => ({ name: label, type: 'UUID' })), ...more],
    ...(kind.field === undefined ? {} : { open: FIELDS }),
  };
}

const FIELDS = 'customFields';

function inputOf(kind: FileKind): WritingOperation {
  return 'update' in kind ? (kind.create ?? kind.update) : kind.create;
}

function relationsApart(kind: FileKind): readonly InputColumn[] {
  const memberNames = new Set(membersOf(inputOf(kind).type).map(({ name }) => name));
  return Object.entries(kind.relations ?? {})
    .filter(([name]) => !memberNames.has(name))
    .map(([name, { list }]) => ({ name, type: list ? '[UUID!]' : 'UUID' }));
}

/** Returns other column names of relations, such as `assignedLabels.name` and `labels`. */
function relatedColumns(kind: FileKind): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(kind.relations ?? {}).flatMap(([member, { holder, list, label, kind: related }]) => {
      if (label !== undefined) return [];
      const other = related();
      const word = list ? other.plural : other.placeholder;
      return [
        ...(holder === null ? [] : [[`${holder}.name`, member] as const]),
        ...(other.noun === kind.noun ? [] : [[word, member] as const]),
      ];
    }),
  );
}

function labelsOf({ relations = {} }: FileKind): readonly (readonly [member: string, label: string])[] {
  return Object.entries(relations).flatMap(([member, { label }]) => (label === undefined ? [] : [[member, label]]));
}

export function parseRecords(
  run: ReportingRun,
  { lines, lineNumbers, problems }: Omit<Input, 'isList'>,
  { kind, read = (members) => members }: Pick<RecordFileSpec, 'kind' | 'read'>,
): readonly FileRecord[] {
  const { type } = inputOf(kind);
  const memberNames = new Set(membersOf(type).map(({ name }) => name));
  const apart = new Set([...Object.keys(kind.relations ?? {}), FIELDS].filter((name) => !memberNames.has(name)));
  const numbered = lines.map((source, index) => ({ source, index, line: lineNumbers?.[index] ?? index + 1 }));
  return mapAll(numbered, ({ source, index, line }): FileRecord => {
    const wrong = problems?.get(index);
    if (wrong) throw unreadable(line, wrong);
    const where = `line ${line}`;
    if (typeof source === 'string') {
      throw refusal(`${where}: a text is not a record.`, {
        hint: 'Give an object with the names that `list -o json` prints.',
      });
    }
    const { id, ...lineMembers } = source;
    if (id !== undefined && id !== null && typeof id !== 'string') {
      throw refusal(`${where}: the id is not a text.`);
    }
    const prefix = `${where}: `;
    const { members: named, labels } = takeLabels(kind, lineMembers, prefix);
    const rawMembers = read(named, prefix);
    const hasFields = kind.field !== undefined && rawMembers[FIELDS] !== undefined;
    const members = hasFields ? { ...rawMembers, [FIELDS]: readCustomFields(rawMembers[FIELDS], prefix) } : rawMembers;
    refuseMoves(kind, members, prefix);
    const ofType = Object.fromEntries(Object.entries(members).filter(([name]) => !apart.has(name)));
    checkInput(run, type, ofType, prefix);
    return { line, source, where, id: id || null, members, labels };
  });
}

/** Throws CliError USAGE for relative group changes: a file must give the same result again. */
function refuseMoves({ relations = {} }: FileKind, members: Members, where: string): void {
  const move = ['addGroupIds', 'removeGroupIds'].find((name) => members[name] !== undefined);
  if (move === undefined || !Object.hasOwn(relations, 'groupIds')) return;
  throw refusal(`${where}"${move}" is no member of a file.`, {
    hint: 'Give all groups as "groupIds", or use `groups --add --remove` of the noun.',
  });
}

/**
 * Replaces a missing id by the name, and returns names next to ids as labels.
 * @throws CliError USAGE when both are missing
 */
function takeLabels(
  kind: FileKind,
  rawMembers: Members,
  where: string,
): { readonly members: Members; readonly labels: Readonly<Record<string, string>> } {
  const members: Record<string, unknown> = { ...rawMembers };
  const labels: Record<string, string> = {};
  for (const [member, label] of labelsOf(kind)) {
    const { [label]: name, [member]: id } = members;
    delete members[label];
    if (isNothing(name) && isNothing(id)) {
      throw refusal(`${where}<${label}> is missing.`, { hint: `Give it in the line, as "${label}".` });
    }
    if (isNothing(id)) members[member] = name;
    else if (typeof name === 'string' && name !== '') labels[member] = name;
  }
  return { members, labels };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function unreadable(line: number, wrong: readonly string[]): CliError {
  return refusal(`line ${line}, ${wrong.join('; ')}.`, {
    hint: 'An empty cell is ignored, and null clears a member.',
  });
}

/** Maps all items; throws CliError USAGE that lists the errors of all of them. */
export function mapAll<Item, Result>(items: readonly Item[], map: (item: Item) => Result): readonly Result[] {
  const results: Result[] = [];
  const problems: CliError[] = [];
  for (const item of items) {
    try {
      results.push(map(item));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      problems.push(error);
    }
  }
  const [first] = problems;
  if (first === undefined) return results;
  throw problems.length === 1 ? first : combined(problems, items.length, first);
}

function combined(problems: readonly CliError[], count: number, { hint }: CliError): CliError {
  return refusal(`${problems.length} of ${count} lines cannot be used.`, {
    details: firstOf(problems.map(({ problem }) => problem)),
    hint,
  });
}
