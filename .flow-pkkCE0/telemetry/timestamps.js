import { toDate } from "../core/dates.js";
const MILLISECONDS_LENGTH = "2026-03-01T12:00:00.000Z".length;
function timestampOf(row) {
  if (typeof row !== "object" || row === null || !("timestamp" in row)) return null;
  const { timestamp } = row;
  return typeof timestamp === "string" || typeof timestamp === "number" ? timestamp : null;
}
function finerTimeOf(timestamp) {
  const isFiner = typeof timestamp === "string" && timestamp.length > MILLISECONDS_LENGTH;
  return isFiner && /\.\d{3}(\d*?)0*(?!\d)/.exec(timestamp)?.[1] || "";
}
function timestampMs(timestamp) {
  try {
    return toDate(timestamp)?.getTime() ?? null;
  } catch {
    return null;
  }
}
export {
  finerTimeOf,
  timestampMs,
  timestampOf
};
