import { InvalidInputError } from "../../core/errors.js";
import { isAhead } from "../latest.js";
import { timestampMs } from "../timestamps.js";
import { eventOf } from "./fleet-event.js";
import { Geofences, REFRESH_MS } from "./geofences.js";
import {
  afterSnapshot,
  afterTime,
  amongGeofences,
  firstState,
  needsGeofences,
  underRules,
  unseenState
} from "./vehicle-state.js";
import { hoursOfSchedule } from "./work-schedule.js";
const PART = { events: 500, snapshots: 2e4 };
const MOST_NAMES = 10;
function ruleSelection(rules) {
  const hasHours = rules.some((rule) => (rule.hours ?? rule.schedule ?? rule.outsideSchedule) !== null);
  return {
    ...rules.some(({ on }) => on === "low-battery") ? { misc: { power: true } } : {},
    ...hasHours ? { locationTimeZone: true } : {}
  };
}
class FleetEvents {
  #parts;
  #geofences;
  #states;
  #background = null;
  /** Found since the last part. */
  #changed = /* @__PURE__ */ new Set();
  #found = [];
  #areGeofencesNew = false;
  /** The warnings that hold, given once each. A complete look without one ends it. */
  #warnings = /* @__PURE__ */ new Set();
  /** The warnings that this look has found. */
  #foundWarnings = /* @__PURE__ */ new Set();
  constructor(parts) {
    this.#parts = parts;
    this.#states = new Map(parts.state?.vehicles);
    const hashes = parts.state?.geofences ? new Map(parts.state.geofences) : null;
    this.#geofences = new Geofences({ radiusMetres: parts.radiusMetres }, hashes);
  }
  /** The number of vehicles that it watches. */
  get size() {
    return this.#states.size;
  }
  get state() {
    return { vehicles: this.#states, geofences: this.#geofences.hashes };
  }
  /** Looks once. What was found before a failure is returned too, before the error is thrown. */
  async *look(options) {
    let failure = null;
    let isComplete = false;
    this.#foundWarnings = /* @__PURE__ */ new Set();
    try {
      isComplete = yield* this.#look(options);
    } catch (error) {
      failure = { error };
    }
    this.#warnings = /* @__PURE__ */ new Set([...isComplete ? [] : this.#warnings, ...this.#foundWarnings]);
    yield* this.#take();
    if (failure !== null) throw failure.error;
  }
  /** Returns true when the answers were complete. */
  async *#look(options) {
    const { reads, now: serviceNow, since } = this.#parts;
    const [listed, background] = await Promise.all([reads.vehicles(options), this.#readBackground(options)]);
    const now = serviceNow();
    const isRefreshed = background !== this.#background;
    this.#background = background;
    const chosen = background.vehiclesOf.get(null);
    const watched = listed.vehicles.filter(({ vehicleId }) => chosen?.has(vehicleId) ?? true);
    const redrawn = isRefreshed && background.answer !== null ? this.#redraw(background.answer) : null;
    const around = new Map(watched.map(({ vehicleId }) => [vehicleId, this.#surroundings(vehicleId, background)]));
    if (listed.isComplete) {
      for (const id of [...this.#states.keys()]) if (!around.has(id)) this.#set(id, void 0);
    }
    for (const [id, surroundings] of around) {
      const before = this.#states.get(id);
      if (before === void 0) continue;
      const among = redrawn === null ? before : amongGeofences(before, redrawn, surroundings);
      this.#set(id, underRules(among, now, surroundings));
    }
    for (const message of background.warnings) this.#warn("WORK_SCHEDULE", message);
    for (const name of this.#geofences.unreadable) {
      this.#warn("NOT_WATCHED", `The geofence ${name} cannot be read, so no vehicle is inside of it.`);
    }
    if (listed.isComplete) this.#warnOfLastRows(watched);
    if (listed.isComplete) this.#warnOfUnknownIds(listed.vehicles, background);
    const failed = yield* this.#readSnapshots(watched, around, now);
    for (const vehicle of watched) {
      const { vehicleId, snapshot } = vehicle;
      const surroundings = around.get(vehicleId);
      if (surroundings === void 0 || failed.has(vehicleId)) continue;
      const time = timestampMs(snapshot?.timestamp);
      const isNew = !this.#states.has(vehicleId);
      if (snapshot !== null && time !== null && (time <= now || isNew && !isAhead(time, now))) {
        this.#takeSnapshot(vehicle, snapshot, Math.min(time, now), surroundings, since ?? now);
      } else if (snapshot !== null && isNew) {
        this.#set(vehicleId, unseenState(now, surroundings));
      }
      const state = this.#states.get(vehicleId);
      if (state) this.#step(vehicle, afterTime(state, now, surroundings));
    }
    return listed.isComplete && background.answer?.isComplete !== false;
  }
  #warnOfLastRows(watched) {
    const warn = (vehicles, text) => {
      const whose = vehicles.length === 1 ? "1 vehicle" : `${vehicles.length} vehicles`;
      if (vehicles.length > 0) this.#warn("NOT_WATCHED", text(whose, namesOf(vehicles)));
    };
    warn(
      watched.filter(({ snapshot }) => snapshot === null),
      (whose, names) => `No snapshot of ${whose} has arrived, so there are no events until one does: ${names}.`
    );
    warn(
      watched.filter(({ snapshot }) => snapshot !== null && timestampMs(snapshot.timestamp) === null),
      (whose, names) => `The last snapshot of ${whose} has no readable time; its events come from the others: ${names}.`
    );
  }
  /** Warns of ids in rules that are not in the lists of the service: they have no events. */
  #warnOfUnknownIds(vehicles, { answer, vehiclesOf, geofencesOf }) {
    const warn = (noun, known, chosen) => {
      for (const [rule, ids] of chosen) {
        const unknown = [...new Set([...ids ?? []].map((id) => id.toLowerCase()))].filter((id) => !known.has(id));
        if (unknown.length === 0) continue;
        const whose = rule === null ? "The watch" : `The rule ${rule.name}`;
        this.#warn(
          "NOT_WATCHED",
          `${whose} names ${noun} that this watch does not see: ${unknown.slice(0, MOST_NAMES).join(", ")}.`
        );
      }
    };
    warn("vehicles", new Set(vehicles.map(({ vehicleId }) => vehicleId.toLowerCase())), vehiclesOf);
    if (answer === null || !answer.isComplete) return;
    warn("geofences", new Set(answer.geofences.map(({ geofenceId }) => geofenceId.toLowerCase())), geofencesOf);
  }
  async #readBackground(options) {
    const { reads, scopes, rules, refreshMs = REFRESH_MS, now } = this.#parts;
    const readAt = now();
    if (this.#background !== null && readAt - this.#background.readAt < refreshMs) return this.#background;
    const hasSchedule = rules.some(({ schedule, outsideSchedule }) => (schedule ?? outsideSchedule) !== null);
    const [answer, schedules, vehiclesOf] = await Promise.all([
      needsGeofences(rules) ? reads.geofences(options) : null,
      hasSchedule ? reads.schedules(options) : [],
      scopes.vehicles(options)
    ]);
    const hours = rules.map((rule) => [rule, this.#hoursOf(rule, schedules)]);
    return {
      readAt,
      answer,
      geofencesOf: new Map(
        rules.map((rule) => [rule, answer === null ? null : scopes.geofences(rule, answer.geofences)])
      ),
      vehiclesOf,
      hoursOf: new Map(hours.map(([rule, { open }]) => [rule, open])),
      warnings: hours.flatMap(([, { warnings }]) => warnings)
    };
  }
  #hoursOf(rule, schedules) {
    const name = rule.schedule ?? rule.outsideSchedule;
    if (name === null) return { open: rule.hours, warnings: [] };
    const read = hoursOfSchedule(this.#parts.scopes.schedule(name, schedules));
    if ("problem" in read) {
      const problem = `The hours of the work schedule ${name} cannot be read: ${read.problem}. Give the rule ${rule.name} hours and days of its own.`;
      throw new InvalidInputError(problem, {
        operation: "watchEvents",
        facts: { kind: "refusedInput", problem, undone: null }
      });
    }
    const shown = `The work schedule ${name} is read as ${read.text}: the contract gives no unit of its durations, and minutes are likeliest. Its grace times are left out.`;
    const hours = rule.schedule === null ? read.hours.outside() : read.hours;
    const open = rule.hours === null ? hours : hours.and(rule.hours);
    const empty = `The rule ${rule.name} never counts: its hours are empty.`;
    return { open, warnings: [shown, ...open.isEmpty ? [empty] : []] };
  }
  #surroundings(vehicleId, { geofencesOf, vehiclesOf, hoursOf }) {
    return {
      rules: this.#parts.rules.filter((rule) => vehiclesOf.get(rule)?.has(vehicleId) ?? true),
      geofences: this.#geofences.known,
      isAbout: (rule, geofenceId) => geofencesOf.get(rule)?.has(geofenceId) ?? true,
      hoursOf: (rule) => hoursOf.get(rule) ?? null,
      zone: this.#parts.zone
    };
  }
  /**
   * Takes the geofences, and returns the changed ones; null when there was nothing to compare them
   * with.
   */
  #redraw(answer) {
    const isFirst = this.#geofences.hashes === null;
    const changed = this.#geofences.take(answer);
    if (changed.size > 0) this.#areGeofencesNew = true;
    return isFirst ? null : changed;
  }
  /** Reads the snapshots since the last look. Returns the vehicles that could not be read. */
  async *#readSnapshots(watched, around, now) {
    const { reads, since } = this.#parts;
    const vehicles = watched.flatMap(({ vehicleId, snapshot }) => {
      const time = timestampMs(snapshot?.timestamp);
      const from = this.#states.get(vehicleId)?.seenAt ?? since;
      const isNewer = snapshot !== null && from !== null && (time === null || time > from) && from < now;
      return isNewer ? [{ vehicleId, from: new Date(from) }] : [];
    });
    const failed = /* @__PURE__ */ new Set();
    if (vehicles.length === 0) return failed;
    const byId = new Map(watched.map((vehicle) => [vehicle.vehicleId, vehicle]));
    const rows = reads.snapshots(vehicles, new Date(now), (vehicleId, reason) => {
      failed.add(vehicleId);
      const name = byId.get(vehicleId)?.name ?? vehicleId;
      this.#warn("NOT_WATCHED", `What ${name} has sent could not be read, and is read again later: ${reason}`);
    });
    let left = PART.snapshots;
    for await (const row of rows) {
      const vehicle = byId.get(row.vehicleId);
      const surroundings = around.get(row.vehicleId);
      const time = timestampMs(row.timestamp);
      if (vehicle === void 0 || surroundings === void 0 || time === null || time > now) continue;
      this.#takeSnapshot(vehicle, row, time, surroundings, time);
      if (--left > 0 && this.#found.length < PART.events) continue;
      yield* this.#take();
      left = PART.snapshots;
    }
    return failed;
  }
  /** `firstAt`: the begin of the watch for a vehicle without a state. */
  #takeSnapshot(vehicle, snapshot, time, surroundings, firstAt) {
    const before = this.#states.get(vehicle.vehicleId);
    if (before) this.#step(vehicle, afterSnapshot(before, snapshot, time, surroundings));
    else this.#set(vehicle.vehicleId, firstState(snapshot, time, firstAt, surroundings));
  }
  #step(vehicle, { state, transitions }) {
    this.#set(vehicle.vehicleId, state);
    for (const transition of transitions) this.#found.push({ transition, vehicle });
  }
  #set(vehicleId, state) {
    if (state === this.#states.get(vehicleId)) return;
    if (state === void 0) this.#states.delete(vehicleId);
    else this.#states.set(vehicleId, state);
    this.#changed.add(vehicleId);
  }
  #warn(code, message) {
    if (!this.#warnings.has(message) && !this.#foundWarnings.has(message)) this.#parts.warn(code, message);
    this.#foundWarnings.add(message);
  }
  /** Yields what was found since the last part, when there is anything. */
  *#take() {
    const found = this.#found;
    const vehicles = [...this.#changed].map((id) => [id, this.#states.get(id) ?? null]);
    const hashes = this.#areGeofencesNew ? this.#geofences.hashes : null;
    if (vehicles.length === 0 && found.length === 0 && hashes === null) return;
    this.#changed = /* @__PURE__ */ new Set();
    this.#found = [];
    this.#areGeofencesNew = false;
    const foundAt = this.#parts.now();
    const nameOf = (id) => this.#geofences.known.get(id)?.name ?? null;
    const events = found.sort((a, b) => a.transition.dueAt - b.transition.dueAt).map(({ transition, vehicle }) => eventOf(transition, vehicle, nameOf, foundAt));
    yield { events, vehicles, ...hashes === null ? {} : { geofences: [...hashes] } };
  }
}
function namesOf(vehicles) {
  const names = vehicles.map(({ name, licensePlate, vehicleId }) => name ?? licensePlate ?? vehicleId);
  const more = names.length - MOST_NAMES;
  return [...names.slice(0, MOST_NAMES), ...more > 0 ? [`and ${more} more`] : []].join(", ");
}
export {
  FleetEvents,
  ruleSelection
};
