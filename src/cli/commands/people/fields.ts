// `fleet people fields` and `set-field`: lists and sets the custom fields of a person.
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { printRows } from '../../context/print.js';
import { listOf } from '../../find/parts.js';
import { personKind } from '../../records/person.js';
import { listShape } from '../../shape/list-shape.js';
import { customFieldView } from '../../views/custom-field.js';
import { defineSetField } from '../shared/define-set-field.js';

export const definePersonFields: DefineCommand = (noun, open) => {
  noun
    .command('fields')
    .description('list the custom fields of a person (getPersonCustomFields)')
    .argument('<person>', 'id, name, e-mail or employee id, or a unique part of a name or e-mail (on a terminal)')
    .addHelpText('after', examples(['fleet people fields "Anna Lind"', '']))
    .action((person: string) => list(open(), person));

  defineSetField(noun, open, {
    kind: personKind,
    description: 'set a custom field of a person (updatePersonCustomField)',
    argument: ['[person]', 'id, or the whole name, e-mail or employee id; leave out with --input'],
    listVerb: 'fleet people fields',
    help: examples(
      ['fleet people set-field "Anna Lind" Department Garage', ''],
      ['fleet people set-field "Anna Lind" Department ""', 'clear the field'],
    ),
    read: (client, personId, options) => client.getPersonCustomFields({ personId }, options),
  });
};

async function list(context: Context, person: string): Promise<void> {
  const shape = listShape(context, customFieldView, operations.getPersonCustomFields);
  const client = await connect(context);
  const fields = await listOf(context, client, personKind, person, (personId, own) =>
    allowPartial(own, (options) =>
      call(client, 'getPersonCustomFields', { personId }, { ...options, ...shape.options }),
    ),
  );
  await printRows(context, shape.rows(fields), shape.view, 'This person has no custom fields.');
}
