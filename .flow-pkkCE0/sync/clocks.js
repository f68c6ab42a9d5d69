import { MAX_AHEAD_MS, timestampMs } from "fleet-telematics/kit";
import { isOfPart } from "./by-vehicle.js";
const CLOCK_SLACK_MS = 6e4;
const VEHICLES = 500;
function clocksOf(fleet) {
  const { serviceMs: service, machineMs: machine, isKnown } = fleet.serviceClock();
  return { service, machine, agree: isKnown && Math.abs(service - machine) <= CLOCK_SLACK_MS };
}
function latestNow({ service, machine }) {
  return Math.max(service, machine) + CLOCK_SLACK_MS;
}
function earliestNow({ service, machine }) {
  return Math.min(service, machine);
}
async function vouchedTime(fleet, clocks, vehicleIds, signal) {
  const both = earliestNow(clocks);
  const latest = latestNow(clocks) + MAX_AHEAD_MS;
  const reached = clocks.agree ? both : Math.min(both, await newestReport(fleet, vehicleIds, latest, signal));
  return reached + CLOCK_SLACK_MS;
}
async function newestReport(fleet, vehicleIds, latest, signal) {
  let newest = Number.NEGATIVE_INFINITY;
  try {
    for (let at = 0; at < vehicleIds.length; at += VEHICLES) {
      const some = vehicleIds.slice(at, at + VEHICLES);
      const select = { vehicleId: true, timestamp: true };
      const rows = await fleet.getLatestSnapshots({ vehicleIds: some }, { select, priority: "low", signal });
      for (const { timestamp } of rows) {
        const time = timestampMs(timestamp) ?? newest;
        if (time <= latest) newest = Math.max(newest, time);
      }
    }
  } catch (error) {
    if (!isOfPart(error)) throw error;
  }
  return newest;
}
export {
  CLOCK_SLACK_MS,
  clocksOf,
  earliestNow,
  latestNow,
  vouchedTime
};
