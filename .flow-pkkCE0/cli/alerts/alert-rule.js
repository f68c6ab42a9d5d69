import { durationText } from "../../core/durations.js";
import {
  checkGeofences,
  completeRule,
  WrongRule
} from "../../telemetry/events/event-rule.js";
import { weekdays } from "../../telemetry/events/weekly-hours.js";
import { parseDuration } from "../parse/duration.js";
import { ruleHoursText } from "../views/alert.js";
function completeAlertRule({ geofences, vehicles, ...rule }) {
  checkGeofences(rule.on, geofences);
  return { ...completeRule(rule), geofences: geofences ?? null, vehicles: vehicles ?? null };
}
function readLasting(text) {
  const ms = parseDuration(text, "s");
  if (ms !== null) return ms;
  throw new WrongRule("Write it as 30s, 10m, 6h or 7d; a number without a unit is seconds.");
}
function readName(text) {
  const name = text.trim();
  if (name !== "") return name;
  throw new WrongRule("It needs a name or an id.");
}
function readSpeedLimit(value) {
  return readAmount(value, "It is a number of kilometres per hour, such as 90.");
}
function readBattery(value) {
  return readAmount(value, "It is a number in the unit of misc.power, which is volts as a rule, such as 11.8.");
}
function readResolved(value) {
  if (typeof value === "boolean") return value;
  throw new WrongRule("It is true or false.");
}
function readWeekdays(text) {
  const days = /* @__PURE__ */ new Set();
  for (const part of text.split(",")) {
    const [first = -1, last = first, ...others] = part.split("-").map(readDay);
    if (first < 0 || last < 0 || others.length > 0) {
      throw new WrongRule(`"${part.trim()}" is not a day of the week. Write days as mon,wed or mon-fri.`);
    }
    for (let day = first; ; day = (day + 1) % weekdays.length) {
      days.add(weekdays[day] ?? "mon");
      if (day === last) break;
    }
  }
  return weekdays.filter((day) => days.has(day));
}
function readDay(text) {
  const word = text.trim().toLowerCase();
  return /^[a-z]{3}$|^[a-z]+day$/.test(word) ? weekdays.indexOf(word.slice(0, 3)) : -1;
}
function readAmount(value, problem) {
  const isText = typeof value === "string" && value.trim() !== "";
  const amount = typeof value === "number" || isText ? Number(value) : Number.NaN;
  if (Number.isFinite(amount) && amount >= 0) return amount;
  throw new WrongRule(problem);
}
function ruleText(rule) {
  const { on, forMs, speedLimitKmh, batteryBelow } = rule;
  const limit = speedLimitKmh !== null ? ` over ${speedLimitKmh} km/h` : batteryBelow !== null ? ` below ${batteryBelow}` : "";
  const hours = ruleHoursText(rule);
  return `${on}${limit}${forMs === 0 ? "" : ` for ${durationText(forMs)}`}${hours === "" ? "" : ` ${hours}`}`;
}
export {
  completeAlertRule,
  readBattery,
  readLasting,
  readName,
  readResolved,
  readSpeedLimit,
  readWeekdays,
  ruleText
};
