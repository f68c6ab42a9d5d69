// `set-field` of a noun: sets a custom field of a record, and names the existing ones when the service refuses it.
import type { Command } from 'commander';
import type { OperationName } from '../../../generated/operation-table.js';
import type { CallOptions, CustomField, FleetClient } from '../../../index.js';
import { change } from '../../change/change.js';
import type { Printed, Reference } from '../../change/change-spec.js';
import { customFieldInput, explainRefusal } from '../../change/custom-field.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { OpenContext } from '../../context/define-command.js';
import type { Kind } from '../../find/kind.js';
import { findId } from '../../find/record.js';
import { customFieldView } from '../../views/custom-field.js';

export interface FieldSetter<Row> {
  readonly kind: Kind<Row>;
  readonly operation: OperationName;
  readonly description: string;
  /** The argument that names the record. */
  readonly argument: readonly [name: string, description: string];
  /** The verb that lists the fields. */
  readonly listVerb: string;
  /** The end of the help text: the examples. */
  readonly help: string;
  readonly reference: (typed: string | undefined) => Reference;
  readonly printed: Printed['views'];
  readonly read: (client: FleetClient, id: string, options: CallOptions) => Promise<readonly CustomField[]>;
}

export function defineSetField<Row>(noun: Command, open: OpenContext, setter: FieldSetter<Row>): void {
  const command = noun
    .command('set-field')
    .description(setter.description)
    .argument(...setter.argument)
    .argument('[name]', `name of the field, as in \`${setter.listVerb}\``)
    .argument('[value]', 'new value; an empty one, "", clears the field');
  addChangeFlags(command, { takesInput: true, confirms: false });
  command
    .addHelpText('after', setter.help)
    .action((record: string | undefined, name: string | undefined, value: string | undefined, flags: ChangeFlags) =>
      setField(open(), setter, { record, name, value }, flags),
    );
}

interface TypedField {
  readonly record: string | undefined;
  readonly name: string | undefined;
  readonly value: string | undefined;
}

async function setField<Row>(
  context: Context,
  setter: FieldSetter<Row>,
  { record, name, value }: TypedField,
  flags: ChangeFlags,
): Promise<void> {
  try {
    await change(context, flags, {
      operation: setter.operation,
      sets: true,
      printed: { type: 'CustomField', views: setter.printed },
      references: [setter.reference(record)],
      ...customFieldInput(name, value),
      display: { view: customFieldView },
    });
  } catch (error) {
    if (record === undefined || name === undefined || flags.dryRun) throw error;
    throw await explainRefusal(context, error, name, () => fieldNames(context, setter, record));
  }
}

async function fieldNames<Row>(
  context: Context,
  { kind, read }: FieldSetter<Row>,
  record: string,
): Promise<readonly string[]> {
  const client = await connect(context);
  const id = await findId(context, client, kind, record, { substring: false });
  const fields = await read(client, id, { signal: context.io.signal });
  return fields.flatMap(({ name }) => name ?? []);
}
