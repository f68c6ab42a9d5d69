// Upgrades the tables of a copy in PostgreSQL. It keeps what users have added: their columns, their
// views on ours, the rights on our views. If it cannot keep an object, it names it and changes
// nothing.
import { errorCode, SyncTargetError } from 'fleet-telematics/kit';
import { commentStatement, comments, dropViewStatements, upsertStatement, viewStatements } from '../ddl.js';
import { newestVersion, parseVersion, tableChanges, type Upgrade } from '../schema-version.js';
import { ownTables, syncTables, tableOf } from '../tables.js';
import { views } from '../views.js';
import { arrayOf } from './insert-rows.js';
import type { PostgresSession } from './session.js';

/**
 * Returns the version of the tables; 0 when there are none.
 * @throws {SyncTargetError} NEWER, or INVALID when tables of others have these names.
 */
export async function versionOf(
  session: PostgresSession,
  name: string,
  upgradeSteps: readonly Upgrade[],
): Promise<number> {
  const found = await session.run(`
    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p', 'v', 'm')`);
  const names = new Set(found.map(([relname]) => relname));
  if (!names.has('sync_state')) {
    const other = [
      ...[...ownTables, ...syncTables].map((table) => ({ kind: 'table', name: table.name })),
      ...views.map((view) => ({ kind: 'view', name: view.name })),
    ].find((own) => names.has(own.name));
    if (other === undefined) return 0;
    throw new SyncTargetError(
      'INVALID',
      `${name} has a ${other.kind} ${other.name} that no sync has made. Nothing was changed.`,
      'Make a schema of its own with CREATE SCHEMA fleet, and add ?search_path=fleet to the address.',
    );
  }
  const [[value] = []] = await session.run("SELECT value FROM sync_state WHERE name = 'schema_version'");
  return parseVersion(value, { name, another: 'another schema' }, upgradeSteps);
}

/** Codes of PostgreSQL for an object with dependents or with the name of a new one. */
const obstacleCodes = new Set(['2BP01', '0A000', '42701', '42P07']);
/** Codes after which all views are created again, because they block a change. */
const viewRebuildCodes = new Set(['2BP01', '0A000', '42P16']);

/**
 * Creates the tables of a new copy, or upgrades older ones, in one transaction.
 * @throws {SyncTargetError} INVALID when objects of others prevent it.
 */
export async function migrate(session: PostgresSession, name: string, upgradeSteps: readonly Upgrade[]): Promise<void> {
  const version = await versionOf(session, name, upgradeSteps);
  const newest = newestVersion(upgradeSteps);
  if (version === newest) return;
  const statements = [
    ...tableChanges(version, upgradeSteps, 'postgres'),
    ...viewStatements('postgres', 'CREATE OR REPLACE VIEW'),
  ];
  try {
    await session.transaction(async () => {
      await session.run('SAVEPOINT upgrade');
      try {
        for (const statement of statements) await session.run(statement);
      } catch (error) {
        if (!viewRebuildCodes.has(errorCode(error) ?? '')) throw error;
        await session.run('ROLLBACK TO SAVEPOINT upgrade');
        await withNewViews(session, statements);
      }
      await addComments(session);
      const upsert = upsertStatement(tableOf('sync_state'), "VALUES ('schema_version', $1)");
      await session.run(upsert, [String(newest)]);
    });
  } catch (error) {
    throw obstacleCodes.has(errorCode(error) ?? '') ? obstacle(error, name) : error;
  }
}

/** Adds missing comments to the catalog. An existing comment stays: it may be the user's. */
async function addComments(session: PostgresSession): Promise<void> {
  const without = await session.run(`
    SELECT relname, '' FROM pg_class
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND obj_description(oid, 'pg_class') IS NULL
    UNION ALL
    SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND attnum > 0 AND col_description(attrelid, attnum) IS NULL`);
  const free = new Set(without.map((of) => of.join(' ')));
  const statements = comments()
    .filter(({ relation, column }) => free.has(`${relation} ${column ?? ''}`))
    .map(commentStatement);
  if (statements.length > 0) await session.run(statements.join(';\n'));
}

async function withNewViews(session: PostgresSession, statements: readonly string[]): Promise<void> {
  const rights = await rightsOnViews(session);
  for (const statement of [...dropViewStatements(), ...statements]) await session.run(statement);
  // Default privileges may grant new views to roles that had no right.
  const replaced = new Set(rights.map(({ view }) => view));
  const currentRights = (await rightsOnViews(session)).filter(({ view }) => replaced.has(view));
  for (const { view, to } of currentRights) await session.run(`REVOKE ALL ON ${view} FROM ${to}`);
  for (const { view, column, grant } of rights) {
    const [[isThere] = []] = await session.run(
      `SELECT count(*) > 0 FROM pg_attribute
       WHERE attrelid = $1::regclass AND NOT attisdropped AND ($2 = '' OR attname = $2)`,
      [view, column],
    );
    if (isThere === true) await session.run(grant);
  }
}

/** A right of another role on one of our views. */
interface Right {
  readonly view: string;
  /** Empty for the whole view. */
  readonly column: string;
  readonly to: string;
  readonly grant: string;
}

async function rightsOnViews(session: PostgresSession): Promise<readonly Right[]> {
  const rows = await session.run(
    `WITH own AS (
       SELECT pg_class.oid, relname, relowner, relacl FROM pg_class
       WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'v' AND relname = ANY($1::text[])
     ), rights AS (
       SELECT relname, relowner, '' AS attname, '' AS columns, acl.* FROM own, aclexplode(relacl) AS acl
       UNION ALL
       SELECT relname, relowner, attname, format(' (%I)', attname), acl.*
       FROM own JOIN pg_attribute ON attrelid = own.oid AND NOT attisdropped, aclexplode(attacl) AS acl
     ), named AS (
       SELECT *, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS name FROM rights
     )
     SELECT relname, attname, name, format('GRANT %s%s ON %I TO %s%s', privilege_type, columns, relname, name,
       CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
     FROM named WHERE grantee <> relowner`,
    [arrayOf(views.map((view) => view.name))],
  );
  return rows.map((row) => {
    const [view = '', column = '', to = '', grant = ''] = row.map(String);
    return { view, column, to, grant };
  });
}

/** Names the objects, which PostgreSQL has in the detail of the error or in its message. */
function obstacle(error: unknown, name: string): SyncTargetError {
  const { message, detail } = Object(error) as { readonly message: string; readonly detail?: string };
  return new SyncTargetError(
    'INVALID',
    `This version of fleet-telematics changes the tables of ${name}, and objects that others have made stand in the way: ${(detail ?? message).replaceAll('\n', '; ')}. Nothing was changed.`,
    'Keep their definitions, drop or rename them, run the sync once, and make again what is missing.',
    error,
  );
}
