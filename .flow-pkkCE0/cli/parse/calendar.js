import { DAY_MS, isSkippedTime, momentAt, offsetAt } from "../../core/time-zone.js";
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const days = { yesterday: -1, today: 0, tomorrow: 1 };
const dayForm = /^(yesterday|today|tomorrow|(?:last[ -])?(?:sun|mon|tues|wednes|thurs|fri|satur)day)(?:[ t]+(.+))?$/;
function parseDay(text, now, zone) {
  const alone = timeOfDay(text);
  if (alone !== null) return momentOfClock(todayAt(now, zone) + alone, zone);
  const [, name = "", timeText] = dayForm.exec(text) ?? [];
  if (name === "") return null;
  const time = timeOfDay(timeText ?? "00:00");
  return time === null ? null : momentOfClock(wallOfDay(name, now, zone) + time, zone);
}
function momentOfClock(wall, zone) {
  return wall % DAY_MS !== 0 && isSkippedTime(wall, zone) ? null : momentAt(wall, zone);
}
function parsePeriod(text, now, zone) {
  const wall = wallPeriod(text, now, zone);
  return wall && { from: momentAt(wall.from, zone), to: momentAt(wall.to, zone) };
}
function wallPeriod(text, now, zone) {
  const [, name, rest] = dayForm.exec(text) ?? [];
  if (name !== void 0 && rest === void 0) return dayFrom(wallOfDay(name, now, zone));
  const date = dateOf(text);
  if (date !== null) return dayFrom(date);
  const [, which, unit] = /^(this|last|\d+)[ -](day|week|month|quarter|year)s?(?: back)?$/.exec(text) ?? [];
  if (which === void 0 || unit === void 0) return numbered(text);
  const isBack = text.endsWith(" back");
  if (isBack !== /^\d/.test(which) || unit === "day" && !isBack) return null;
  return unitBefore(todayAt(now, zone), unit, isBack ? Number(which) : which === "last" ? 1 : 0);
}
const monthsOf = { month: 1, quarter: 3, year: 12 };
function unitBefore(today, unit, back) {
  const months = monthsOf[unit];
  if (unit === "day") return dayFrom(today - back * DAY_MS);
  if (months === void 0) return weekFrom(mondayOf(today) - back * 7 * DAY_MS);
  const day = new Date(today);
  return monthsFrom(day.getUTCFullYear(), (Math.floor(day.getUTCMonth() / months) - back) * months, months);
}
function numbered(text) {
  const [, yearText, kind, numberText] = /^([12]\d{3})(-?[wq]|-)(\d{1,2})$/.exec(text) ?? [];
  const [year, number] = [Number(yearText), Number(numberText)];
  if (kind?.endsWith("w")) {
    const monday = mondayOf(Date.UTC(year, 0, 4)) + (number - 1) * 7 * DAY_MS;
    return number >= 1 && monday <= Date.UTC(year, 11, 28) ? weekFrom(monday) : null;
  }
  const months = kind?.endsWith("q") ? 3 : kind === "-" && numberText?.length === 2 ? 1 : null;
  if (months === null || number < 1 || number > 12 / months) return null;
  return monthsFrom(year, (number - 1) * months, months);
}
function mondayOf(day) {
  return day - (new Date(day).getUTCDay() + 6) % 7 * DAY_MS;
}
function weekFrom(monday) {
  return { from: monday, to: monday + 7 * DAY_MS };
}
function monthsFrom(year, month, count) {
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + count, 1) };
}
function dayFrom(wall) {
  return { from: wall, to: wall + DAY_MS };
}
function todayAt(now, zone) {
  return Math.floor((now + offsetAt(now, zone)) / DAY_MS) * DAY_MS;
}
function wallOfDay(name, now, zone) {
  const today = todayAt(now, zone);
  const [, last, day = ""] = /^(last[ -])?(.*)$/.exec(name) ?? [];
  const weekday = weekdays.indexOf(day);
  if (weekday < 0) return today + (days[name] ?? 0) * DAY_MS;
  const back = (new Date(today).getUTCDay() - weekday + 7) % 7;
  return today - (back === 0 && last !== void 0 ? 7 : back) * DAY_MS;
}
function dateOf(text) {
  const iso = isoDate(text);
  if (iso === null) return null;
  const date = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(date) && new Date(date).toISOString().startsWith(`${iso}T`) ? date : null;
}
function isMissingDay(text) {
  const [date = ""] = text.split(/[Tt ]/);
  return isoDate(date) !== null && dateOf(date) === null;
}
function isoDate(text) {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (day === void 0 || month === void 0 || year === void 0) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
function timeOfDay(text) {
  if (/^24:00(:00)?$/.test(text)) return DAY_MS;
  const noon = /^(\d{1,2})(:\d{2})? *([ap])m$/i.exec(text);
  if (noon) {
    const hour = Number(noon[1]);
    if (hour < 1 || hour > 12) return null;
    return timeOfDay(`${hour % 12 + (noon[3]?.toLowerCase() === "p" ? 12 : 0)}${noon[2] ?? ":00"}`);
  }
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?$/.exec(text);
  if (!match) return null;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1, 4).map((part) => Number(part ?? 0));
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return hours * 36e5 + minutes * 6e4 + seconds * 1e3 + Math.floor(Number(match[4] ?? 0) * 1e3);
}
export {
  dateOf,
  isMissingDay,
  momentOfClock,
  parseDay,
  parsePeriod,
  timeOfDay
};
