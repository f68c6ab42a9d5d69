import { TIME_UNITS } from "../../core/durations.js";
import { readNumber } from "../../telemetry/readings.js";
import { timestampMs } from "../../telemetry/timestamps.js";
import { localTime } from "../time/local-time.js";
function ageText(moment, now) {
  const distance = Math.abs(now - moment);
  const unit = TIME_UNITS.find(({ ms }) => distance >= ms);
  if (!unit) return "now";
  const count = distance / unit.ms;
  return moment > now ? `in ${Math.ceil(count)} ${unit.name}` : `${Math.floor(count)} ${unit.name} ago`;
}
const CLOCK_DIFFERENCE_MS = 6e4;
function shortAge(moment, now) {
  const age = now - moment;
  const unit = TIME_UNITS.find(({ ms }) => Math.abs(age) >= ms);
  if (!unit || age < 0 && age > -CLOCK_DIFFERENCE_MS) return "0s";
  return `${age < 0 ? "in " : ""}${Math.floor(Math.abs(age) / unit.ms)}${unit.name.charAt(0)}`;
}
function timeColumn(value, missing = "", precision = "minute") {
  const moment = (row) => timestampMs(value(row));
  return {
    moment,
    text: (row, options) => {
      const shown = moment(row);
      return shown === null ? missing : localTime(shown, precision, options);
    }
  };
}
function timeAndAge(value, options) {
  const moment = timestampMs(value);
  return moment === null ? "" : `${localTime(moment, "second", options)} (${ageText(moment, options.now)})`;
}
function wholeNumber(value) {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}
function positionText(gps) {
  const latitude = readNumber(gps?.latitude) ?? null;
  const longitude = readNumber(gps?.longitude) ?? null;
  if (latitude === null || longitude === null) return "";
  if (latitude === 0 && longitude === 0) return "";
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}
function hoursText(seconds) {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}
const MAX_NAMES = 5;
function namesText(names) {
  const others = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(", ")}${others > 0 ? ` and ${wholeNumber(others)} more` : ""}`;
}
function fullName({ firstName, lastName }) {
  return [firstName, lastName].filter((part) => part !== null && part !== void 0 && part !== "").join(" ");
}
export {
  ageText,
  fullName,
  hoursText,
  namesText,
  positionText,
  shortAge,
  timeAndAge,
  timeColumn,
  wholeNumber
};
