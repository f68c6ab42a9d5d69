// Reads the records of a file: a table, JSON or YAML.

import { type InputColumn, printedOf } from '../change/change-spec.js';
import { checkInput } from '../change/check-input.js';
import { linePrefix, mapAll, unreadable } from '../change/draft-changes.js';
import { type InputFlags, loadInput } from '../change/load-input.js';
import type { Input, TableFormat } from '../change/read-input.js';
import type { TableColumns } from '../change/table/columns.js';
import type { ReportingRun } from '../context/context.js';
import { refusal } from '../errors/cli-error.js';
import type { Members } from '../records/differences.js';
import type { EditableKind } from '../records/record-kind.js';
import type { FileRecord } from './plan-records.js';

export interface WantedFile {
  readonly wanted: readonly FileRecord[];
  /** The format of the file, when it is a table. */
  readonly table: TableFormat | undefined;
}

/** How the lines of a file describe records. */
export interface WantedInput {
  readonly kind: EditableKind<never>;
  readonly columns?: Readonly<Record<string, string>>;
  readonly more?: readonly InputColumn[];
  readonly open?: string;
  /** Puts members of the input in the place of others, such as a circle in that of its centre. `where`: for messages. */
  readonly read?: (members: Members, where: string) => Members;
  /** Members that are none of the input type. */
  readonly apart?: readonly string[];
}

/** @throws CliError USAGE that lists every line that cannot be used */
export async function loadWanted(
  run: ReportingRun,
  file: string,
  flags: InputFlags,
  wanted: WantedInput,
): Promise<WantedFile> {
  const input = await loadInput(run, file, flags, wantedColumns(wanted));
  return { wanted: wantedOf(run, input, wanted), table: input.table };
}

/** The columns of a table: the id, and the members of the input. */
export function wantedColumns({ kind, columns, more, open }: WantedInput): TableColumns {
  const id = { name: 'id', into: 'variables', typed: undefined, requiredAs: null, kind: null } as const;
  return {
    references: [id],
    input: kind.create ?? kind.update,
    printed: printedOf(kind),
    ...(columns ? { columns } : {}),
    ...(more ? { more } : {}),
    ...(open ? { open } : {}),
  };
}

export function wantedOf(
  run: ReportingRun,
  { lines, lineNumbers, problems }: Input,
  { kind, read = (members) => members, apart = [] }: Pick<WantedInput, 'kind' | 'read' | 'apart'>,
): readonly FileRecord[] {
  const { type } = kind.create ?? kind.update;
  const numbered = lines.map((source, index) => ({ source, index, line: lineNumbers?.[index] ?? index + 1 }));
  return mapAll(numbered, ({ source, index, line }): FileRecord => {
    const wrong = problems?.get(index);
    if (wrong) throw unreadable(line, wrong);
    const where = `line ${line}`;
    if (typeof source === 'string') {
      throw refusal(`${where}: a text says nothing of a record.`, {
        hint: 'Give an object with the names that `list -o json` prints.',
      });
    }
    const { id, ...given } = source;
    if (id !== undefined && id !== null && typeof id !== 'string') {
      throw refusal(`${where}: the id is not a text.`);
    }
    const members = read(given, linePrefix(line, true));
    const ofType = Object.fromEntries(Object.entries(members).filter(([name]) => !apart.includes(name)));
    checkInput(run, type, ofType, linePrefix(line, true));
    return { line, source, where, id: id || null, members };
  });
}
