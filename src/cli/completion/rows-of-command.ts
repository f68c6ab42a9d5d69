// Finds the fields of a command's rows, for the completion of --fields, --sort and --filter.
import type { Command } from 'commander';
import { type OperationName, operations } from '../../generated/operation-table.js';
import type { FieldSource } from '../shape/fields.js';

const views: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  status: () => import('../views/login-status.js').then(({ loginStatusFields }) => loginStatusFields),
  doctor: () => import('../views/doctor.js').then(({ doctorView }) => doctorView.fields),
  'users list': () => import('../views/user.js').then(({ userView }) => userView(null).fields),
  'profiles list': () => import('../views/profile.js').then(({ profileView }) => profileView.fields),
  'vehicles status': () => import('../views/status.js').then(({ statusView }) => statusView.fields),
  'vehicles near': () => import('../views/near.js').then(({ nearView }) => nearView.fields),
  'trips list': () => import('../views/trip.js').then(({ fleetTripView }) => fleetTripView.fields),
  'stops list': () => import('../views/stop.js').then(({ fleetStopView }) => fleetStopView.fields),
  'schema check': () => import('../views/schema.js').then(({ findingView }) => findingView.fields),
};

/** Commands whose rows are not those of the first operation in their description. */
const exceptions: Readonly<Record<string, OperationName | null>> = {
  'vehicles groups': 'getGroups',
  // A report defines its own columns.
  'reports run': null,
};

/** Returns the fields; null when unknown. `path`: names of noun and verb. */
export async function rowsOfCommand(path: readonly string[], command: Command): Promise<FieldSource | null> {
  const name = path.join(' ');
  const view = views[name];
  if (view) return { names: await view() };
  // A description names its operation in brackets, such as `(getVehicles)`.
  const operationName = name in exceptions ? exceptions[name] : /\(([A-Za-z]+)[^)]*\)/.exec(command.description())?.[1];
  const operation = Object.values(operations).find(({ name }) => name === operationName);
  if (!operation || operation.returns.leaf) return null;
  return { type: operation.returns.type };
}
