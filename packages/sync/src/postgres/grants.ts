// Lets roles, such as those of dashboards, read a copy in PostgreSQL.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';
import { ownTables, syncTables } from '../tables.js';
import { views } from '../views.js';
import { arrayOf } from './insert-rows.js';
import type { PostgresSession } from './session.js';

/** @throws {SyncTargetError} INVALID when the server does not have one of the roles. */
export async function checkRoles(session: PostgresSession, name: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  const found = await session.run('SELECT rolname FROM pg_roles WHERE rolname = ANY($1::text[])', [arrayOf(roles)]);
  const existingRoles = new Set(found.flat());
  const unknown = roles.find((role) => !existingRoles.has(role));
  if (unknown === undefined) return;
  throw new SyncTargetError(
    'INVALID',
    `${name}: there is no role ${JSON.stringify(unknown)}. Nothing was read.`,
    'Make it with CREATE ROLE. The name of a role must be written as `\\du` of psql shows it, in lower case unless it was made with quotes.',
  );
}

/**
 * Lets the roles read all tables and views of the copy.
 * @throws {SyncTargetError} REFUSED when the user may not grant that right.
 */
export async function grantReading(session: PostgresSession, name: string, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return;
  try {
    await session.transaction(async () => {
      for (const statement of await missingRights(session, roles)) await session.run(statement);
      // PostgreSQL only warns a user who has a right but may not grant it.
      if ((await missingRights(session, roles)).length > 0) throw mayNotGrant(name);
    });
  } catch (error) {
    throw errorCode(error) === '42501' ? mayNotGrant(name, error) : error;
  }
}

/** Returns the missing grants: each GRANT writes to the catalog, even one that changes nothing. */
async function missingRights(session: PostgresSession, roles: readonly string[]): Promise<readonly string[]> {
  const relations = [...ownTables, ...syncTables, ...views].map((one) => one.name);
  const rows = await session.run(
    `SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role) FROM unnest($1::text[]) AS role
     WHERE NOT has_schema_privilege(role, current_schema(), 'USAGE')
     UNION ALL
     SELECT format('GRANT SELECT ON %I.%I TO %I', current_schema(), relname, role) FROM unnest($1::text[]) AS role, pg_class
     WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY($2::text[])
       AND NOT has_table_privilege(role, oid, 'SELECT')`,
    [arrayOf(roles), arrayOf(relations)],
  );
  return rows.map(([statement]) => String(statement));
}

function mayNotGrant(name: string, cause?: unknown): SyncTargetError {
  return new SyncTargetError(
    'REFUSED',
    `The user of ${name} may not give others the right to read the copy. Nothing was read.`,
    'Whoever owns the schema can: GRANT USAGE ON SCHEMA … TO the roles. Then run the sync again.',
    cause,
  );
}
