// Reads a list for each vehicle. The client sends waiting calls together, in documents of up to 50.

import type { CallOptions } from 'fleet-telematics';
import { FleetError, ProtocolError } from 'fleet-telematics';
import { type ListAnswer, readWhole, type SyncPart } from './parts.js';
import type { ReportWriter } from './report.js';

const CALLS_AT_ONCE = 100;

export interface VehicleLists {
  readonly part: SyncPart;
  readonly vehicleIds: readonly string[];
  readonly reporter: ReportWriter;
  readonly signal: AbortSignal | undefined;
}

/** Returns the answer of each vehicle that could be read. Reports failures and gaps. */
export async function readByVehicle(
  { part, vehicleIds, reporter, signal }: VehicleLists,
  read: (vehicleId: string, options: CallOptions) => Promise<readonly unknown[]>,
): Promise<ReadonlyMap<string, ListAnswer>> {
  const answers = new Map<string, ListAnswer>();
  let records = 0;
  const readOne = async (vehicleId: string) => {
    try {
      const answer = await readWhole((own) => read(vehicleId, own), { priority: 'low', signal });
      answers.set(vehicleId, answer);
      records += answer.records.length;
      if (answer.gap !== null) reporter.failed(part, vehicleId, new ProtocolError(answer.gap));
    } catch (error) {
      if (!isPartFailure(error)) throw error;
      reporter.failed(part, vehicleId, error);
    }
  };
  await inGroups(vehicleIds, async (some, done) => {
    await Promise.all(some.map(readOne));
    reporter.progress(part, records, done / vehicleIds.length);
  });
  return answers;
}

/** Works through a list in groups of `CALLS_AT_ONCE`. `done` is the item count after the group. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (some: readonly Item[], done: number) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += CALLS_AT_ONCE) {
    const some = items.slice(at, at + CALLS_AT_ONCE);
    await work(some, at + some.length);
  }
}

/** Returns true when the rest of the sync can continue after the error. */
export function isPartFailure(error: unknown): error is FleetError {
  return FleetError.is(error) && ['GRAPHQL', 'PROTOCOL', 'RESPONSE_TOO_LARGE'].includes(error.code);
}
