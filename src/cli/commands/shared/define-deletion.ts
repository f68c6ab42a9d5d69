// `delete` of a noun: deletes the records that arguments or --filter name, after a confirmation.
import type { Command } from 'commander';
import type { OperationName } from '../../../generated/operation-table.js';
import type { OpenContext } from '../../context/define-command.js';
import { change } from '../../plan/change.js';
import { referenceTo } from '../../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import { readNamedRecords } from '../../plan/named-records.js';
import type { EditableKind } from '../../records/record-kind.js';

interface Deletion<Row> {
  readonly kind: EditableKind<Row> & { readonly remove: OperationName };
  /** Kinds of names, for the help. */
  readonly names: string;
  readonly filters: boolean;
  readonly help: string;
}

export function defineDeletion<Row extends object>(
  noun: Command,
  open: OpenContext,
  { kind, names: texts, filters, help }: Deletion<Row>,
): void {
  const command = noun
    .command('delete')
    .description(`delete ${kind.plural} (${kind.remove})`)
    .argument(`[${kind.placeholder}...]`, `${texts}${filters ? '; leave out with --filter' : ''}`);
  addChangeFlags(command, { input: false, several: true });
  command.addHelpText('after', help).action((names: readonly string[], flags: ChangeFlags) => {
    const context = open();
    const { typed, chosen } = readNamedRecords(context, flags, names, kind, { filters });
    return change(context, flags, {
      operation: kind.remove,
      subject: { kind, action: 'delete' },
      input: null,
      references: [referenceTo(kind, typed)],
      chosen,
      flags: {},
      display: { deleted: kind.noun },
    });
  });
}
