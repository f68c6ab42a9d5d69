// `fleet rules`: event rules, which watch vehicles.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { ruleKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRecord, printRows } from '../run/context.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { ruleView } from '../views/rule.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(['fleet rules list', ''], ['fleet rules get "Long idling"', 'which vehicles and geofences it watches']),
  );
  noun
    .command('list')
    .description('list the event rules visible to the user (getRules)')
    .addHelpText('after', examples(['fleet rules list --filter enabled=false', 'those that are switched off']))
    .action(() => list(open()));
  noun
    .command('get')
    .description('show one event rule (getRuleById)')
    .argument('<rule>', 'id or name, or a part of a name that fits a single one')
    .addHelpText('after', examples(['fleet rules get "Long idling" -o json', '']))
    .action((rule: string) => get(open(), rule));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, ruleView, operations.getRules);
  const client = await connect(context);
  const rules = await tolerate(context, (options) => call(client, 'getRules', {}, { ...options, ...shape.options }));
  await printRows(context, shape.rows(rules), shape.view, 'No event rule is visible to this user.');
}

async function get(context: Context, rule: string): Promise<void> {
  const shape = recordShape(context, ruleView, operations.getRuleById);
  const client = await connect(context);
  const found = await findRecord(context, client, ruleKind, rule, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
