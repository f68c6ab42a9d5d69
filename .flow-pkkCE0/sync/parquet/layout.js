import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { columnIndex } from "../tables.js";
const OWN_FOLDER = ".fleet-sync";
const STATE_FILE = "sync_state.parquet";
function isParquetCopy(path) {
  return existsSync(join(path, OWN_FOLDER)) || existsSync(join(path, STATE_FILE));
}
const NO_DAY = "";
const EMPTY_DAY = "1970-01-01";
const NULL_DAY = "__HIVE_DEFAULT_PARTITION__";
const DAY = "utc_day=";
function dayOf(table, row) {
  const { period } = table;
  if (period === void 0) return NO_DAY;
  const begin = row[columnIndex(table, period.begins)];
  return typeof begin === "string" ? begin.slice(0, 10) : NULL_DAY;
}
function fileOf({ table: { name, period }, day }) {
  return period === void 0 ? `${name}.parquet` : `${name}/${DAY}${day}/${name}.parquet`;
}
function daysOf(folder, { name, period }) {
  if (period === void 0) return existsSync(join(folder, `${name}.parquet`)) ? [NO_DAY] : [];
  if (!existsSync(join(folder, name))) return [];
  return readdirSync(join(folder, name)).filter((each) => each.startsWith(DAY) && existsSync(join(folder, name, each, `${name}.parquet`))).map((each) => each.slice(DAY.length)).sort();
}
function isWithinDays(day, from, until) {
  return day === NO_DAY || day === NULL_DAY || day >= from.slice(0, 10) && day <= until.slice(0, 10);
}
function isDayBefore(day, time) {
  return day !== NO_DAY && day !== NULL_DAY && day < time.slice(0, 10);
}
export {
  EMPTY_DAY,
  NO_DAY,
  OWN_FOLDER,
  dayOf,
  daysOf,
  fileOf,
  isDayBefore,
  isParquetCopy,
  isWithinDays
};
