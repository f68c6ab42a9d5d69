// `fleet rules`: shows event rules, which watch vehicles.
import { operations } from '../../generated/operation-table.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord } from '../context/print.js';
import { ruleKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { recordShape } from '../shape/list-shape.js';
import { ruleView } from '../views/rule.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(['fleet rules list', ''], ['fleet rules get "Long idling"', 'the vehicles and geofences it watches']),
  );
  defineList(noun, open, {
    description: 'list the event rules visible to the user (getRules)',
    help: examples(['fleet rules list --filter enabled=false', 'the disabled rules']),
    operation: 'getRules',
    view: ruleView,
    emptyText: 'No event rule is visible to this user.',
  });
  noun
    .command('get')
    .description('show one event rule (getRuleById)')
    .argument('<rule>', 'id or name, or a unique part of a name')
    .addHelpText('after', examples(['fleet rules get "Long idling" -o json', '']))
    .action((rule: string) => get(open(), rule));
};

async function get(context: Context, rule: string): Promise<void> {
  const shape = recordShape(context, ruleView, operations.getRuleById);
  const client = await connect(context);
  const found = await findRecord(context, client, ruleKind, rule, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
