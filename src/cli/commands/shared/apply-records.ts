// `apply` of a noun: makes its records those of a file.
import type { Command } from 'commander';
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { FleetClient } from '../../../index.js';
import { type ApplyFlags, addApplyFlags, leftAlone, planHelp } from '../../apply/flags.js';
import { loadWanted, type WantedFile, type WantedInput } from '../../apply/load-wanted.js';
import { type FileRecord, planRecords, type Target } from '../../apply/plan-records.js';
import type { Members } from '../../change/change-spec.js';
import { requireConfirmable, wholePlan } from '../../change/confirm.js';
import { withNames } from '../../change/record-change.js';
import { carryOutRecords } from '../../change/record-plan.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { ListOperation } from '../../find/kind.js';
import { isMarkedDeleted } from '../../shape/deleted.js';

export interface ApplySpec<Row extends object> {
  readonly target: Target<Row>;
  readonly list: ListOperation;
  /** What is read of each record; default: the default selection. */
  readonly select?: SelectionTree;
  /** Replaces names in members by ids, and puts the records into the order in which they can be made. */
  readonly refer?: (
    wanted: readonly FileRecord[],
    known: readonly Row[],
    context: Context,
    client: FleetClient,
  ) => Referred | Promise<Referred>;
  /** Warns of a new record of the file that the service takes, and that is probably not what was meant. */
  readonly tellOfNew?: (context: Context, members: Members, known: readonly Row[]) => void;
}

export interface Referred {
  readonly wanted: readonly FileRecord[];
  /** The names of the records that members refer to, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

export interface ApplyCommand<Row extends object> extends ApplySpec<Row> {
  readonly input: WantedInput;
  /** What the command does, and what its file may be; default: for records that can be created and deleted. */
  readonly description?: string;
  readonly file?: string;
}

/** `help`: the examples. */
export function defineApply<Row extends object>(
  noun: Command,
  open: () => Context,
  spec: ApplyCommand<Row>,
  help: string,
): void {
  const { plural, remove } = spec.target;
  const command = noun
    .command('apply')
    .description(
      spec.description ??
        `make the ${plural} those of a file: create, change and, with --prune, delete; safe to run again`,
    )
    .argument(
      '<file>',
      spec.file ??
        'csv, xlsx, tsv, JSON or YAML with the names that `create --skeleton` prints (- for stdin); matched by id, else by name',
    );
  addApplyFlags(command, remove === null ? null : `delete the ${plural} that are not in the file`);
  command.addHelpText('after', `${help}\n\n${planHelp}`).action(async (file: string, flags: ApplyFlags) => {
    const context = open();
    requireConfirmable(context, flags, wholePlan);
    await applyRecords(context, file, flags, spec, await loadWanted(context, file, flags, spec.input));
  });
}

export async function applyRecords<Row extends object>(
  context: Context,
  file: string,
  flags: ApplyFlags,
  { target, list, select, refer, tellOfNew }: ApplySpec<Row>,
  { wanted, table }: WantedFile,
): Promise<void> {
  const client = await connect(context);
  // What is missing from an incomplete answer would be created again.
  const rows = await wholeOf(context, (options) => call(client, list, {}, { ...options, select }), 'changed');
  // The Row of a target is the row of its list operation.
  const known = (rows as readonly unknown[] as readonly Row[]).filter((row) => !isMarkedDeleted(row));
  const referred = (await refer?.(wanted, known, context, client)) ?? { wanted, names: new Map() };
  const plan = planRecords(target, referred.wanted, known, { prune: flags.prune === true });
  const given = new Map(referred.wanted.map(({ line, members }) => [line, members]));
  for (const { line, record } of plan.steps) {
    if (record.action === 'create' && line !== null) tellOfNew?.(context, given.get(line) ?? {}, known);
  }
  const steps = plan.steps.map((step) => {
    const { record } = step;
    return { ...step, record: { ...record, changes: withNames(record.changes, referred.names) } };
  });
  const remarks = leftAlone(flags, plan.notInFile, target);
  await carryOutRecords(context, client, { steps, table, remarks }, { ...flags, input: file });
}
