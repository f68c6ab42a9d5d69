import { toDate } from "fleet-telematics";
import { didYouMean, numberFrom, problemIn, refusedInput } from "fleet-telematics/kit";
import { defaultParts, needsVehicles, syncParts } from "./parts.js";
import { columnList } from "./snapshot-columns.js";
const DEFAULT_LATE_MS = 2 * 36e5;
const MIN_LATE_MS = 6e5;
const DEFAULT_SINCE_MS = 7 * 864e5;
const MIN_KEEP_MS = 864e5;
const checks = {
  lateMs: numberFrom(MIN_LATE_MS),
  keepMs: numberFrom(MIN_KEEP_MS),
  lateEveryMs: numberFrom(0),
  speedLimitKmh: numberFrom(0)
};
const LATE_CHECKS = 4;
function planOf(options) {
  const { lateMs = DEFAULT_LATE_MS, vehicleIds, groupIds, signal, onProgress, onTable, onChange } = options;
  const { lateEveryMs = lateMs / LATE_CHECKS, speedLimitKmh, columns, keepMs } = options;
  const parts = options.parts ?? defaultParts;
  for (const part of parts) {
    if (syncParts.includes(part)) continue;
    const hint = didYouMean(String(part), syncParts) ?? `The parts are ${syncParts.join(", ")}.`;
    throw syncRefusal(`There is no part "${String(part)}". ${hint}`);
  }
  if (parts.length === 0) throw syncRefusal("parts is an empty list, so there is nothing to read.");
  const problem = problemIn({ lateMs, lateEveryMs, keepMs, speedLimitKmh }, checks, "sync");
  if (problem !== null) throw syncRefusal(`${problem}.`);
  if (keepMs !== void 0 && keepMs < lateMs)
    throw syncRefusal(
      "What is kept (keepMs, --keep) is less than lateMs (--late): what arrives late would be deleted at once."
    );
  if (columns !== void 0 && !parts.includes("snapshots"))
    throw syncRefusal(
      "columns (--columns) chooses columns of snapshots, and this sync reads none: add snapshots to parts, or --snapshots."
    );
  const readsVehicles = vehicleIds !== void 0 || groupIds !== void 0 || parts.some(needsVehicles);
  const since = timeOf("since", options.since);
  const until = timeOf("until", options.until);
  if (since !== null && until !== null && since >= until) throw syncRefusal("since is not before until.");
  return {
    parts: new Set(readsVehicles ? ["vehicles", ...parts] : parts),
    since,
    until,
    lateMs,
    lateEveryMs,
    columns: columns === void 0 ? null : columnList(columns),
    keepMs: keepMs ?? null,
    speedLimitKmh,
    users: options.users ?? [],
    adopt: options.adopt ?? false,
    allowDeletions: options.allowDeletions ?? false,
    history: options.history ?? false,
    vehicleIds,
    groupIds,
    signal,
    onProgress,
    onTable,
    onChange
  };
}
function syncRefusal(message) {
  return refusedInput(message, "sync", "read");
}
function timeOf(name, time) {
  if (time === void 0) return null;
  try {
    const ms = time instanceof Date ? time.getTime() : toDate(time)?.getTime();
    if (ms !== void 0 && !Number.isNaN(ms)) return ms;
  } catch {
  }
  throw syncRefusal(`${name} must be RFC 3339 text with an offset, such as 2026-03-01T00:00:00Z, or a Date.`);
}
export {
  DEFAULT_SINCE_MS,
  MIN_KEEP_MS,
  MIN_LATE_MS,
  planOf,
  syncRefusal
};
