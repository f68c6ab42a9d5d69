// Reads the records of a file: a table, JSON or YAML with the names of --skeleton.

import type { Printed } from '../change/change-spec.js';
import { checkInput } from '../change/check-input.js';
import { linePrefix, mapAll, unreadable } from '../change/draft-changes.js';
import { type Columns, type InputFlags, loadInput } from '../change/load-input.js';
import type { Input, TableFormat } from '../change/read-input.js';
import type { ReportingRun } from '../context/context.js';
import { refusal } from '../errors/cli-error.js';
import type { FileRecord } from './plan-records.js';

export interface WantedFile {
  readonly wanted: readonly FileRecord[];
  /** The format of the file, when it is a table. */
  readonly table: TableFormat | undefined;
}

/** `type` is the input type of the records. @throws CliError USAGE that lists every line that cannot be used */
export async function loadWanted(
  run: ReportingRun,
  file: string,
  flags: InputFlags,
  type: string,
  printed: Printed,
): Promise<WantedFile> {
  const input = await loadInput(run, file, flags, wantedColumns(type, printed), true);
  return { wanted: wantedOf(run, input, type), table: input.table };
}

/** The columns of a table: the id, and the members of the input. */
export function wantedColumns(type: string, printed: Printed): Columns {
  const id = { name: 'id', into: 'variables', typed: undefined, requiredAs: null, resolve: async () => [] } as const;
  return { references: [id], input: { variable: '', type }, printed };
}

export function wantedOf(
  run: ReportingRun,
  { lines, lineNumbers, problems }: Input,
  type: string,
): readonly FileRecord[] {
  const numbered = lines.map((source, index) => ({ source, index, line: lineNumbers?.[index] ?? index + 1 }));
  return mapAll(numbered, ({ source, index, line }): FileRecord => {
    const wrong = problems?.get(index);
    if (wrong) throw unreadable(line, wrong);
    const where = `line ${line}`;
    if (typeof source === 'string') {
      throw refusal(`${where}: a text says nothing of a record.`, {
        hint: 'Give an object; the --skeleton of `create` shows its form.',
      });
    }
    const { id, ...members } = source;
    if (id !== undefined && id !== null && typeof id !== 'string') {
      throw refusal(`${where}: the id is not a text.`);
    }
    checkInput(run, type, members, linePrefix(line, true));
    return { line, source, where, id: id || null, members };
  });
}
