import { despiteFailures } from "../../../telemetry/streams/despite-failures.js";
import { connect } from "../../connection/connect.js";
import { formatOf, printRows } from "../../context/print.js";
import { CliError, refusal } from "../../errors/cli-error.js";
import { FailedVehicles } from "../../errors/failed-vehicles.js";
import { findId } from "../../find/record.js";
import { onlyVehicle, vehicleChoice } from "../../find/vehicles.js";
import {
  endsTooEarly,
  readPeriodExpression,
  timestamp,
  withDay
} from "../../parse/time.js";
import { readDriversAndPlaces } from "../../places/drivers-and-places.js";
import { driverKind } from "../../records/person.js";
import { vehicleKind } from "../../records/vehicle.js";
import { isAsked } from "../../shape/asked.js";
import { listShape } from "../../shape/list-shape.js";
import { periodText } from "../../time/period-text.js";
import { beyondPeriod } from "../trips/beyond-period.js";
import { tripProgress, withProgress } from "../trips/progress.js";
function addActivityFlags(command, noun) {
  const inProgress = noun === "trip" ? "under way" : "in progress";
  return command.option("--from <time>", `start of the period; a ${noun} ${inProgress} at that time is listed completely`).option(
    "--to <time>",
    `end of the period, which is not part of it: 2026-11 for all of October (default: now); a ${noun} ${inProgress} at that time is listed as open`
  ).option("--on <day>", 'in place of both: a whole day, week or month, such as yesterday or "last week"').option("--driver <driver>", `only ${noun}s in which this driver was identified: a name, an e-mail or an id`).option(
    "--clip",
    `of ${noun}s that go beyond the period, list only what lies inside${noun === "trip" ? ", as sums do" : ""}`
  );
}
async function listActivities(context, names, flags, list) {
  const { noun } = list;
  const only = onlyVehicle(names, flags);
  const period = periodOfTrips(context, withDay(context, flags));
  const shape = listShape(context, only === null ? list.fleetView : list.view, "view");
  const needs = needsOf(context, list.places, only === null || formatOf(context).forPeople);
  const choose = only === null ? vehicleChoice(context, names, flags) : chooseOnly(context, only, needs.vehicle);
  const client = await connect(context);
  const clip = flags.clip === true;
  const found = await activityRows(context, client, {
    ...{ choose, needs, clip, list, isOfOne: only !== null, driver: flags.driver },
    span: () => period.span(context, client)
  });
  if (found === null) return printRows(context, [], shape.view, "There is no such vehicle.");
  const inPeriod = periodText(found.span, context.zone.name);
  const beyond = beyondPeriod(context, found.span, { noun });
  const rows = shape.rows(found.rows, beyond.take);
  await printRows(context, rows, { ...shape.view, period: inPeriod }, `There is no ${noun} ${inPeriod}.`);
  if (!clip) beyond.warn();
  found.end();
}
function periodOfTrips(run, flags) {
  if (flags.from === void 0) {
    throw refusal("--on or --from is missing.", {
      hint: "Which period? Add --on today, --on yesterday, or --from -7d for the last seven days."
    });
  }
  return readPeriodExpression(run, flags.from, flags.to, () => endsTooEarly(flags.to));
}
function needsOf(run, places, byDefault) {
  const all = byDefault && run.globals.fields === void 0;
  const asked = (names) => isAsked(run, names);
  const isMap = formatOf(run).map !== null;
  return { vehicle: isMap || asked(["vehicle"]), driver: all || asked(["driver"]), places: all || asked(places) };
}
function chooseOnly(context, name, needsName) {
  return async (client) => {
    const id = await findId(context, client, vehicleKind, name, { substring: true });
    if (needsName) return vehicleChoice(context, [id], {})(client);
    return [{ id, name: "", row: null }];
  };
}
function boundsOf({ from, to, end }, clip) {
  return { from: timestamp(from), to: timestamp(clip ? end : to) };
}
async function activityRows(context, client, { choose, isOfOne, needs: asked, driver, span, clip, list }) {
  const { noun } = list;
  const needs = isOfOne ? asked : { ...asked, vehicle: context.globals.fields === void 0 || asked.vehicle };
  const [vehicles, driverId, lists] = await Promise.all([
    choose(client),
    // A typed id may be in any letter case.
    driver === void 0 ? null : findId(context, client, driverKind, driver, { substring: true }).then((id) => id.toLowerCase()),
    isOfOne ? null : readDriversAndPlaces(context, client, needs)
  ]);
  const [only] = vehicles;
  if (only === void 0) return null;
  const nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
  const nameOf = (id) => nameById.get(id) ?? id;
  const period = await span();
  const failed = new FailedVehicles("getSnapshots", nameOf);
  const seen = /* @__PURE__ */ new Set();
  let known = lists;
  let count = 0;
  let isInterrupted = false;
  const progress = tripProgress(context, period, noun, isOfOne ? void 0 : vehicles.length);
  const ofSeveral = {
    onEvent(event) {
      if (event.type === "error") failed.addOfStream(event);
      if (event.type === "error" || event.type === "complete") progress.reach(event.vehicleId, period.end);
    }
  };
  async function* read(some) {
    const items = list.stream(
      client,
      {
        ...isOfOne && only !== void 0 ? { vehicleId: only.id } : { vehicleIds: some.map(({ id }) => id) },
        ...boundsOf(period, clip)
      },
      { partial: true, signal: context.io.signal, clip, ...isOfOne ? {} : ofSeveral }
    );
    try {
      for await (const item of withProgress(progress, despiteFailures(items))) {
        if (driverId !== null && !item.driverIds.some((id) => id.toLowerCase() === driverId)) continue;
        known ??= await readDriversAndPlaces(context, client, needs);
        const { names, places } = known;
        count++;
        seen.add(item.vehicleId);
        yield {
          ...needs.vehicle ? { vehicle: nameOf(item.vehicleId) } : {},
          ...needs.driver ? { driver: item.driverIds.map((id) => names.get(id) ?? id).join(", ") } : {},
          ...item,
          ...needs.places ? list.placesIn(item, places) : {}
        };
      }
    } catch (error) {
      if (isOfOne || !context.io.signal.aborted) throw error;
      isInterrupted = true;
    }
  }
  const isGrouped = !isOfOne && formatOf(context).forPeople && context.globals.sort === void 0;
  const atFirst = context.globals.limit === void 0 ? vehicles.length : 1;
  return {
    span: period,
    rows: isGrouped ? grouped(vehicles, atFirst, read, () => isInterrupted) : read(vehicles),
    end: () => {
      failed.report(context.report);
      if (!isInterrupted) return;
      throw new CliError("ABORTED", "Interrupted.", {
        hint: `${count} ${noun}s of ${seen.size} of ${vehicles.length} vehicles had arrived and are printed; the rest is missing.`
      });
    }
  };
}
async function* grouped(vehicles, atFirst, read, isOver) {
  let count = atFirst;
  for (let at = 0; at < vehicles.length && !isOver(); at += count, count *= 2) {
    const some = vehicles.slice(at, at + count);
    if (some.length === 1) yield* read(some);
    else yield* inOrder(some, read(some));
  }
}
async function* inOrder(vehicles, rows) {
  const byVehicle = /* @__PURE__ */ new Map();
  for await (const row of rows) {
    const own = byVehicle.get(row.vehicleId);
    if (own) own.push(row);
    else byVehicle.set(row.vehicleId, [row]);
  }
  for (const { id } of vehicles) {
    yield* (byVehicle.get(id) ?? []).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  }
}
export {
  addActivityFlags,
  boundsOf,
  listActivities,
  periodOfTrips
};
