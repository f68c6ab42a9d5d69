import { despiteFailures } from "fleet-telematics/kit";
import { TRIP_ANSWER_BYTES } from "./memory-limits.js";
import { periodOf, reachedCursor, vehiclesOf } from "./periods.js";
import { sharesOf, sideBySide } from "./readers.js";
import { rowOf } from "./rows.js";
import { partTables, tableOf } from "./tables.js";
import { localTimeText, tripSteps } from "./trip-rows.js";
const BATCH_ROWS = 1e3;
const BATCH_VEHICLES = 25;
async function syncTrips(data, speedLimitKmh) {
  const geofences = data.reading.periods.length === 0 ? [] : await geofencesOf(data.target);
  await syncActivities(data, {
    part: "trips",
    stream: (fleet, period, options) => fleet.streamTrips(period, { ...options, withDetails: true, speedLimitKmh, geofences }),
    steps: tripSteps,
    // An open trip from its last snapshot on: a silence may end it there.
    readAgainFrom: (trips) => trips.flatMap(({ isOpen, lastSeenAt }) => isOpen ? [Date.parse(lastSeenAt)] : [])
  });
}
async function syncStops(data) {
  await syncActivities(data, {
    part: "stops",
    stream: (fleet, period, options) => fleet.streamStops(period, { ...options, continued: data.reading.continued }),
    steps: (stops, periods) => [{ kind: "replace", table: "stops", rows: stops.map(stopRow), periods }],
    // An open stop that has not changed goes on from the copy. Others are read from before their
    // start: without another snapshot, one becomes a stop when it has lasted five minutes.
    readAgainFrom(stops, until, unchangedSince) {
      const last = stops.at(-1);
      return [last?.isOpen ? unchangedSince ?? Date.parse(last.startedAt) - 1 : until - 1];
    }
  });
}
function stopRow(stop) {
  return rowOf("stops", stop.isOpen ? { ...stop, durationSeconds: null } : stop);
}
async function syncActivities({ readers, target, teller, reading, vouched, signal, writing }, { part, stream: streamOf, steps: stepsOf, readAgainFrom }) {
  const { until } = reading;
  const vehicles = vehiclesOf(reading);
  const begins = new Map(vehicles.map(({ vehicleId, from }) => [vehicleId, from]));
  let [read, written, done] = [0, 0, 0];
  const unfinished = /* @__PURE__ */ new Map();
  const finished = [];
  const gapped = /* @__PURE__ */ new Set();
  let waiting = 0;
  const write = async () => {
    const replaced = [];
    const periods = [];
    const cursors = [];
    for (const { vehicleId, until: next, unchangedSince } of finished.splice(0)) {
      const items = unfinished.get(vehicleId) ?? [];
      unfinished.delete(vehicleId);
      replaced.push(...items);
      if (!gapped.has(vehicleId))
        periods.push({
          vehicleId,
          from: beginOf(items, begins.get(vehicleId) ?? until),
          until: new Date(until).toISOString()
        });
      const again = readAgainFrom(items, Date.parse(next), unchangedSince === null ? null : Date.parse(unchangedSince));
      cursors.push(cursorAfter(vehicleId, items, again, reading, vouched));
      done++;
    }
    waiting = 0;
    if (cursors.length === 0) return;
    read += replaced.length;
    const [readSoFar, share] = [read, done / vehicles.length];
    const steps = stepsOf(replaced, periods);
    await writing(async () => {
      written += (await target.apply({ steps, cursors })).written;
      teller.progress(part, readSoFar, share);
    });
  };
  await sideBySide(sharesOf(vehicles, readers), signal, async ({ fleet, vehicles: own }, ended) => {
    const stream = streamOf(fleet, periodOf(own, until), {
      priority: "low",
      signal: ended,
      answerBytes: TRIP_ANSWER_BYTES,
      onEvent(event) {
        const { type, vehicleId } = event;
        if (type === "error") {
          unfinished.delete(vehicleId);
          teller.failed(part, vehicleId, event.error);
        } else if (type === "other") teller.unstored(part, "noVehicle", vehicleId);
        else if (type === "gap") gapped.add(vehicleId);
        else {
          finished.push(event);
          waiting += unfinished.get(vehicleId)?.length ?? 0;
        }
      }
    });
    for await (const answered of despiteFailures(stream)) {
      const item = target.ids.in(answered);
      const items = unfinished.get(item.vehicleId);
      if (items) items.push(item);
      else unfinished.set(item.vehicleId, [item]);
      if (waiting >= BATCH_ROWS || finished.length >= BATCH_VEHICLES) await write();
    }
  });
  await write();
  const none = { added: null, changed: null, removed: null };
  await writing(async () => teller.done(part, { table: part, read, written, ...none }));
}
async function geofencesOf(target) {
  const rows = await target.read("geofences", ["id", "geojson", "deleted_at"]);
  return rows.flatMap(
    ([id, geojson, deletedAt]) => deletedAt === null ? { id: String(id), geojson: parsed(geojson) } : []
  );
}
function parsed(json) {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}
async function openBeginsOf(target, table) {
  const open = await target.read(table, ["vehicle_id", "started_at"], { is_open: [true] });
  return new Map(open.map(([vehicleId, startedAt]) => [String(vehicleId), Date.parse(String(startedAt))]));
}
const openStopColumns = [
  ...["id", "vehicle_id", "started_at", "last_seen_at", "is_start_known", "driver_ids"],
  ...["idle_s", "unseen_s", "latitude_deg", "longitude_deg"]
];
async function openStopsOf(target) {
  const rows = await target.read("stops", openStopColumns, { is_open: [true] });
  return new Map(rows.map((row) => [String(row[1]), openStopOf(row)]));
}
function openStopOf(row) {
  const [id, vehicleId, startedAt, lastSeenAt, isStartKnown, driverIds, idle, unseen, latitude, longitude] = row;
  const drivers = parsed(driverIds);
  return {
    ...{ id: String(id), vehicleId: String(vehicleId), isOpen: true, endedAt: null, endedBy: null },
    ...{ startedAt: String(startedAt), lastSeenAt: String(lastSeenAt), isStartKnown: isStartKnown === true },
    ...{ driverIds: Array.isArray(drivers) ? drivers.map(String) : [], durationSeconds: 0 },
    ...{ idleSeconds: typeof idle === "number" ? idle : null, unseenSeconds: Number(unseen ?? 0) },
    position: typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : null
  };
}
async function endOpenOfGone(target, cursors) {
  const vehicles = await target.read("vehicles", ["id", "deleted_at"]);
  const gone = vehicles.flatMap(([id, deletedAt]) => id === void 0 || deletedAt === null ? [] : [id]);
  if (gone.length === 0) return;
  const begins = await openBeginsOf(target, "stops");
  const ends = /* @__PURE__ */ new Map();
  const trips = await rewritten(target, "trips", { vehicle_id: gone, is_open: [true] }, (cell) => {
    const end = cell("last_seen_at") ?? null;
    ends.set(cell("id") ?? null, end);
    const local_ended_at = localTimeText(Date.parse(String(end)), cell("time_zone"));
    return { is_open: false, ended_at: end, local_ended_at, ended_by: "unfinished" };
  });
  const stops = await rewritten(target, "stops", { vehicle_id: gone, is_open: [true] }, (cell) => {
    const ended_at = cell("last_seen_at") ?? null;
    const ms = Date.parse(String(ended_at)) - Date.parse(String(cell("started_at")));
    return { is_open: false, ended_at, ended_by: "unfinished", duration_s: ms / 1e3 };
  });
  if (ends.size === 0 && stops.rows.length === 0) return;
  const steps = [trips, stops];
  for (const { name } of partTables("trips")) {
    const filter = { trip_id: [...ends.keys()] };
    steps.push(
      await rewritten(target, name, filter, (cell) => {
        const end = ends.get(cell("trip_id") ?? null) ?? null;
        return { trip_ended_at: end, ...cell("ended_at") === null ? { ended_at: end } : {} };
      })
    );
  }
  const isGone = new Set(gone);
  const movedBack = cursors.flatMap((cursor) => {
    const begin = begins.get(cursor.vehicleId);
    if (cursor.kind !== "stops" || begin === void 0 || !isGone.has(cursor.vehicleId)) return [];
    const readUntil = Math.min(Date.parse(cursor.readUntil), begin - 1);
    return [{ ...cursor, readUntil: new Date(readUntil).toISOString() }];
  });
  await target.apply({ steps, cursors: movedBack });
}
async function rewritten(target, table, filter, change) {
  const columns = tableOf(table).columns.map(({ name }) => name);
  const rows = (await target.read(table, columns, filter)).map((row) => {
    const changed = change((column) => row[columns.indexOf(column)]);
    return columns.map((column, index) => (Object.hasOwn(changed, column) ? changed[column] : row[index]) ?? null);
  });
  return { kind: "upsert", table, rows };
}
function beginOf(items, from) {
  const starts = items.map(({ startedAt }) => Date.parse(startedAt));
  return new Date(starts.reduce((first, start) => Math.min(first, start), from)).toISOString();
}
function cursorAfter(vehicleId, items, readAgainFrom, reading, vouched) {
  const seen = items.map(({ endedAt, lastSeenAt }) => Date.parse(endedAt ?? lastSeenAt));
  const newestRow = seen.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const reached = reachedCursor(reading, vehicleId, { newestRow, vouched });
  const readUntil = Math.min(Date.parse(reached.readUntil), ...readAgainFrom);
  return { ...reached, readUntil: new Date(readUntil).toISOString() };
}
export {
  endOpenOfGone,
  openBeginsOf,
  openStopsOf,
  syncStops,
  syncTrips
};
