// `set-field` of a noun: sets a custom field of a record. A refusal lists the existing fields.
import type { Command } from 'commander';
import type { OperationName } from '../../../generated/operation-table.js';
import type { CallOptions, CustomField, FleetClient } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { OpenContext } from '../../context/define-command.js';
import { CliError } from '../../errors/cli-error.js';
import { findId } from '../../find/record.js';
import { change } from '../../plan/change.js';
import { referenceTo } from '../../plan/change-spec.js';
import { customFieldInput, explainRefusal, fieldSubject, findMisspelledField } from '../../plan/custom-field.js';
import { addChangeFlags, type ChangeFlags } from '../../plan/flags.js';
import type { NamedRecords } from '../../plan/named-records.js';
import type { EditableKind } from '../../records/record-kind.js';
import { customFieldView } from '../../views/custom-field.js';

interface FieldSetter<Row> {
  readonly kind: EditableKind<Row> & { readonly field: OperationName };
  readonly description: string;
  readonly argument: readonly [name: string, description: string];
  readonly listVerb: string;
  readonly help: string;
  /** Flags that choose several records. The arguments are then only the field and its value. */
  readonly several?: {
    readonly addFlags: (command: Command) => void;
    readonly areChosen: (context: Context, flags: ChangeFlags) => boolean;
    readonly named: (context: Context, names: readonly string[], flags: ChangeFlags) => NamedRecords;
  };
  readonly read: (client: FleetClient, id: string, options: CallOptions) => Promise<readonly CustomField[]>;
}

export function defineSetField<Row extends object>(noun: Command, open: OpenContext, setter: FieldSetter<Row>): void {
  const command = noun
    .command('set-field')
    .description(setter.description)
    .argument(...setter.argument)
    .argument('[name]', `name of the field, as in \`${setter.listVerb}\``)
    .argument('[value]', 'new value; an empty one, "", clears the field');
  addChangeFlags(command, { several: setter.several !== undefined });
  setter.several?.addFlags(command);
  command
    .addHelpText('after', setter.help)
    .action((first: string | undefined, second: string | undefined, third: string | undefined, flags: ChangeFlags) => {
      const context = open();
      // Three arguments include a record, which is an error together with the flags.
      const isByFlags = third === undefined && (setter.several?.areChosen(context, flags) ?? false);
      const typed = isByFlags
        ? { record: undefined, name: first, value: second }
        : { record: first, name: second, value: third };
      return setField(context, setter, typed, flags);
    });
}

interface TypedField {
  readonly record: string | undefined;
  readonly name: string | undefined;
  readonly value: string | undefined;
}

async function setField<Row extends object>(
  context: Context,
  setter: FieldSetter<Row>,
  { record, name, value }: TypedField,
  flags: ChangeFlags,
): Promise<void> {
  const records = record === undefined ? [] : [record];
  const { typed, chosen } = setter.several?.named(context, records, flags) ?? { typed: record };
  try {
    await change(context, flags, {
      operation: setter.kind.field,
      subject: fieldSubject(setter.kind),
      references: [referenceTo(setter.kind, typed)],
      ...customFieldInput(name, value),
      contradiction: (input, { records }) => {
        const rows = [...records.values()].map(({ row }) => row);
        const fieldError = findMisspelledField(context.report, String(input.name), setter.kind.noun, rows);
        return fieldError && new CliError('NOT_FOUND', fieldError.problem, { undone: 'sent', hint: fieldError.hint });
      },
      chosen,
      display: {
        view: customFieldView,
        present: ({ variables }) => ({ name: null, value: null, ...Object(variables.field) }),
      },
    });
  } catch (error) {
    if (record === undefined || name === undefined || flags.dryRun) throw error;
    throw await explainRefusal(context, error, name, () => fieldNames(context, setter, record));
  }
}

async function fieldNames<Row extends object>(
  context: Context,
  { kind, read }: FieldSetter<Row>,
  record: string,
): Promise<readonly string[]> {
  const client = await connect(context);
  const id = await findId(context, client, kind, record, { substring: false });
  const fields = await read(client, id, { signal: context.io.signal });
  return fields.flatMap(({ name }) => name ?? []);
}
