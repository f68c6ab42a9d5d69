// Selects the records of one change, by arguments or --filter.
import { operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { refusal } from '../errors/cli-error.js';
import { findRecords } from '../find/record.js';
import { type RecordKind, recordId } from '../records/record-kind.js';
import { chosenRows } from '../shape/chosen-rows.js';
import type { ChangeFlags } from './flags.js';

/** The records to change: one as typed, or several of which all or none are changed. */
export interface NamedRecords {
  readonly typed: string | undefined;
  readonly chosen?: ((client: FleetClient) => Promise<readonly string[]>) | undefined;
}

/**
 * Reads the records to change from arguments, or from --filter if the command takes it.
 * @throws CliError USAGE when records are given in two ways
 */
export function readNamedRecords<Row extends object>(
  context: Context,
  flags: ChangeFlags,
  names: readonly string[],
  kind: RecordKind<Row>,
  { filters }: { readonly filters: boolean },
): NamedRecords {
  const { filter } = context.globals;
  const inputSources = [
    ...(names.length > 0 ? ['arguments'] : []),
    ...(filter !== undefined ? ['--filter'] : []),
    ...(flags.input !== undefined ? ['--input'] : []),
  ];
  // `draftChange` reports one argument beside --input.
  if (inputSources.length > 1 && (filter !== undefined || names.length > 1)) {
    throw refusal(`The ${kind.plural} are given twice: with ${inputSources.join(' and ')}.`);
  }
  if (filter !== undefined && filters) {
    const shape = chosenRows(context, kind.view, operations[kind.list], { fields: 'id', filter });
    return {
      typed: undefined,
      chosen: async (client) => {
        const ids: string[] = [];
        for await (const row of shape.rows(await findRecords(context, client, kind, [], shape.options))) {
          const id = recordId(row);
          if (id) ids.push(id);
        }
        return ids;
      },
    };
  }
  const [only, ...others] = names;
  if (others.length === 0) return { typed: only };
  return { typed: undefined, chosen: () => Promise.resolve([...new Set(names)]) };
}
