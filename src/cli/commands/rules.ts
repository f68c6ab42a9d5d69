// `fleet rules`: shows event rules, which watch vehicles.
import { type DefineCommand, examples } from '../context/define-command.js';
import { ruleKind } from '../find/kinds.js';
import { ruleView } from '../views/rule.js';
import { defineList } from './shared/define-list.js';
import { getRecords, severalHelp } from './shared/get-records.js';

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
    .description('show event rules (getRuleById; several: getRules)')
    .argument('[rule...]', 'ids or names, or unique parts of names; default: all')
    .addHelpText('after', `${examples(['fleet rules get "Long idling" -o json', ''])}${severalHelp}`)
    .action((names: readonly string[]) => getRecords(open(), { kind: ruleKind, view: ruleView }, names));
};
