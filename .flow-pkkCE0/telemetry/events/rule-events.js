import { toDate } from "../../core/dates.js";
import { InvalidInputError } from "../../core/errors.js";
import {
  demand,
  flag,
  members,
  numberFrom,
  oneOf,
  pauseMs,
  positiveMs,
  someIds
} from "../../core/option-checks.js";
import { refusedInput } from "../../core/refused-input.js";
import { zoneNamed } from "../../core/time-zone.js";
import { isAhead } from "../latest.js";
import { watchedSnapshotSelection } from "../watch/fleet-reader.js";
import { askingOf, isoTime, polls } from "../watch/watch-events.js";
import {
  checkGeofences,
  completeRule,
  eventKinds,
  WrongRule
} from "./event-rule.js";
import { isEventState } from "./event-state.js";
import { FleetEvents, ruleSelection } from "./fleet-events.js";
import { weekdays } from "./weekly-hours.js";
const someText = demand((value) => typeof value === "string" && value.trim() !== "", "a non-empty string");
const eventRuleChecks = {
  on: oneOf(...eventKinds),
  name: someText,
  forMs: pauseMs,
  speedLimitKmh: numberFrom(0),
  batteryBelow: numberFrom(0),
  resolved: flag,
  between: someText,
  days: demand(
    (value) => Array.isArray(value) && value.length > 0 && value.every((day) => weekdays.includes(day)),
    `a list of ${weekdays.map((day) => `'${day}'`).join(", ")} that is not empty`
  ),
  schedule: someText,
  outsideSchedule: someText,
  vehicleIds: someIds,
  geofenceIds: someIds
};
const eventOptionChecks = {
  rules: (value, name) => {
    if (!Array.isArray(value) || value.length === 0) return `${name} must be a list of rules that is not empty`;
    for (const [index, rule] of value.entries()) {
      const problem = members(eventRuleChecks, "a rule: { on, \u2026 }")(rule, `${name}[${index}]`);
      if (problem !== null) return problem;
      if (rule.on === void 0) return `${name}[${index}] has no on: ${eventKinds.join(", ")}`;
    }
    return null;
  },
  state: demand(isEventState, "the state of a checkpoint of this version"),
  since: demand(isTime, "a Date, an RFC 3339 time, or milliseconds since 1970"),
  timeZone: demand(
    (value) => typeof value === "string" && zoneNamed(value) !== void 0,
    "the IANA name of a time zone, such as Europe/Tallinn"
  ),
  radiusMetres: numberFrom(0),
  refreshMs: positiveMs
};
function isTime(value) {
  try {
    return toDate(value) instanceof Date;
  } catch {
    return false;
  }
}
function checkRules({ rules, vehicleIds }) {
  const names = /* @__PURE__ */ new Map();
  const watched = vehicleIds && new Set(vehicleIds.map((id) => id.toLowerCase()));
  return rules.map((given, index) => {
    try {
      const rule = completeRule(given);
      checkGeofences(rule.on, given.geofenceIds);
      if (watched && given.vehicleIds?.every((id) => !watched.has(id.toLowerCase()))) {
        throw new WrongRule("None of its vehicleIds is in the vehicleIds of the watch, so it would have no events.");
      }
      const before = names.get(rule.name);
      if (before !== void 0)
        throw new WrongRule(`rules[${before}] has its name too. Give one of them another name.`);
      names.set(rule.name, index);
      return { given, rule };
    } catch (error) {
      throw error instanceof WrongRule ? refusedInput(`rules[${index}]: ${error.message}`, "watchEvents") : error;
    }
  });
}
async function* ruleEvents(options, rules, dependencies, signal) {
  const { state, since, timeZone, radiusMetres, refreshMs } = options;
  const { reader, now, serviceNow, snapshots, warn } = dependencies;
  const complete = rules.map(({ rule }) => rule);
  const selection = { ...watchedSnapshotSelection, ...ruleSelection(complete) };
  const asking = { ...askingOf(options, dependencies), signal };
  const vehicles = reader.open(options, selection);
  const engine = new FleetEvents({
    rules: complete,
    scopes: scopesOf(rules),
    reads: {
      vehicles: async (reuseMs) => (await vehicles.next(reuseMs, asking)).answer,
      geofences: () => reader.geofences(asking),
      schedules: () => reader.schedules(asking),
      snapshots: (...period) => snapshots(selection, signal, ...period)
    },
    ...{ state: state ?? null, zone: timeZone, radiusMetres, refreshMs },
    since: since === void 0 ? null : toDate(since).getTime(),
    now: serviceNow,
    warn: (code, message) => warn({ code, message, operation: "watchEvents" })
  });
  let found = [];
  let hasBegun = false;
  const request = async (reuseMs) => {
    for await (const part of engine.look(reuseMs)) found.push(part);
    return { answer: null, receivedAt: now(), at: serviceNow() };
  };
  try {
    for await (const polled of polls(options, dependencies, signal, request)) {
      if ("type" in polled) yield polled;
      else if (!hasBegun) {
        refuseFuture(since, polled.at);
        hasBegun = true;
      }
      const parts = found;
      found = [];
      for (const { events } of parts) yield* events;
      if (parts.length === 0) continue;
      const { vehicles: states, geofences } = engine.state;
      const known = { version: 1, vehicles: [...states], geofences: geofences && [...geofences] };
      yield { type: "checkpoint", at: "type" in polled ? polled.at : isoTime(polled.at), state: known };
    }
  } finally {
    vehicles.close();
  }
}
function refuseFuture(since, now) {
  const begin = since === void 0 ? null : toDate(since).getTime();
  if (begin === null || !isAhead(begin, now)) return;
  throw refusedInput(
    `since is ${isoTime(begin)}, which has not come yet: the clock of the service shows ${isoTime(now)}. Leave since out to begin now.`,
    "watchEvents"
  );
}
function scopesOf(rules) {
  const setOf = (ids) => new Set(ids.flatMap((id) => [id, id.toLowerCase()]));
  const idsBy = (member) => new Map(rules.flatMap(({ given, rule }) => given[member] ? [[rule, setOf(given[member])]] : []));
  const [vehicles, geofences] = [idsBy("vehicleIds"), idsBy("geofenceIds")];
  return {
    vehicles: async () => vehicles,
    geofences: (rule) => geofences.get(rule) ?? null,
    schedule(name, schedules) {
      const [only, another] = schedules.filter(
        (one) => one.isDeleted !== true && (one.id === name || one.name === name)
      );
      if (only !== void 0 && another === void 0) return only;
      const problem = `${only === void 0 ? "No work schedule has" : "Several work schedules have"} the name or id ${name}.`;
      const facts = { kind: "refusedInput", problem, undone: null };
      throw new InvalidInputError(problem, { operation: "watchEvents", facts });
    }
  };
}
export {
  checkRules,
  eventOptionChecks,
  ruleEvents
};
