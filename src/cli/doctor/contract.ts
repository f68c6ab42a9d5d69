// Whether the live service still is what this program was made for, in one line.
import { checkSchema, type FleetClient } from '../../index.js';
import { broken, type Finding, fine, warning } from './check.js';

const MOST_NAMED = 5;

export async function lookAtContract(client: FleetClient, signal: AbortSignal): Promise<Finding> {
  const { source, operations, assumptions } = await checkSchema(client, { signal });
  const breaks = operations.filter(({ status }) => status === 'breaks').map(({ operation }) => operation);
  const unknown = operations.filter(({ status }) => status === 'unknown').length;
  const refuted = assumptions.filter(({ status }) => status === 'refuted').length;
  const next = 'See `fleet schema check`.';
  if (breaks.length > 0) {
    const named = breaks.slice(0, MOST_NAMED).join(', ');
    const more = breaks.length > MOST_NAMED ? ` and ${breaks.length - MOST_NAMED} more` : '';
    return broken('GRAPHQL', `${breaks.length} of ${operations.length} operations break: ${named}${more}`, next);
  }
  const how = source === 'introspection' ? '' : ', each asked for: the service does not describe itself';
  const works = `${operations.length - unknown} of ${operations.length} operations work${how}`;
  if (refuted > 0) return warning(`${works}; ${refuted} guesses of this program are wrong`, next);
  return fine(works);
}
