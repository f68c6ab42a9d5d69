import { DAY_MS } from "../../core/time-zone.js";
import { localDate, localTime } from "./local-time.js";
function periodText({ from, end, isOfDays }, zone) {
  if (!isOfDays) {
    const time = (moment) => localTime(moment, "minute", { zone, offset: null });
    return `from ${time(from)} to ${time(end)}`;
  }
  const [first, last] = [localDate(from, zone), localDate(end - 1, zone)];
  return first === last ? `on ${withWeekday(first)}` : `from ${withWeekday(first)} to ${withWeekday(last)}`;
}
const weekdays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];
function withWeekday(date) {
  const days = Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return `${weekdays[(days % 7 + 7) % 7]}, ${date}`;
}
export {
  periodText,
  withWeekday
};
