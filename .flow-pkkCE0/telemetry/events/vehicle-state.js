import { greatCircleKm } from "../../core/geo.js";
import { zoneNamed } from "../../core/time-zone.js";
import { positionAfter } from "../current-position.js";
import { liveStatus, staleAfterMs } from "../live-status.js";
import { POSITION_NOISE_KM } from "../position-cleaner.js";
import { readText } from "../readings.js";
import { SHORTEST_STOP_MS } from "../stops/stop.js";
import { speedingAfter } from "../trips/speeding.js";
import { isGeofenceKind, isMomentary } from "./event-rule.js";
import { crossingsTo } from "./geofence-crossings.js";
import { readSnapshot } from "./snapshot-readings.js";
const lastsInSilence = /* @__PURE__ */ new Set(["silent", "offline", "idle", "geofence-dwell"]);
const needsSnapshots = /* @__PURE__ */ new Set(["speeding", "movement"]);
function firstState(snapshot, time, now, around) {
  const nothing = emptyState(time, around.rules);
  const { state, facts } = observe(nothing, snapshot, time, around);
  const conditions = around.rules.flatMap(
    (rule) => conditionsOf(rule, nothing, state, facts, around).map((one) => asFound(one, rule, now, state, around))
  );
  return { ...state, conditions };
}
function unseenState(now, { rules }) {
  const nothing = emptyState(now, rules);
  const silences = rules.filter(({ on }) => on === "silent" || on === "offline");
  return { ...nothing, isUnseen: true, conditions: silences.map((rule) => begun(rule, "", nothing, now, null, null)) };
}
function emptyState(seenAt, rules) {
  return {
    ...{ seenAt, position: null, inside: [], engineOn: null, isIdling: false, movement: null, anchor: null },
    ...{ rules: namesOf(rules), conditions: [] }
  };
}
function afterSnapshot(before, snapshot, time, around) {
  if (time <= before.seenAt) return { state: before, transitions: [] };
  const passed = afterTime(before, time, around);
  const { state, facts } = observe(passed.state, snapshot, time, around);
  const conditions = around.rules.flatMap((rule) => {
    const found = conditionsOf(rule, passed.state, state, facts, around);
    if (before.isUnseen) return found.map((one) => asFound(one, rule, time, state, around));
    return found.map((one) => isWaiting(one, rule, state, time, around) ? refreshed(one, rule, state, facts) : one);
  });
  const over = endsOf(passed.state, conditions, around.rules, { ...facts, position: state.position });
  const due = emitDue({ ...state, conditions }, time, around);
  return { state: due.state, transitions: [...passed.transitions, ...over, ...due.transitions] };
}
function endsOf(before, after, rules, end) {
  return rules.flatMap(
    (rule) => before.conditions.filter((one) => one.awaitsEnd === true && one.rule === rule.name).filter((one) => !after.some((other) => isSame(one, other))).map((condition) => ({ rule, condition, from: condition.since, dueAt: end.time, end }))
  );
}
function isSame(one, other) {
  return one.rule === other.rule && one.since === other.since && one.subject === other.subject;
}
function afterTime(before, time, around) {
  return emitDue(before, time, around);
}
function underRules(before, now, around) {
  const names = namesOf(around.rules);
  if (names.length === before.rules.length && names.every((name, index) => name === before.rules[index])) return before;
  const kept = before.conditions.filter(({ rule }) => names.includes(rule));
  const facts = { time: before.seenAt, speedKmh: null, power: null, driverId: null };
  const nothing = { ...before, inside: [], engineOn: null, isIdling: false, movement: null, conditions: [] };
  const found = around.rules.filter(({ name }) => !before.rules.includes(name)).flatMap(
    (rule) => conditionsOf(rule, nothing, before, facts, around).map((one) => asFound(one, rule, now, before, around))
  );
  return { ...before, rules: names, conditions: [...kept, ...found] };
}
function amongGeofences(before, changed, around) {
  const { position } = before;
  const isKept = (id) => !changed.has(id);
  const drawn = new Map([...around.geofences].filter(([id]) => changed.has(id)));
  const now = position === null ? [] : crossingsTo(position, /* @__PURE__ */ new Set(), drawn).entered;
  const kept = before.conditions.filter(({ subject }) => isKept(subject));
  if (now.length === 0 && kept.length === before.conditions.length && before.inside.every(isKept)) return before;
  const found = around.rules.filter(({ on }) => on === "geofence-enter" || on === "geofence-dwell").flatMap(
    (rule) => now.filter((id) => around.isAbout(rule, id)).map((subject) => ({ ...begun(rule, subject, before, before.seenAt, null, null), isEmitted: true }))
  );
  return { ...before, inside: [...before.inside.filter(isKept), ...now], conditions: [...kept, ...found] };
}
function observe(before, snapshot, time, { geofences }) {
  const { isUnseen: _, ...known } = before;
  const readings = readSnapshot(snapshot);
  const { fix, engineOn, speedKmh, power, driverId, live } = readings;
  const current = positionAfter(before, fix === null ? null : { ...fix, time });
  const status = liveStatus(live, { now: time });
  const zone = zoneAfter(before.zone, readText(snapshot.locationTimeZone));
  const state = {
    ...known,
    seenAt: time,
    ...current,
    ...movementAfter(before, time, status === "moving", current.position),
    ...zone === void 0 ? {} : { zone },
    inside: fix === null || current.position === null ? before.inside : insideAfter(before.inside, current.position, geofences),
    engineOn: engineOn ?? before.engineOn,
    isIdling: isIdlingAfter(before, readings, time)
  };
  return { state, facts: { time, speedKmh, power, driverId } };
}
function isIdlingAfter({ engineOn: before, isIdling }, { live, speedKmh, engineOn }, time) {
  const engineStatus = engineOn ?? before;
  if (speedKmh === null && before === true) return engineStatus === true && isIdling;
  return liveStatus({ ...live, ignition: { engineStatus } }, { now: time }) === "idling";
}
function zoneAfter(before, named) {
  if (named === null || named === before) return before;
  return zoneNamed(named) ?? before;
}
function movementAfter({ movement: before, anchor }, time, isMoving, position) {
  const movement = before !== null && time - before.until >= staleAfterMs ? null : before;
  const hasMoved = anchor !== null && position !== null && greatCircleKm(anchor, position) > POSITION_NOISE_KM;
  if (isMoving || hasMoved) {
    const began = movement ?? { since: time, position };
    return { movement: { ...began, until: time }, anchor: position ?? anchor };
  }
  const hasStood = movement !== null && time - movement.until >= SHORTEST_STOP_MS;
  return { movement: hasStood ? null : movement, anchor: anchor ?? position };
}
function insideAfter(before, position, geofences) {
  const { left, entered } = crossingsTo(position, new Set(before), geofences);
  return left.length + entered.length === 0 ? before : [...before.filter((id) => !left.includes(id)), ...entered];
}
function conditionsOf(rule, before, after, facts, around) {
  const mine = before.conditions.filter((condition) => condition.rule === rule.name);
  const begin = (subject = "", value = null) => {
    const condition = begun(rule, subject, after, facts.time, value, facts.driverId);
    return { ...condition, isEmitted: isMomentary(rule.on) && !isOpenAt(facts.time, rule, after, around) };
  };
  const [only] = mine;
  switch (rule.on) {
    case "silent":
    case "offline":
      return [begin()];
    case "idle":
      return after.isIdling ? [only ?? begin()] : [];
    case "movement":
      return after.movement === null ? [] : [movementCondition(after.movement, only, () => begin("", facts.speedKmh))];
    case "low-battery": {
      const { batteryBelow } = rule;
      if (facts.power === null || batteryBelow === null) return mine;
      return facts.power < batteryBelow ? [only ?? begin("", facts.power)] : [];
    }
    case "speeding":
      return speedingConditions(rule, only, facts, begin);
    case "ignition": {
      if (after.engineOn === null || before.engineOn === after.engineOn) return mine;
      const condition = begin(after.engineOn ? "on" : "off");
      return [{ ...condition, isEmitted: condition.isEmitted || before.engineOn === null }];
    }
    case "geofence-enter":
    case "geofence-dwell": {
      const entered = after.inside.filter((id) => !before.inside.includes(id) && around.isAbout(rule, id)).map((id) => begin(id));
      const inside = mine.filter(({ subject }) => after.inside.includes(subject));
      const isFirst = rule.on === "geofence-enter" && before.position === null;
      return [...inside, ...entered.map((one) => ({ ...one, isEmitted: one.isEmitted || isFirst }))];
    }
    case "geofence-exit": {
      const left = before.inside.filter((id) => !after.inside.includes(id) && around.isAbout(rule, id));
      const waiting = mine.filter(({ subject, isEmitted }) => !isEmitted && !after.inside.includes(subject));
      return [...waiting, ...left.map((id) => begin(id))];
    }
  }
}
function movementCondition({ since, until, position }, before, begin) {
  return before?.since === since ? { ...before, until } : { ...begin(), since, until, position };
}
function speedingConditions({ speedLimitKmh }, before, facts, begin) {
  if (speedLimitKmh === null) return [];
  const stretch = before ? { from: before.since, to: before.until, topSpeedKmh: before.value ?? 0 } : null;
  const after = speedingAfter(stretch, facts, speedLimitKmh);
  if (after === null) return [];
  if (before?.since !== after.from) return [begin("", after.topSpeedKmh)];
  return [{ ...before, until: after.to, value: after.topSpeedKmh }];
}
function begun({ name }, subject, { position }, since, value, driverId) {
  return { rule: name, subject, since, until: since, isEmitted: false, value, position, driverId };
}
function asFound(condition, rule, now, state, around) {
  const isPending = lastsInSilence.has(rule.on) || isWaiting(condition, rule, state, now, around);
  return { ...condition, isEmitted: !(isPending && dueAt(condition, rule, state, around) > now) };
}
function isWaiting(condition, rule, state, time, around) {
  return !condition.isEmitted && !isMomentary(rule.on) && !isOpenAt(time, rule, state, around);
}
function refreshed(condition, { on }, { position }, facts) {
  const { value: before } = condition;
  const value = on === "movement" ? facts.speedKmh : on === "low-battery" ? facts.power ?? before : before;
  return { ...condition, position, value, driverId: facts.driverId ?? condition.driverId };
}
function isOpenAt(time, rule, { zone }, around) {
  return around.hoursOf(rule)?.isOpenAt(time, zone ?? around.zone) ?? true;
}
function countsFrom(time, rule, { zone }, around) {
  const hours = isMomentary(rule.on) ? null : around.hoursOf(rule);
  return hours?.firstOpen(time, zone ?? around.zone) ?? time;
}
function dueAt({ since }, rule, state, around) {
  return countsFrom(since + rule.forMs, rule, state, around);
}
function emitDue(state, time, around) {
  const transitions = [];
  let conditions = null;
  for (const rule of around.rules) {
    for (const [index, condition] of state.conditions.entries()) {
      if (condition.isEmitted || condition.rule !== rule.name) continue;
      const due = dueAt(condition, rule, state, around);
      if ((needsSnapshots.has(rule.on) ? condition.until : time) < due) continue;
      const isDelayed = due > condition.since + rule.forMs || !isOpenAt(condition.since, rule, state, around);
      const from = isDelayed && !isMomentary(rule.on) ? due : condition.since;
      transitions.push({ rule, condition, from, dueAt: due, end: null });
      conditions ??= [...state.conditions];
      conditions[index] = { ...condition, isEmitted: true, ...rule.resolved ? { awaitsEnd: true } : {} };
    }
  }
  if (conditions === null) return { state, transitions };
  const exits = new Set(around.rules.filter(({ on }) => on === "geofence-exit").map(({ name }) => name));
  const left = conditions.filter(({ isEmitted, rule }) => !(isEmitted && exits.has(rule)));
  return { state: { ...state, conditions: left }, transitions: transitions.sort((a, b) => a.dueAt - b.dueAt) };
}
function namesOf(rules) {
  return rules.map(({ name }) => name);
}
function needsGeofences(rules) {
  return rules.some(({ on }) => isGeofenceKind(on));
}
export {
  afterSnapshot,
  afterTime,
  amongGeofences,
  firstState,
  needsGeofences,
  underRules,
  unseenState
};
