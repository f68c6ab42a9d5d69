import { DAY_MS, momentAt, offsetAt } from "../../../core/time-zone.js";
import { despiteFailures } from "../../../telemetry/streams/despite-failures.js";
import { allowPartial } from "../../connection/allow-partial.js";
import { call } from "../../connection/call.js";
import { driverNames } from "../../connection/driver-names.js";
import { serviceNow } from "../../context/context.js";
import { FailedVehicles } from "../../errors/failed-vehicles.js";
import { vehicleChoice } from "../../find/vehicles.js";
import { compareValues } from "../../shape/compare.js";
import { localDate } from "../../time/local-time.js";
import { GroupTree } from "../shared/group-tree.js";
import { boundsOf } from "../shared/list-activities.js";
import { beyondPeriod } from "./beyond-period.js";
import { partsByDriver } from "./by-driver.js";
import { tripProgress } from "./progress.js";
import { Sum } from "./sum.js";
async function sumTrips(context, client, { choose, by, isPart: isPartOfFleet, span: readSpan, options, clip, onTrip }) {
  const [vehicles, all, drivers, groups] = await Promise.all([
    choose(client),
    by === "group" && isPartOfFleet ? vehicleChoice(context, [], {})(client) : null,
    by === "driver" ? driverNames(context, client) : /* @__PURE__ */ new Map(),
    by === "group" ? groupsOf(context, client) : []
  ]);
  if (vehicles.length === 0) return null;
  const span = await readSpan();
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const failed = new FailedVehicles("getSnapshots", (id) => nameById.get(id) ?? id);
  const failedIds = /* @__PURE__ */ new Set();
  const vehicleIds = vehicles.map(({ id }) => id);
  const progress = tripProgress(context, span, "trip", vehicles.length);
  const read = (from, end) => despiteFailures(
    client.streamTrips(
      {
        vehicleIds: vehicleIds.filter((id) => !failedIds.has(id)),
        ...boundsOf({ from, to: span.to, end }, clip)
      },
      {
        ...options,
        clip,
        withDetails: by === "driver",
        onEvent(event) {
          if (event.type === "complete") progress.reach(event.vehicleId, end);
          if (event.type !== "error") return;
          failedIds.add(event.vehicleId);
          failed.add(event.vehicleId, event.error);
          progress.reach(event.vehicleId, span.end);
        }
      }
    )
  );
  const days = daysOf(span, serviceNow(context), context.zone.name);
  const adding = by === "vehicle" ? byVehicle(vehicles, failedIds) : by === "driver" ? byDriver(context, drivers) : by === "day" ? byDay(context, days) : byGroup(context, vehicles, all ?? vehicles, new GroupTree(groups));
  const sums = /* @__PURE__ */ new Map();
  const sumOf = (key) => {
    const known = sums.get(key) ?? new Sum();
    sums.set(key, known);
    return known;
  };
  const whole = new Sum();
  const counted = new CountedParts();
  const isPart = context.globals.filter !== void 0 || context.globals.limit !== void 0;
  const beyond = beyondPeriod(context, span, {
    whose: isPart ? ", those of rows that are not shown too," : "",
    clip: "Without --whole-trips sums count only what lies inside."
  });
  try {
    const parts = by === "day" && clip ? days : [{ from: span.from, end: span.end }];
    for (const { from, end } of parts) {
      counted.begin();
      for await (const trip of read(from, end)) {
        beyond.take(trip);
        const isNew = counted.take(trip);
        whole.add(trip, isNew);
        adding.add(trip, sumOf);
        onTrip?.(trip);
        progress.take(trip);
      }
    }
    if (!clip) beyond.warn();
    if (counted.repeated > 0) {
      const few = counted.repeated === 1 ? "1 trip goes" : `${counted.repeated} trips go`;
      const count = counted.repeated === 1 ? "counts" : "count";
      context.report.remark(`${few} over midnight and ${count} on both days; the total has each trip once.`);
    }
  } finally {
    progress.clear();
  }
  failed.report(context.report);
  return { rows: adding.rows(sumOf, [...sums.keys()]), whole: whole.values, span };
}
class CountedParts {
  repeated = 0;
  #before = /* @__PURE__ */ new Set();
  #now = /* @__PURE__ */ new Set();
  begin() {
    this.#before = this.#now;
    this.#now = /* @__PURE__ */ new Set();
  }
  /** Whether the trip is counted for the first time. */
  take({ id, endedBy }) {
    const isNew = !this.#before.has(id);
    if (!isNew) this.repeated++;
    if (endedBy === "period") this.#now.add(id);
    return isNew;
  }
}
async function groupsOf(context, client) {
  const select = { id: true, name: true, parentId: true };
  return allowPartial(context, (options) => call(client, "getGroups", {}, { ...options, select }));
}
function byVehicle(vehicles, failedIds) {
  return {
    add: (trip, sumOf) => sumOf(trip.vehicleId).add(trip),
    // What a vehicle that failed has driven is not known.
    rows: (sumOf) => vehicles.filter(({ id }) => !failedIds.has(id)).map(({ id, name }) => ({ vehicle: name, vehicleId: id, ...sumOf(id).values }))
  };
}
function byDriver(context, names) {
  let shared = 0;
  return {
    add(trip, sumOf) {
      const parts = partsByDriver(trip);
      if (parts.length > 1) shared++;
      for (const { driverId, part } of parts) sumOf(driverId).add(part);
    },
    rows(sumOf, keys) {
      if (shared > 0) {
        const few = shared === 1 ? "1 trip has" : `${shared} trips have`;
        context.report.remark(
          `${few} several drivers: each has the kilometres and times that he or she drove, fuel is divided by kilometres, and the top speed is nobody's. The total has each trip once.`
        );
      }
      const rows = keys.map((id) => ({
        driver: id === null ? null : names.get(id) ?? id,
        driverId: id,
        ...sumOf(id).values
      }));
      return rows.sort(
        (a, b) => Number(a.driver === null) - Number(b.driver === null) || compareValues(a.driver, b.driver)
      );
    }
  };
}
function daysOf({ from, end }, now, zone) {
  const days = [];
  for (let at = from; at < end && (at <= now || days.length === 0); ) {
    const wall = Math.floor((at + offsetAt(at, zone)) / DAY_MS) * DAY_MS;
    const next = Math.max(momentAt(wall + DAY_MS, zone), at + 1);
    days.push({ from: at, end: Math.min(next, end), name: localDate(at, zone) });
    at = next;
  }
  return days;
}
function byDay(context, days) {
  return {
    add: (trip, sumOf) => sumOf(localDate(Date.parse(trip.startedAt), context.zone.name)).add(trip),
    rows(sumOf, keys) {
      const names = /* @__PURE__ */ new Set([...days.map(({ name }) => name), ...keys.filter((key) => key !== null)]);
      return [...names].sort().map((day) => ({ day, ...sumOf(day).values }));
    }
  };
}
function groupKeysOf({ row }, tree) {
  const ids = tree.withAbove((row?.assignedGroups ?? []).flatMap((group) => group?.id ?? []));
  return ids.size === 0 ? [null] : [...ids];
}
function countsOf(keys) {
  const counts = /* @__PURE__ */ new Map();
  for (const key of [...keys].flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
function byGroup(context, vehicles, fleet, tree) {
  const keys = new Map(vehicles.map((vehicle) => [vehicle.id, groupKeysOf(vehicle, tree)]));
  const asked = countsOf(keys.values());
  const present = countsOf(fleet.map((vehicle) => groupKeysOf(vehicle, tree)));
  const several = vehicles.filter(({ row }) => (row?.assignedGroups ?? []).filter((group) => group?.id).length > 1);
  const counts = (id) => ({
    vehiclesAsked: asked.get(id) ?? 0,
    vehiclesInGroup: present.get(id) ?? 0
  });
  return {
    add(trip, sumOf) {
      for (const key of keys.get(trip.vehicleId) ?? [null]) sumOf(key).add(trip);
    },
    rows(sumOf) {
      if (several.length > 0) {
        const few = several.length === 1 ? "1 vehicle is" : `${several.length} vehicles are`;
        context.report.remark(`${few} in several groups and count in each of them; the total has each trip once.`);
      }
      const ids = new Set([...asked.keys()].filter((id) => id !== null));
      const placed = tree.inOrder(ids).map(({ id, name, parentId, level }) => ({
        ...{ group: name, groupId: id, parentId, level },
        ...{ ...counts(id), ...sumOf(id).values }
      }));
      const none = { group: null, groupId: null, parentId: null, level: 0 };
      return asked.has(null) ? [...placed, { ...none, ...counts(null), ...sumOf(null).values }] : placed;
    }
  };
}
export {
  sumTrips
};
