// `apply` of a noun: makes its records those of a file.
import type { Command } from 'commander';
import type { FieldChange } from '../../../sync/compare-records.js';

import { type ApplyFlags, addApplyFlags, planHelp } from '../../apply/flags.js';
import { loadWanted, type WantedFile } from '../../apply/load-wanted.js';
import { type FileRecord, planRecords, type Target } from '../../apply/plan-records.js';
import { carryOutRecords } from '../../apply/record-plan.js';
import type { Printed } from '../../change/change-spec.js';
import { requireConfirmable, wholePlan } from '../../change/confirm.js';
import { wholeOf } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { ListOperation } from '../../find/kind.js';
import { isMarkedDeleted } from '../../shape/deleted.js';

export interface ApplySpec<Row extends object> {
  readonly target: Target<Row>;
  readonly list: ListOperation;
  /** The input type of a new record. */
  readonly type: string;
  /** What lists print of the records. */
  readonly printed: Printed;
  /** Replaces names in members by ids, and puts the records into the order in which they can be made. */
  readonly refer?: (wanted: readonly FileRecord[], known: readonly Row[], context: Context) => readonly FileRecord[];
  /** A change as people read it: names in place of ids. */
  readonly shown?: (change: FieldChange, known: readonly Row[]) => FieldChange;
}

/** `help`: the examples. */
export function defineApply<Row extends object>(
  noun: Command,
  open: () => Context,
  spec: ApplySpec<Row>,
  help: string,
): void {
  const { plural } = spec.target;
  const command = noun
    .command('apply')
    .description(`make the ${plural} those of a file: create, change and, with --prune, delete; safe to run again`)
    .argument(
      '<file>',
      'csv, tsv, JSON or YAML with the names that `create --skeleton` prints (- for stdin); matched by id, else by name',
    );
  addApplyFlags(command, `delete the ${plural} that are not in the file`);
  command.addHelpText('after', `${help}\n\n${planHelp}`).action(async (file: string, flags: ApplyFlags) => {
    const context = open();
    requireConfirmable(context, flags, wholePlan);
    await applyRecords(context, file, flags, spec, await loadWanted(context, file, flags, spec.type, spec.printed));
  });
}

export async function applyRecords<Row extends object>(
  context: Context,
  file: string,
  flags: ApplyFlags,
  { target, list, refer, shown }: Omit<ApplySpec<Row>, 'type' | 'printed'>,
  { wanted, table }: WantedFile,
): Promise<void> {
  const client = await connect(context);
  // What is missing from an incomplete answer would be created again.
  const rows = await wholeOf(context, (options) => call(client, list, {}, options), 'changed');
  // The Row of a target is the row of its list operation.
  const known = (rows as readonly unknown[] as readonly Row[]).filter((row) => !isMarkedDeleted(row));
  const plan = planRecords(target, refer ? refer(wanted, known, context) : wanted, known, {
    prune: flags.prune === true,
  });
  const told = shown
    ? plan.map((step) => ({ ...step, changes: step.changes.map((change) => shown(change, known)) }))
    : plan;
  await carryOutRecords(context, client, { steps: told, table }, { ...flags, input: file });
}
