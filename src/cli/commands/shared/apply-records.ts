// `apply` of a noun: makes its records match a file.
import type { Command } from 'commander';
import type { SelectionTree } from '../../../contract/selection/tree.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { carryOut } from '../../plan/carry-out.js';
import { customFieldsIn, findMisspelledField } from '../../plan/custom-field.js';
import { type ApplyFlags, addApplyFlags, planHelp, pruneRemarks } from '../../plan/flags.js';
import { loadRecords, type RecordFile, type RecordFileSpec } from '../../plan/load-records.js';
import { type FilePlan, type FileRecord, planRecords } from '../../plan/plan-file.js';
import { resolveReferences } from '../../plan/resolve-references.js';
import type { Members } from '../../records/differences.js';
import { type EditableKind, rowsIn } from '../../records/record-kind.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { mapViewFor } from '../../shape/map-view.js';
import { namesText } from '../../views/humanize.js';

interface ApplySpec<Row extends object> {
  readonly kind: EditableKind<Row>;
  readonly select?: SelectionTree;
  /** Warns about a new record that is valid but probably a mistake. */
  readonly warnOfNew?: (context: Context, members: Members, existing: readonly Row[]) => void;
}

interface ApplyCommand<Row extends object> extends ApplySpec<Row> {
  readonly input?: Omit<RecordFileSpec, 'kind'>;
  /** Default: create, change and delete records. */
  readonly description?: string;
  readonly file?: string;
}

export function defineApply<Row extends object>(
  noun: Command,
  open: () => Context,
  spec: ApplyCommand<Row>,
  help: string,
): void {
  const { plural, remove } = spec.kind;
  const command = noun
    .command('apply')
    .description(
      spec.description ??
        `make the ${plural} match a file: create, change and, with --prune, delete; safe to run again`,
    )
    .argument(
      '<file>',
      spec.file ??
        `csv, xlsx, tsv, JSON or YAML with the columns of \`${spec.kind.listCommand} -o csv\` (- for stdin); matched by id, else by name`,
    );
  addApplyFlags(command, remove === null ? null : `delete the ${plural} that are not in the file`);
  command.addHelpText('after', `${help}\n\n${planHelp}`).action(async (file: string, flags: ApplyFlags) => {
    const context = open();
    const input = { kind: spec.kind, ...spec.input };
    await applyRecords(context, file, flags, spec, await loadRecords(context, file, flags, input));
  });
}

export async function applyRecords<Row extends object>(
  context: Context,
  file: string,
  flags: ApplyFlags,
  { kind, select, warnOfNew }: ApplySpec<Row>,
  { records: fileRecords, table }: RecordFile,
): Promise<void> {
  mapViewFor(context, { map: undefined });
  const client = await connect(context);
  // Incomplete answers are refused: missing records would be created again.
  const listed = await wholeOf(context, (options) => call(client, kind.list, {}, { ...options, select }), 'changed');
  const existing = rowsIn(kind, listed).filter((row) => !isMarkedDeleted(row));
  if (kind.field !== undefined) refuseSimilarFields(context, kind, fileRecords, existing);
  const referred = await resolveReferences(context, client, kind, fileRecords, existing);
  const plan = planRecords(kind, referred.fileRecords, existing, {
    prune: flags.prune === true,
    names: referred.names,
  });
  const fromFile = new Map(referred.fileRecords.map(({ line, members }) => [line, members]));
  for (const { line, record } of plan.steps) {
    if (record.action === 'create' && line !== null) warnOfNew?.(context, fromFile.get(line) ?? {}, existing);
  }
  const remarks = [...respellingRemarks(plan), ...pruneRemarks(flags, plan.notInFile, kind)];
  const { steps } = plan;
  await carryOut(context, async () => client, { steps, table, remarks }, { ...flags, input: file });
}

/** Throws CliError USAGE for a custom field whose name nearly matches an existing one. */
function refuseSimilarFields(
  { report }: Context,
  { noun }: EditableKind<never>,
  fileRecords: readonly FileRecord[],
  existing: readonly object[],
): void {
  const fromFile = new Set(
    fileRecords.flatMap(({ members }) => customFieldsIn(members.customFields).map(({ name }) => name)),
  );
  for (const name of fromFile) {
    const fieldError = findMisspelledField(report, name, noun, existing);
    if (fieldError) throw refusal(fieldError.problem, { hint: fieldError.hint });
  }
}

/** Returns a remark on names that the file spells differently: they are not changed. */
function respellingRemarks({ respelled }: FilePlan): readonly string[] {
  if (respelled.length === 0) return [];
  const names = namesText(respelled.map(({ own, inFile }) => `"${inFile}" is "${own}"`));
  return [
    `Names that the file spells differently are not changed: ${names}. To rename a record, put its id in the line.`,
  ];
}
