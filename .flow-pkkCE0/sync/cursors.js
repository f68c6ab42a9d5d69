import { isDateTime } from "fleet-telematics/kit";
import { damagedCopy } from "./damaged-copy.js";
const CURSOR_TABLE = "sync_cursors";
function cursorRow({ vehicleId, kind, beginsAt, readUntil, checkedUntil }) {
  return [vehicleId, kind, beginsAt, readUntil, checkedUntil];
}
async function readCursors(target) {
  const rows = await target.read(CURSOR_TABLE, ["vehicle_id", "kind", "begins_at", "read_until", "checked_until"]);
  return rows.map(cursorOf);
}
function cursorOf([vehicleId, kind, beginsAt, readUntil, checkedUntil = null]) {
  const isRead = kind === "trips" || kind === "stops" || kind === "snapshots";
  if (!isRead || !isTime(beginsAt) || !isTime(readUntil) || !(checkedUntil === null || isTime(checkedUntil))) {
    throw damagedCopy(
      CURSOR_TABLE,
      `the row of vehicle ${vehicleId} has a time or a kind that no sync has written`,
      "Correct the row or delete it. The next sync then reads this vehicle like a new one."
    );
  }
  return { vehicleId: String(vehicleId), kind, beginsAt, readUntil, checkedUntil };
}
function isTime(cell) {
  return typeof cell === "string" && isDateTime(cell);
}
export {
  CURSOR_TABLE,
  cursorRow,
  readCursors
};
