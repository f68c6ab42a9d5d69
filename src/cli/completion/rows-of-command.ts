// Which fields the rows of a command have, for completing --fields, --sort and --filter: those of the record that its operation
// returns, which its description names; or those of a view, where rows are no records of the contract.
import type { Command } from 'commander';
import { type OperationName, operations } from '../../generated/operation-table.js';
import type { FieldSource } from '../shape/fields.js';

const views: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  status: () => import('../commands/status.js').then(({ statusFields }) => statusFields),
  doctor: () => import('../views/doctor.js').then(({ doctorView }) => doctorView.fields),
  'users list': () => import('../views/user.js').then(({ userView }) => userView(null).fields),
  'profiles list': () => import('../views/profile.js').then(({ profileView }) => profileView.fields),
  'vehicles status': () => import('../views/status.js').then(({ statusView }) => statusView.fields),
  'trips list': () => import('../views/trip.js').then(({ tripView }) => tripView.fields),
  'schema check': () => import('../views/schema.js').then(({ findingView }) => findingView.fields),
};

/** Commands that show something else than what the first operation of their description returns. */
const others: Readonly<Record<string, OperationName | null>> = {
  'vehicles groups': 'getGroups',
  // Its columns are the report's own.
  'reports run': null,
};

/** `path`: the names of noun and verb. Null for a command whose rows have no fields to choose from. */
export async function rowsOfCommand(path: readonly string[], command: Command): Promise<FieldSource | null> {
  const name = path.join(' ');
  const view = views[name];
  if (view) return { names: await view() };
  const said = name in others ? others[name] : /\(([A-Za-z]+)[^)]*\)/.exec(command.description())?.[1];
  const operation = Object.values(operations).find(({ name }) => name === said);
  if (!operation || operation.returns.leaf) return null;
  return { type: operation.returns.type };
}
