import { FIRST_LOOK_BACK_MS } from "fleet-telematics/kit";
import { latestNow } from "./clocks.js";
import { DEFAULT_SINCE_MS, MIN_LATE_MS } from "./options.js";
const STEP_MS = 6e5;
function vehiclesOf({ periods }) {
  const vehicles = periods.flatMap(({ from, vehicleIds }) => vehicleIds.map((vehicleId) => ({ vehicleId, from })));
  return [...new Map(vehicles.map((vehicle) => [vehicle.vehicleId.toLowerCase(), vehicle])).values()];
}
function periodOf(vehicles, until) {
  return {
    vehicles: vehicles.map(({ vehicleId, from }) => ({ vehicleId, from: new Date(from) })),
    to: new Date(until)
  };
}
const nothingKnown = { newest: /* @__PURE__ */ new Map(), openBegins: /* @__PURE__ */ new Map(), openStops: /* @__PURE__ */ new Map() };
function readingOf(kind, vehicleIds, cursors, { since, lateMs, lateEveryMs, keptFrom }, { until, clocks }, { newest, openBegins, openStops } = nothingKnown) {
  const stored = new Map(cursors.filter((cursor) => cursor.kind === kind).map((cursor) => [cursor.vehicleId, cursor]));
  const periods = /* @__PURE__ */ new Map();
  const known = /* @__PURE__ */ new Map();
  const newCursors = [];
  const takenBack = [];
  const notRead = [];
  const continued = [];
  for (const vehicleId of vehicleIds) {
    const cursor = stored.get(vehicleId);
    const readUntil = cursor === void 0 ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readUntil);
    const isAhead = readUntil > latestNow(clocks);
    if (isAhead) takenBack.push(readUntil);
    const begun = cursor === void 0 ? Number.POSITIVE_INFINITY : Date.parse(cursor.beginsAt);
    const old = isAhead && begun > latestNow(clocks) ? Number.POSITIVE_INFINITY : begun;
    const begin = Math.min(
      old,
      since ?? (old === Number.POSITIVE_INFINITY ? Math.max(keptFrom, until - DEFAULT_SINCE_MS) : old)
    );
    const isNew = begin < old || isAhead;
    const checkedUntil = isNew ? null : checkedTime(cursor, clocks);
    const isChecked = checkedUntil === null || clocks.service - checkedUntil >= lateEveryMs;
    known.set(vehicleId, { begin, readUntil: isNew ? begin : readUntil, checkedUntil, isChecked });
    if (isNew) newCursors.push(cursorOf({ kind, known }, vehicleId, { readUntil: begin, checkedUntil: null }));
    const openSince = openBegins.get(vehicleId);
    const openStop = openStops.get(vehicleId);
    const start = openStop === void 0 ? Number.POSITIVE_INFINITY : Date.parse(openStop.startedAt);
    const settled = checkedUntil === null || isNew ? Number.NEGATIVE_INFINITY : roundedDown(checkedUntil - lateMs);
    const isContinued = openStop !== void 0 && readUntil >= start && settled >= readUntil;
    const readTo = isContinued ? Date.parse(openStop.lastSeenAt) : Math.min(readUntil, start - 1);
    if (!isChecked && openSince === void 0 && (newest.get(vehicleId) ?? Number.POSITIVE_INFINITY) <= readTo)
      continue;
    if (isContinued) continued.push({ stop: openStop, unchangedSince: new Date(readUntil).toISOString() });
    const late = isChecked ? (checkedUntil ?? readUntil) - lateMs : Number.POSITIVE_INFINITY;
    const goesOn = isNew ? begin : Math.min(readTo - MIN_LATE_MS, late);
    const rounded = isContinued ? settled : roundedDown(goesOn);
    const from = Math.max(
      begin,
      openSince !== void 0 && openSince < rounded - FIRST_LOOK_BACK_MS ? openSince : rounded
    );
    if (from > until) {
      notRead.push(readUntil);
      continue;
    }
    const same = periods.get(from);
    if (same) same.push(vehicleId);
    else periods.set(from, [vehicleId]);
  }
  return {
    kind,
    until,
    periods: [...periods].sort(([one], [other]) => one - other).map(([from, ids]) => ({ from, vehicleIds: ids })),
    known,
    continued,
    newCursors,
    takenBack: aheadOf(takenBack),
    notRead: aheadOf(notRead)
  };
}
function roundedDown(time) {
  return time - time % STEP_MS;
}
function checkedTime(cursor, clocks) {
  if (cursor === void 0 || cursor.checkedUntil === null) return null;
  const checked = Date.parse(cursor.checkedUntil);
  return checked > latestNow(clocks) ? null : checked;
}
function aheadOf(times) {
  return times.length === 0 ? null : { vehicles: times.length, latest: times.reduce((one, other) => Math.max(one, other)) };
}
function reachedCursor(reading, vehicleId, { newestRow, vouched }) {
  const { readUntil = Number.NEGATIVE_INFINITY, checkedUntil = null } = reading.known.get(vehicleId) ?? {};
  const { isChecked = false } = reading.known.get(vehicleId) ?? {};
  const isComplete = vouched !== Number.NEGATIVE_INFINITY;
  return cursorOf(reading, vehicleId, {
    readUntil: Math.max(readUntil, Math.min(reading.until, Math.max(newestRow, vouched))),
    checkedUntil: isComplete && isChecked ? Math.min(reading.until, vouched) : checkedUntil
  });
}
function cursorOf({ kind, known }, vehicleId, { readUntil, checkedUntil }) {
  const text = (ms) => new Date(ms).toISOString();
  const beginsAt = text(known.get(vehicleId)?.begin ?? readUntil);
  return {
    vehicleId,
    kind,
    beginsAt,
    readUntil: text(readUntil),
    checkedUntil: checkedUntil === null ? null : text(checkedUntil)
  };
}
export {
  periodOf,
  reachedCursor,
  readingOf,
  vehiclesOf
};
