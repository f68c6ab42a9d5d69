// `fleet people fields` and `set-field`: lists and sets the custom fields of a person.
import { operations } from '../../../generated/operation-table.js';
import { change } from '../../change/change.js';
import { idsOf } from '../../change/change-spec.js';
import { customFieldInput, explainRefusal } from '../../change/custom-field.js';
import { addChangeFlags, type ChangeFlags } from '../../change/flags.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { personKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { listShape } from '../../shape/list-shape.js';
import { customFieldView } from '../../views/custom-field.js';

export const definePersonFields: DefineCommand = (noun, open) => {
  noun
    .command('fields')
    .description('list the custom fields of a person (getPersonCustomFields)')
    .argument('<person>', 'id, name, e-mail or employee id, or a unique part of a name or e-mail')
    .addHelpText('after', examples(['fleet people fields "Anna Lind"', '']))
    .action((person: string) => list(open(), person));

  const set = noun
    .command('set-field')
    .description('set a custom field of a person (updatePersonCustomField)')
    .argument('[person]', 'id, or the whole name, e-mail or employee id; leave out with --input')
    .argument('[name]', 'name of the field, as in `fleet people fields`')
    .argument('[value]', 'new value; an empty one, "", clears the field');
  addChangeFlags(set, { takesInput: true, confirms: false });
  set
    .addHelpText(
      'after',
      examples(
        ['fleet people set-field "Anna Lind" Department Garage', ''],
        ['fleet people set-field "Anna Lind" Department ""', 'clear the field'],
        ['fleet people set-field --input fields.ndjson', 'several: {"personId": …, "name": …, "value": …} per line'],
      ),
    )
    .action((person: string | undefined, name: string | undefined, value: string | undefined, flags: ChangeFlags) =>
      setField(open(), person, name, value, flags),
    );
};

async function setField(
  context: Context,
  person: string | undefined,
  name: string | undefined,
  value: string | undefined,
  flags: ChangeFlags,
): Promise<void> {
  const spec = {
    operation: 'updatePersonCustomField',
    sets: true,
    printed: { type: 'CustomField', views: [customFieldView] },
    references: [
      { name: 'personId', into: 'variables', resolve: idsOf(personKind), typed: person, requiredAs: '<person>' },
    ],
    ...customFieldInput(name, value),
    display: { view: customFieldView },
  } as const;
  try {
    await change(context, flags, spec);
  } catch (error) {
    if (person === undefined || name === undefined || flags.dryRun) throw error;
    throw await explainRefusal(context, error, name, () => fieldNames(context, person));
  }
}

async function fieldNames(context: Context, person: string): Promise<readonly string[]> {
  const client = await connect(context);
  const personId = await findId(context, client, personKind, person, { substring: false });
  const fields = await client.getPersonCustomFields({ personId }, { signal: context.io.signal });
  return fields.flatMap(({ name }) => name ?? []);
}

async function list(context: Context, person: string): Promise<void> {
  const shape = listShape(context, customFieldView, operations.getPersonCustomFields);
  const client = await connect(context);
  const personId = await findId(context, client, personKind, person, { substring: true });
  const fields = await allowPartial(context, (options) =>
    call(client, 'getPersonCustomFields', { personId }, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(fields), shape.view, 'This person has no custom fields.');
}
