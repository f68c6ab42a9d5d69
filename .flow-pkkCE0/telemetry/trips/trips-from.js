import { quietly } from "../../core/quietly.js";
import { RowIterator } from "../../rows/row-iterator.js";
import { ActivityReader } from "../activities/activity-reader.js";
import { inTimeOrder } from "../time-order.js";
import { timestampMs } from "../timestamps.js";
import { tripLimits } from "./trip-limits.js";
import { tripKind } from "./vehicle-drives.js";
function tripsFrom(snapshots, options) {
  return readTrips(snapshots, options);
}
async function* readTrips(snapshots, options) {
  const { onWarning, ...limits } = options ?? {};
  const reader = new ActivityReader(tripKind(tripLimits(limits)), { isFreeBefore: false });
  const rows = Array.isArray(snapshots) ? inTimeOrder(snapshots, timeOfSnapshot) : snapshots;
  yield* tripsRead(rows, reader);
  yield* reader.finish(null);
  for (const warning of reader.warnings()) quietly(onWarning)(warning);
}
function timeOfSnapshot({ timestamp }) {
  return timestampMs(timestamp);
}
async function* tripsRead(snapshots, reader) {
  if (snapshots instanceof RowIterator) {
    for await (const rows of snapshots.batches()) yield* reader.takeAll(rows);
    return;
  }
  for await (const row of snapshots) {
    const ended = reader.take(row);
    if (ended.length > 0) yield* ended;
  }
}
export {
  tripsFrom
};
