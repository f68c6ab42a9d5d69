// Reads names of people for rows with their ids. On failure, ids are printed (exit code 6).
import type { CallOptions, FleetClient } from '../../index.js';
import type { ReportingRun } from '../context/context.js';
import { fullName } from '../views/humanize.js';
import { allowPartial } from './allow-partial.js';
import { call } from './call.js';
import { refusalReason } from './refusal-reason.js';

/** Returns names by id; empty when they cannot be read. */
export async function driverNames(
  run: ReportingRun,
  client: FleetClient,
  options: CallOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, firstName: true, lastName: true } as const;
  try {
    const people = await allowPartial(run, (partial) =>
      call(client, 'getPeople', {}, { ...partial, ...options, select }),
    );
    return new Map(people.flatMap((person) => (person?.id && fullName(person) ? [[person.id, fullName(person)]] : [])));
  } catch (error) {
    const reason = refusalReason(run, error);
    run.report.partial({
      operation: 'getPeople',
      messages: [`The names of people could not be read, so drivers are shown by id: ${reason}`],
    });
    return new Map();
  }
}
