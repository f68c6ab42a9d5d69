// `fleet groups get`: one group as a record, several as a list, with the vehicles of the groups below them. The service has no operation for one.
import { operations } from '../../../generated/operation-table.js';
import type { Group } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import { listRows } from '../../connection/list-rows.js';
import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { formatOf, printRecord, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { idsIn } from '../../find/membership.js';
import { groupKind } from '../../records/group.js';
import { listShape, recordShape } from '../../shape/list-shape.js';
import { severalHelp } from '../shared/get-records.js';
import { arrangedGroups } from './arranged.js';

export const defineGetGroups: DefineCommand = (noun, open) => {
  noun
    .command('get')
    .description('show groups (getGroups)')
    .argument('[group...]', 'ids or names, or unique parts of names (on a terminal); default: all')
    .addHelpText(
      'after',
      `${examples(
        ['fleet groups get "Long haul"', ''],
        ['fleet groups get "Long haul" -o json', 'with the ids of its own vehicles'],
        ['fleet groups get "Long haul" Deliveries -o json', 'as an array, in this order'],
      )}${severalHelp}`,
    )
    .action((names: readonly string[]) => get(open(), names));
};

async function get(context: Context, names: readonly string[]): Promise<void> {
  const isOne = names.length === 1;
  const operation = operations.getGroups;
  const shape = isOne ? recordShape(context, groupKind.view, operation) : listShape(context, groupKind.view, operation);
  const client = await connect(context);
  // Names are found among all groups, whatever --fields asks for.
  const all: Group[] = [];
  for await (const group of await listRows(context, client, 'getGroups', {})) all.push(group);
  const rows = formatOf(context).forPeople && context.globals.fields === undefined ? arrangedGroups(all, true) : all;
  const ids = names.length === 0 ? null : [...new Set(idsIn(context, groupKind, all, names))];
  const found =
    ids === null
      ? rows
      : ids.map((id) => {
          const group = rows.find((row) => row.id === id);
          if (group) return group;
          throw new CliError('NOT_FOUND', `There is no group with the id ${id}.`, {
            hint: '`fleet groups list` lists all of them.',
          });
        });
  const [only] = found;
  if (isOne && only) return printRecord(context, shape.record(only), shape.view);
  await printRows(context, shape.rows(found), shape.view, 'No group is visible to this user.');
}
