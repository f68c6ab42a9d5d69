import { didYouMean, refusedInput } from "fleet-telematics/kit";
import { damagedCopy } from "./damaged-copy.js";
import { STAMP, tableOf } from "./tables.js";
const ALL_COLUMNS = "all";
const table = tableOf("snapshots");
const others = /* @__PURE__ */ new Set([...table.key, STAMP, "rest"]);
const columns = table.columns.filter(({ name }) => !others.has(name));
const positions = [
  ...["has_fix", "latitude_deg", "longitude_deg", "direction_deg", "altitude_m", "speed_kmh", "satellites", "hdop"],
  ...["is_ignition_on", "driver_id"]
];
const profiles = /* @__PURE__ */ new Map([["positions", positions]]);
function columnList(wanted) {
  const known = [ALL_COLUMNS, ...profiles.keys(), ...columns.map(({ name }) => name)];
  const unknown = wanted.find((word) => !known.includes(word));
  if (unknown !== void 0) {
    const hint = didYouMean(unknown, known) ?? `There are ${known.join(", ")}.`;
    throw refusal(`columns has "${unknown}", which is no column of snapshots that can be chosen. ${hint}`);
  }
  if (wanted.length === 0) throw refusal("columns is an empty list, so snapshots would have nothing but their times.");
  if (wanted.includes(ALL_COLUMNS)) return ALL_COLUMNS;
  const names = new Set(wanted.flatMap((word) => profiles.get(word) ?? [word]));
  return columns.flatMap(({ name }) => names.has(name) ? [name] : []).join(",");
}
function refusal(message) {
  return refusedInput(message, "sync", "read");
}
function selectionOf(list) {
  if (list === ALL_COLUMNS) return null;
  const chosen = new Set(list.split(","));
  const selection = {};
  for (const { name, from } of columns) {
    const [group = "", member] = chosen.has(name) ? (from ?? "").split(".") : [];
    if (member !== void 0) selection[group] = { ...Object(selection[group]), [member]: true };
    else if (group !== "") selection[group] = true;
  }
  return { ...selection, vehicleId: true, timestamp: true };
}
const REMEMBERED = "snapshot_columns";
async function filledColumns(copy, wanted) {
  const before = remembered(await copy.read("sync_state", ["value"], { name: [REMEMBERED] }));
  const list = wanted ?? before;
  if (list !== before) await copy.note(() => [{ kind: "upsert", table: "sync_state", rows: [[REMEMBERED, list]] }]);
  return { list, before };
}
function remembered([row]) {
  const list = String(row?.[0] ?? ALL_COLUMNS);
  const isKnown = list === ALL_COLUMNS || list.split(",").every((name) => columns.some((one) => one.name === name));
  if (isKnown) return list;
  throw damagedCopy(
    "sync_state",
    `the value of ${REMEMBERED} is no list of columns`,
    "Set it to the names of columns of snapshots, with commas and without spaces, or delete the row: then all columns are filled."
  );
}
export {
  columnList,
  filledColumns,
  selectionOf
};
