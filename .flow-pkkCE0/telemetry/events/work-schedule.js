import { isObject } from "../../core/json.js";
import { DAY_MINUTES, minuteOfDay, WeeklyHours, weekdays } from "./weekly-hours.js";
const workScheduleSelection = {
  id: true,
  name: true,
  isDeleted: true,
  periods: { weekday: true, begin: true, duration: true }
};
function hoursOfSchedule({ periods }) {
  if (!Array.isArray(periods) || periods.length === 0) return { problem: "it has no periods" };
  const read = [];
  for (const period of periods) {
    const one = isObject(period) ? periodOf(period) : "a period is missing";
    if (typeof one === "string") return { problem: one };
    read.push(one);
  }
  return { hours: WeeklyHours.of(read), text: read.map(periodText).join(", ") };
}
function periodOf({ weekday, begin, duration }) {
  const day = typeof weekday === "string" ? weekdays.find((name) => isDay(weekday, name)) : void 0;
  if (day === void 0) return `weekday ${JSON.stringify(weekday)} is not the English name of a day`;
  const minute = typeof begin === "string" ? minuteOfDay(begin.replace(/^(\d+:\d\d):00$/, "$1")) : null;
  if (minute === null || minute === DAY_MINUTES) return `begin ${JSON.stringify(begin)} is not a time such as 08:00`;
  if (typeof duration !== "number" || !Number.isInteger(duration) || duration < 1 || duration > DAY_MINUTES) {
    return `duration ${JSON.stringify(duration)} is not a number of minutes up to a day`;
  }
  return { day, begin: minute, minutes: duration };
}
function isDay(text, name) {
  const word = text.trim().toLowerCase();
  return word === name || /^[a-z]+day$/.test(word) && word.startsWith(name);
}
function periodText({ day, begin, minutes }) {
  return `${day} ${clockText(begin)}-${clockText((begin + minutes) % DAY_MINUTES)}`;
}
function clockText(minute) {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
export {
  hoursOfSchedule,
  workScheduleSelection
};
