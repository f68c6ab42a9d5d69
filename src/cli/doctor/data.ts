// Reads one field of every list: a service may describe its schema and still fail on all queries.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { FleetError } from '../../core/errors.js';
import type { FleetClient } from '../../index.js';
import { call } from '../connection/call.js';
import { CliError } from '../errors/cli-error.js';
import type { ListOperation } from '../records/record-kind.js';
import { type CheckFinding, findingOf, ok, warning } from './check.js';

const lists: Readonly<Record<ListOperation, SelectionTree>> = {
  getVehicles: { id: true },
  getActiveVehicles: { id: true },
  getGeofences: { id: true },
  getGroups: { id: true },
  getLabels: { id: true },
  getMetaSensors: { name: true },
  getPeople: { id: true },
  getRoles: { id: true },
  getRules: { id: true },
  getUserInfo: { userId: true },
  getVehicleTypes: { id: true },
  getWorkSchedules: { id: true },
};

/** Checks that the lists can be read. Throws an error that is not a missing permission. */
export async function checkData(
  client: FleetClient,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): Promise<CheckFinding> {
  // Safe cast: the keys of the record are its type.
  const names = Object.keys(lists) as readonly ListOperation[];
  const answers = await Promise.allSettled(
    names.map((name) => call(client, name, {}, { signal, select: lists[name] })),
  );
  const failures = answers.flatMap((answer, index) =>
    answer.status === 'rejected' ? [{ name: names[index] ?? '', error: answer.reason as unknown }] : [],
  );
  const [first] = failures;
  if (first === undefined) return ok(`${names.length} of ${names.length} lists can be read`);
  if (failures.length === names.length) throw first.error;
  for (const { error } of failures) if (!isRefusal(error)) throw error;
  const refused = failures.map(({ name }) => name).join(', ');
  return warning(
    `${names.length - failures.length} of ${names.length} lists can be read; refused: ${refused}. ${findingOf(first.error, timeoutMs).detail}`,
    'If this user should see them, ask the administrator of the account.',
  );
}

/** True when the user may not read the list. */
function isRefusal(error: unknown): boolean {
  return (error instanceof FleetError || error instanceof CliError) && error.code === 'GRAPHQL';
}
