// Checks that the live service follows the contract of this program, in one line.
import { checkSchema } from '../../check-schema.js';
import type { FleetClient } from '../../index.js';
import { type CheckFinding, failed, ok, warning } from './check.js';

const MAX_BROKEN_OPERATIONS = 5;

export async function checkContract(client: FleetClient, signal: AbortSignal): Promise<CheckFinding> {
  const { source, operations, assumptions } = await checkSchema(client, { signal });
  const broken = operations.filter(({ status }) => status === 'breaks');
  const breaks = broken.map(({ operation }) => operation);
  const unknown = operations.filter(({ status }) => status === 'unknown').length;
  const refuted = assumptions.filter(({ status }) => status === 'refuted').length;
  const next = 'See `fleet schema check`.';
  // A service with a changed contract would still answer some operations.
  if (source === 'probing' && breaks.length > 0 && breaks.length + unknown === operations.length) {
    const [reason = 'no reason was given'] = broken[0]?.reasons ?? [];
    return failed(
      'GRAPHQL',
      `none of ${operations.length} operations is answered as the contract says: ${reason}`,
      'Check that the address is that of the service, and ask its operator.',
    );
  }
  if (breaks.length > 0) {
    const names = breaks.slice(0, MAX_BROKEN_OPERATIONS).join(', ');
    const more = breaks.length > MAX_BROKEN_OPERATIONS ? ` and ${breaks.length - MAX_BROKEN_OPERATIONS} more` : '';
    return failed('GRAPHQL', `${breaks.length} of ${operations.length} operations break: ${names}${more}`, next);
  }
  const how = source === 'introspection' ? '' : ', each tried: the service does not describe its schema';
  const works = `${operations.length - unknown} of ${operations.length} operations work${how}`;
  if (refuted > 0) return warning(`${works}; ${refuted} assumptions of this program are wrong`, next);
  return ok(works);
}
