// `delete` of a noun: deletes the records that arguments, --filter or --input name, after a question.
import type { Command } from 'commander';
import type { OperationName } from '../../../generated/operation-table.js';
import { change } from '../../change/change.js';
import type { Printed, Reference } from '../../change/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { named } from '../../change/several.js';
import type { OpenContext } from '../../context/define-command.js';
import type { Kind } from '../../find/kind.js';
import type { View } from '../../output/view.js';

export interface Deletion<Row> {
  readonly kind: Kind<Row>;
  readonly operation: OperationName;
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  /** The end of the help text: the examples. */
  readonly help: string;
  readonly reference: (typed: string | undefined) => Reference;
  readonly printed: Printed;
  /** With it, --filter chooses records. */
  readonly view?: View<Row>;
}

export function defineDeletion<Row>(
  noun: Command,
  open: OpenContext,
  { kind, operation, description, argument, help, reference, printed, view }: Deletion<Row>,
): void {
  const command = noun
    .command('delete')
    .description(description)
    .argument(...argument);
  addChangeFlags(command, { takesInput: false, confirms: true });
  command.addHelpText('after', help).action((names: readonly string[], flags: ChangeFlags) => {
    const context = open();
    const { typed, chosen } = named(context, flags, names, { kind, ...(view ? { view } : {}) });
    return change(context, flags, {
      operation,
      subject: { kind: kind.noun, action: 'delete', type: printed.type },
      sets: true,
      printed,
      input: null,
      references: [reference(typed)],
      chosen,
      flags: {},
      display: { deleted: kind.noun },
    });
  });
}
