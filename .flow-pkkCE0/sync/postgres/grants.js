import { errorCode, SyncTargetError } from "fleet-telematics/kit";
import { ownTables, syncTables } from "../tables.js";
import { views } from "../views.js";
import { arrayOf } from "./insert-rows.js";
async function checkRoles(session, name, roles) {
  if (roles.length === 0) return;
  const found = await session.run("SELECT rolname FROM pg_roles WHERE rolname = ANY($1::text[])", [arrayOf(roles)]);
  const known = new Set(found.flat());
  const unknown = roles.find((role) => !known.has(role));
  if (unknown === void 0) return;
  throw new SyncTargetError(
    "INVALID",
    `${name}: there is no role ${JSON.stringify(unknown)}. Nothing was read.`,
    "Make it with CREATE ROLE. The name of a role must be written as `\\du` of psql shows it, in lower case unless it was made with quotes."
  );
}
async function grantReading(session, name, roles) {
  if (roles.length === 0) return;
  try {
    await session.transaction(async () => {
      for (const statement of await missingRights(session, roles)) await session.run(statement);
      if ((await missingRights(session, roles)).length > 0) throw mayNotGrant(name);
    });
  } catch (error) {
    throw errorCode(error) === "42501" ? mayNotGrant(name, error) : error;
  }
}
async function missingRights(session, roles) {
  const relations = [...ownTables, ...syncTables, ...views].map((one) => one.name);
  const rows = await session.run(
    `SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role) FROM unnest($1::text[]) AS role
     WHERE NOT has_schema_privilege(role, current_schema(), 'USAGE')
     UNION ALL
     SELECT format('GRANT SELECT ON %I.%I TO %I', current_schema(), relname, role) FROM unnest($1::text[]) AS role, pg_class
     WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname = ANY($2::text[])
       AND NOT has_table_privilege(role, oid, 'SELECT')`,
    [arrayOf(roles), arrayOf(relations)]
  );
  return rows.map(([statement]) => String(statement));
}
function mayNotGrant(name, cause) {
  return new SyncTargetError(
    "REFUSED",
    `The user of ${name} may not give others the right to read the copy. Nothing was read.`,
    "Whoever owns the schema can: GRANT USAGE ON SCHEMA \u2026 TO the roles. Then run the sync again.",
    cause
  );
}
export {
  checkRoles,
  grantReading
};
