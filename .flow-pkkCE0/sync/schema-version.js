import { SyncTargetError } from "fleet-telematics/kit";
import { damagedCopy } from "./damaged-copy.js";
import { newTables } from "./ddl.js";
const upgrades = [];
function newestVersion(known = upgrades) {
  return 1 + known.length;
}
function tableChanges(version, known, dialect) {
  if (version === 0) return newTables(dialect);
  return known.slice(version - 1).flatMap((statements) => statements(dialect));
}
function knownVersion(value, { name, another }, known = upgrades) {
  const version = typeof value === "string" && /^[1-9]\d*$/.test(value) ? Number(value) : null;
  if (version === null) {
    const hint = `Write to ${another}, or to this one when it has been emptied: the next sync reads everything anew.`;
    throw damagedCopy("sync_state", "schema_version is no number", hint);
  }
  const newest = newestVersion(known);
  if (version <= newest) return version;
  throw new SyncTargetError(
    "NEWER",
    `${name} was made by a newer version of fleet-telematics: its tables have version ${version}, this one knows ${newest}. Nothing was changed.`,
    `Update fleet-telematics, or write to ${another}.`
  );
}
export {
  knownVersion,
  newestVersion,
  tableChanges,
  upgrades
};
