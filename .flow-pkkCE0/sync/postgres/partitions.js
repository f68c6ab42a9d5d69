import { errorCode } from "fleet-telematics/kit";
import { columnIndex } from "../tables.js";
import { arrayOf } from "./insert-rows.js";
const DEPENDENTS = "2BP01";
const ON_DELETE = 8;
async function makePartitions(session, table, rows) {
  const { name, period } = table;
  if (period === void 0) throw new RangeError(`The rows of ${name} have no period.`);
  const place = columnIndex(table, period.begins);
  const months = [...new Set(rows.map((row) => String(row[place]).slice(0, "YYYY-MM".length)))];
  const missing = await session.run(
    `SELECT month FROM unnest($1::text[]) AS month
     WHERE NOT EXISTS (
       SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = '${name}'::regclass AND relname = '${name}_' || replace(month, '-', '_'))`,
    [arrayOf(months)]
  );
  for (const [month] of missing) {
    const begin = `timestamp '${month}-01'`;
    await session.run(
      `CREATE TABLE ${name}_${String(month).replace("-", "_")} PARTITION OF ${name}
       FOR VALUES FROM (${begin} AT TIME ZONE 'UTC') TO ((${begin} + interval '1 month') AT TIME ZONE 'UTC')`
    );
  }
}
async function dropPartitions(session, { name }, before) {
  const months = await session.run(
    `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = '${name}'::regclass AND relname ~ $1 AND relname < $2
       AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid IN (inhparent, inhrelid) AND tgtype & ${ON_DELETE} <> 0)
     ORDER BY relname`,
    [`^${name}_[0-9]{4}_[0-9]{2}$`, `${name}_${before.slice(0, "YYYY-MM".length).replace("-", "_")}`]
  );
  let rows = 0;
  for (const [month] of months) {
    const [[count] = []] = await session.run(`SELECT count(*)::double precision FROM ${month}`);
    if (await isDropped(session, String(month))) rows += Number(count);
  }
  return rows;
}
async function isDropped(session, month) {
  await session.run("SAVEPOINT month");
  try {
    await session.run(`DROP TABLE ${month}`);
    return true;
  } catch (error) {
    if (errorCode(error) !== DEPENDENTS) throw error;
    await session.run("ROLLBACK TO SAVEPOINT month");
    return false;
  }
}
export {
  dropPartitions,
  makePartitions
};
