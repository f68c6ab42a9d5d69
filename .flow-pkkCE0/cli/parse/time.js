import { DAY_MS } from "../../core/time-zone.js";
import { serviceNow } from "../context/context.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { localTime } from "../time/local-time.js";
import { dateOf, isMissingDay, momentOfClock, parseDay, parsePeriod, timeOfDay } from "./calendar.js";
const timeForms = 'such as 2026-03-01T08:30Z, "2026-03-01 08:30", yesterday, "today 8am", 08:00, monday, now, -2h, "2 hours ago", -7d, "last week"';
const timeHelp = `
Times: ${timeForms}.
A time without a zone is local: in the zone of --time-zone, FLEET_TIME_ZONE, TZ, or this machine.
now, today and -2h use the clock of the service. monday is the last one; -30m is 30 minutes.`;
const periodHelp = `${timeHelp}
--on yesterday is the whole day; also "3 days ago", "last friday", "last week" (Monday to Sunday), "this month", "last quarter", 2026-W47,
2026-10 and 2026-Q3.
--to is the first moment that is not part of the period: --from 2026-09 --to 2026-11 is all of September and October.
--from -1d..now gives both ends at once. The same day twice, as in --from yesterday --to yesterday, is the whole day.`;
const nowExpression = { kind: "distance", at: (now) => now, lastMoment: null };
function readTime(run, text, flag) {
  const zone = run.zone.name;
  const trimmed = text.trim();
  const at = (now) => {
    const moment = parseTime(trimmed, now, zone);
    if (moment !== null) return moment;
    if (isMissingDay(trimmed)) {
      throw refusal(`${flag} "${text}" is not a time: the calendar has no such day.`, {
        hint: "Check its day and month; 2026-03-01 is the first of March."
      });
    }
    refuseSkippedHour(trimmed, now, zone, flag);
    const hasMonths = /^[+-].*\dM/.test(trimmed);
    throw refusal(`${flag} "${text}" is not a time.`, {
      hint: hasMonths ? "Write m for minutes. For months give a date, or days: -30d." : `Write it ${timeForms}.`
    });
  };
  at(serviceNow(run));
  const isAbsolute = parseAbsolute(trimmed, zone) !== null;
  const periodAt = (now) => parsePeriod(trimmed.toLowerCase(), now, zone);
  const isDistance = /^([+-]|now$)|\bago$/i.test(trimmed);
  return {
    kind: isAbsolute ? "moment" : isDistance ? "distance" : "day",
    at,
    lastMoment: periodAt(serviceNow(run)) === null ? null : (now) => (periodAt(now)?.to ?? Number.NaN) - 1
  };
}
async function knownServiceNow(run, client) {
  await client.connect({ signal: run.io.signal });
  return serviceNow(run);
}
async function pastMoment(run, client, time, flag) {
  const now = await knownServiceNow(run, client);
  const moment = time.at(now);
  if (moment <= now) return moment;
  const text = (at) => localTime(at, "minute", { zone: run.zone.name, offset: null });
  throw new CliError("USAGE", `${flag} ${text(moment)} is in the future: it is ${text(now)}.`, {
    hint: `Give a time in the past, or leave out ${flag} for now.`
  });
}
class PeriodExpression {
  #from;
  #to;
  #refusal;
  #zone;
  #mayBeToCome;
  /** @throws CliError when the period is wrong whatever the current time is. */
  constructor(run, { from, to }, refusal2, { mayBeToCome = false } = {}) {
    this.#from = from;
    this.#to = to;
    this.#refusal = refusal2;
    this.#zone = run.zone.name;
    this.#mayBeToCome = mayBeToCome;
    if (from.kind !== to.kind) return;
    const now = serviceNow(run);
    const spans = Array.from({ length: 7 }, (_, days) => this.#read(now + days * DAY_MS));
    const [problem] = spans;
    if (problem instanceof CliError && spans.every((span) => span instanceof CliError)) throw problem;
  }
  /**
   * Call this after the requests that do not need the period: their answers tell the time of the service.
   * @throws CliError USAGE for a period that has not begun
   */
  async span(run, client) {
    const now = await knownServiceNow(run, client);
    const span = this.#at(now);
    if (span.from <= now || this.#mayBeToCome) return span;
    const text = (moment) => localTime(moment, "minute", { zone: this.#zone, offset: null });
    throw new CliError("USAGE", `The period has not begun yet: it begins ${text(span.from)}, and it is ${text(now)}.`, {
      hint: "Give an earlier --on or --from."
    });
  }
  #at(now) {
    const span = this.#read(now);
    if (span instanceof CliError) throw span;
    return span;
  }
  #read(now) {
    const [from, to] = [this.#from.at(now), this.#to.at(now)];
    const isOfDays = this.#from.lastMoment !== null && this.#to.lastMoment !== null;
    const span = { from, to, end: to, isOfDays };
    if (from < to) return span;
    if (from > to) return this.#refusal(span);
    if (this.#from.lastMoment && this.#to.lastMoment) {
      const last = this.#to.lastMoment(now);
      return { from, to: last, end: last + 1, isOfDays };
    }
    const both = localTime(span.from, "exact", { zone: this.#zone, offset: null });
    return new CliError("USAGE", `The period is empty: --from and --to are both ${both}.`, {
      hint: "Give a later --to, or --on for a whole day."
    });
  }
}
function endsTooEarly(to, undone = "sent") {
  return to === void 0 ? new CliError("USAGE", "--from is in the future, and without --to a period ends now.", {
    undone,
    hint: "Give a --from in the past, or a later --to."
  }) : new CliError("USAGE", "--from is after --to.", { undone, hint: "Swap --from and --to." });
}
function readPeriodExpression(run, from, to, refusal2, rules) {
  const end = to === void 0 ? nowExpression : readTime(run, to, "--to");
  return new PeriodExpression(run, { from: readTime(run, from, "--from"), to: end }, refusal2, rules);
}
function withDay(run, flags) {
  const { on } = flags;
  if (on === void 0) return withRange(flags);
  if (flags.from !== void 0 || flags.to !== void 0) {
    throw refusal("Give either --on, or --from and --to.", {
      hint: "--on is a whole day; --from and --to are any period."
    });
  }
  const [from, to] = rangeOf(on);
  if (from !== void 0 && to !== void 0) return { ...flags, from, to };
  const month = monthNamed(on);
  if (month !== null) {
    throw refusal(`--on "${on}" is not a day.`, {
      hint: `Write a month as ${lastOfMonth(month, serviceNow(run))}, or as "last month" or "this month".`
    });
  }
  const day = wholeOf(on);
  if (readTime(run, day, "--on").lastMoment !== null) return { ...flags, from: day, to: day };
  throw refusal(`--on "${on}" is not a day.`, {
    hint: 'Write it as yesterday, monday, "3 days ago", 2026-03-01, 2026-W09, 2026-02, "last week" or "this month"; for a part of a day as -2h..now.'
  });
}
const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
function monthNamed(text) {
  const [, name = ""] = /^(?:last |this )?([a-z]{3})[a-z]*(?: \d{4})?$/i.exec(text.trim()) ?? [];
  const month = monthNames.indexOf(name.toLowerCase());
  return month < 0 ? null : month;
}
function lastOfMonth(month, now) {
  const today = new Date(now);
  const year = today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0);
  return `${year}-${String(month + 1).padStart(2, "0")}`;
}
function wholeOf(on) {
  const [, count, unit] = /^(an?|\d+)[ -]?(day|week|month|quarter|year)s?[ -]ago$/.exec(on.trim().toLowerCase()) ?? [];
  return count === void 0 ? on : `${/^a/.test(count) ? 1 : count} ${unit}s back`;
}
function withRange(flags) {
  const [from, to] = rangeOf(flags.from ?? "");
  if (from === void 0 || to === void 0) return flags;
  if (flags.to === void 0) return { ...flags, from, to };
  throw refusal(`--from "${flags.from}" has its end already.`, {
    hint: "Leave out --to, or give one time to --from."
  });
}
function rangeOf(text) {
  const match = /^(.+?)\.\.(.*)$/.exec(text.trim());
  return match ? [(match[1] ?? "").trim(), (match[2] ?? "").trim() || "now"] : [];
}
function timestamp(moment) {
  return new Date(moment).toISOString();
}
function parseTime(text, now, zone) {
  const trimmed = text.trim();
  const moment = (trimmed.toLowerCase() === "now" ? now : null) ?? parseRelative(trimmed, now) ?? parseAgo(trimmed.toLowerCase(), now) ?? parseDay(trimmed.toLowerCase(), now, zone) ?? parsePeriod(trimmed.toLowerCase(), now, zone)?.from ?? parseAbsolute(trimmed, zone);
  return moment !== null && moment >= earliest && moment <= latest ? moment : null;
}
function refuseSkippedHour(text, now, zone, flag) {
  if (parseTime(text, now, zone) !== null || parseTime(text, now, "UTC") === null) return;
  throw refusal(`${flag} "${text}" is not a time: clocks are put forward over it.`, {
    hint: "Give an hour before or after it, or a time with its offset, such as 2026-03-01T08:30+02:00."
  });
}
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");
const units = { s: 1e3, m: 6e4, h: 36e5, d: DAY_MS, w: 7 * DAY_MS };
function parseRelative(text, now) {
  const match = /^([+-])((?:\d+(?:\.\d+)?[smhdwSHDW])+)$/.exec(text);
  if (!match) return null;
  const parts = (match[2] ?? "").toLowerCase().matchAll(/([\d.]+)([smhdw])/g);
  let distance = 0;
  for (const [, count, unit] of parts) distance += Number(count) * (units[unit ?? ""] ?? Number.NaN);
  return Math.round(match[1] === "-" ? now - distance : now + distance);
}
function parseAgo(text, now) {
  const match = /^(an?|\d+(?:\.\d+)?) ?(second|minute|min|hour|day|week)s? ago$/.exec(text);
  if (!match) return null;
  const count = /^an?$/.test(match[1] ?? "") ? 1 : Number(match[1]);
  return Math.round(now - count * (units[match[2]?.charAt(0) ?? ""] ?? Number.NaN));
}
function parseAbsolute(text, zone) {
  const match = /^(\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4})(?:[Tt ]+([\d:.]+?(?: *[AaPp][Mm])?) *([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
    text
  );
  if (!match) return null;
  const date = dateOf(match[1] ?? "");
  if (date === null) return null;
  const time = timeOfDay(match[2] ?? "00:00");
  if (time === null) return null;
  const offset = match[3] === void 0 ? void 0 : offsetOf(match[3]);
  if (offset === null) return null;
  if (offset !== void 0) return date + time - offset;
  return typeof zone === "number" ? date + time - zone : momentOfClock(date + time, zone);
}
function offsetOf(text) {
  if (/^z$/i.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 36e5 + minutes * 6e4);
}
export {
  PeriodExpression,
  endsTooEarly,
  knownServiceNow,
  parseAbsolute,
  parseTime,
  pastMoment,
  periodHelp,
  readPeriodExpression,
  readTime,
  refuseSkippedHour,
  timeForms,
  timeHelp,
  timestamp,
  withDay
};
