// Lists parts of one record, such as its custom fields.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { Report } from '../context/report.js';
import { CliError } from '../errors/cli-error.js';
import type { RecordKind } from '../records/record-kind.js';
import { findId, findRecord } from './record.js';

/** Returns the parts of the named record. Throws CliError NOT_FOUND for an unknown id too. */
export async function listOf<Row extends object, Part>(
  context: Context,
  client: FleetClient,
  kind: RecordKind<Row>,
  text: string,
  read: (id: string, context: Context) => Promise<readonly Part[]>,
): Promise<readonly Part[]> {
  const id = await findId(context, client, kind, text, { substring: true });
  // An error about a missing record replaces the reports about its parts.
  const own = new Report();
  const requireRecord = () =>
    findRecord({ ...context, report: own }, client, kind, id, { substring: false, select: { id: true } });
  const parts = await read(id, { ...context, report: own }).catch(async (error: unknown) => {
    if (error instanceof CliError && error.code === 'PROTOCOL') await requireRecord();
    throw error;
  });
  if (parts.length === 0) await requireRecord();
  context.report.add(own);
  return parts;
}
