import { dayMs, hourMs, minuteMs } from "../core/durations.js";
import { toRfc3339 } from "../core/rfc3339.js";
import { telemetryVehicleOf } from "../store/telemetry-vehicle.js";
import { regions } from "../telemetry/telemetry.js";
function* partsOfTrips(run, spans = [run.period]) {
  for (const vehicle of run.vehicles)
    for (const { from, to } of spans)
      for (const trip of run.context.telemetry.tripParts(telemetryVehicleOf(vehicle), from, to))
        yield { vehicle, trip };
}
const round = (value, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits;
function totalCells(trips) {
  const sumOf = (count) => trips.reduce((sum, trip) => sum + count(trip), 0);
  const distanceKm = sumOf((trip) => trip.distanceKm);
  const fuelLitres = sumOf((trip) => trip.fuelLitres);
  return {
    trips: trips.filter(({ isContinued }) => !isContinued).length,
    distance: round(distanceKm),
    fuel: round(fuelLitres),
    driving: round(sumOf(({ start, end, idleMs }) => end - start - idleMs) / hourMs),
    idle: round(sumOf(({ idleMs }) => idleMs) / hourMs),
    topSpeed: round(
      trips.reduce((top, { topSpeedKmh }) => Math.max(top, topSpeedKmh), 0),
      1
    ),
    harshEvents: sumOf(({ harshEvents }) => Object.values(harshEvents).reduce((sum, count) => sum + (count ?? 0), 0)),
    consumption: distanceKm > 0 ? round(fuelLitres / distanceKm * 100) : null,
    // 2.64 kg of carbon dioxide for a litre of diesel.
    co2: round(fuelLitres * 2.64)
  };
}
const vehicleColumns = ["vehicleId", "vehicle"];
const vehicleCells = ({ id, name }) => ({ vehicleId: id, vehicle: name });
const eachTrip = {
  inputs: ["period", "vehicleIds"],
  maxVehicleDays: 1e4,
  columns: [...vehicleColumns, "start", "end"],
  *rows(run) {
    for (const { vehicle, trip } of partsOfTrips(run))
      yield {
        ...vehicleCells(vehicle),
        ...totalCells([trip]),
        start: toRfc3339(trip.start),
        end: toRfc3339(trip.end),
        startOdometer: round(trip.startOdometerKm, 3),
        endOdometer: round(trip.endOdometerKm, 3)
      };
  }
};
function tripsBy(columns, cellsIn, moreInputs = [], spansOf) {
  return {
    inputs: ["period", "vehicleIds", ...moreInputs],
    maxVehicleDays: 1e4,
    columns,
    rows(run) {
      const cellsOf = cellsIn(run);
      const sums = /* @__PURE__ */ new Map();
      for (const { vehicle, trip } of partsOfTrips(run, spansOf?.(run))) {
        const cells = cellsOf(vehicle, trip);
        if (cells === null) continue;
        const key = JSON.stringify(cells);
        const sum = sums.get(key) ?? { cells, trips: [] };
        sum.trips.push(trip);
        sums.set(key, sum);
      }
      return [...sums.values()].map(({ cells, trips }) => ({ ...cells, ...totalCells(trips) }));
    }
  };
}
function localTimeIn(timeZone) {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  });
  return (time) => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return { day: `${part.year}-${part.month}-${part.day}`, minute: Number(part.hour) * 60 + Number(part.minute) };
  };
}
function localDays({ period: { from, to }, timezone }) {
  const local = localTimeIn(timezone);
  const days = [];
  for (let begin = from; begin < to; ) {
    const { day } = local(begin);
    let [before, after] = [Math.floor(begin / minuteMs), Math.floor((begin + 2 * dayMs) / minuteMs)];
    while (after - before > 1) {
      const middle = before + after >> 1;
      if (local(middle * minuteMs).day === day) before = middle;
      else after = middle;
    }
    days.push({ from: begin, to: Math.min(after * minuteMs, to) });
    begin = after * minuteMs;
  }
  return days;
}
const byVehicle = tripsBy(vehicleColumns, () => vehicleCells);
const byDay = tripsBy(
  [...vehicleColumns, "day"],
  ({ timezone }) => {
    const local = localTimeIn(timezone);
    return (vehicle, { start }) => ({ ...vehicleCells(vehicle), day: local(start).day });
  },
  ["timezone"],
  localDays
);
const byWorkingHours = tripsBy(
  [...vehicleColumns, "inWorkingHours"],
  ({ timezone, workingHours: { begin, end } }) => {
    const local = localTimeIn(timezone);
    return (vehicle, { start }) => {
      const { minute } = local(start);
      const isInside = begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
      return { ...vehicleCells(vehicle), inWorkingHours: isInside };
    };
  },
  ["timezone", "workingHours"],
  localDays
);
const byDriver = tripsBy(["driverId", "driver"], ({ context }) => (vehicle, { start }) => {
  const assignment = context.assignmentAt(vehicle.id, start);
  const driver = assignment === null ? null : context.scope.person(assignment.driverId);
  if (driver === null) return null;
  return { driverId: driver.id, driver: `${driver.firstName ?? ""} ${driver.lastName ?? ""}`.trim() };
});
const byCountry = tripsBy([...vehicleColumns, "country"], () => (vehicle) => ({
  ...vehicleCells(vehicle),
  country: regions.find(({ name }) => name === vehicle.region)?.countryCode ?? null
}));
const ofFleet = tripsBy(["fleet"], ({ context }) => () => ({ fleet: context.fleet.name }));
export {
  byCountry,
  byDay,
  byDriver,
  byVehicle,
  byWorkingHours,
  eachTrip,
  ofFleet,
  round,
  vehicleCells
};
