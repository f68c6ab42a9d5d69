import { fromNoLine } from "../../plan/plan-record.js";
import { assignmentKind } from "../../records/driver-assignment.js";
import { localTime } from "../../time/local-time.js";
import { isSamePair, outcomeOf, requestOf } from "./outcome.js";
function nameFrom({ vehicleId, driverId }, start, words) {
  return `${words.driver(driverId)} on ${words.vehicle(vehicleId)}, from ${minuteIn(words.zone)(start)}`;
}
function effectsBetween(before, after) {
  const [was, is] = [periodsByPair(before), periodsByPair(after)];
  return [...new Map([...before, ...after].map((one) => [pairKey(one), one]))].flatMap(([key, { vehicleId, driverId }]) => {
    const [old, young] = [was.get(key) ?? [], is.get(key) ?? []];
    const isIn = (periods, one) => periods.some((other) => isSamePeriod(one, other));
    const changed = [...old.filter((one) => !isIn(young, one)), ...young.filter((one) => !isIn(old, one))];
    return overlapping(changed).map((group) => {
      const gone = old.filter((one) => group.includes(one));
      const made = young.filter((one) => group.includes(one));
      return { vehicleId, driverId, id: gone[0]?.id ?? null, before: gone, after: made };
    });
  }).sort((a, b) => firstChange(a) - firstChange(b));
}
function pairKey({ vehicleId, driverId }) {
  return `${vehicleId} ${driverId}`;
}
function periodsByPair(held) {
  const keys = new Set(held.map(pairKey));
  return new Map([...keys].map((key) => [key, joinedPeriods(held.filter((one) => pairKey(one) === key))]));
}
function joinedPeriods(all) {
  const periods = [];
  for (const one of [...all].sort((a, b) => a.start - b.start)) {
    const last = periods.at(-1);
    if (last && one.start <= last.end) periods[periods.length - 1] = { ...last, end: Math.max(last.end, one.end) };
    else periods.push(one);
  }
  return periods;
}
function overlapping(periods) {
  const groups = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of [...periods].sort((a, b) => a.start - b.start)) {
    if (one.start < end) groups.at(-1)?.push(one);
    else groups.push([one]);
    end = Math.max(end, one.end);
  }
  return groups;
}
function isSamePeriod(one, other) {
  return one.start === other.start && one.end === other.end;
}
function startOf({ before, after }) {
  return Math.min(...[...before, ...after].map(({ start }) => start));
}
function firstChange(effect) {
  const [was, is] = [effect.before[0], effect.after[0]];
  return was && is && was.start === is.start ? Math.min(was.end, is.end) : startOf(effect);
}
function effectRecord(effect, words) {
  const { before, after, vehicleId, driverId } = effect;
  const action = before.length === 0 ? "create" : after.length === 0 ? "delete" : "update";
  return {
    kind: assignmentKind.noun,
    action,
    name: nameFrom(effect, startOf(effect), words),
    id: effect.id,
    changes: changesOf(before, after),
    pair: { vehicleId, driverId },
    told: toldOf(effect, words),
    ...isEnding(effect) ? { isEnding: true } : {}
  };
}
class Projection {
  #held;
  #words;
  #moves = [];
  constructor(held, words) {
    this.#held = held;
    this.#words = words;
  }
  /** The assignments after all moves. */
  get held() {
    return this.#held;
  }
  get moves() {
    return this.#moves;
  }
  /** Adds moves and returns their effects, after those of earlier moves. */
  add(moves) {
    const vehicles = new Set(moves.map(({ pair }) => pair.vehicleId));
    const drivers = new Set(moves.map(({ pair }) => pair.driverId));
    const isTouched = (one) => vehicles.has(one.vehicleId) || drivers.has(one.driverId);
    const before = this.#held.filter(isTouched);
    const after = outcomeOf(before, moves);
    this.#held = [...this.#held.filter((one) => !isTouched(one)), ...after];
    this.#moves.push(...moves);
    return effectsBetween(before, after).map((effect) => effectRecord(effect, this.#words));
  }
  /**
   * Returns a step for these moves.
   * `about`: the assignment whose effect names the step; default: the first effect.
   */
  step(moves, about, from = fromNoLine) {
    const effects = this.add(moves);
    const own = effects.find(({ pair }) => about && pair && isSamePair(pair, about)) ?? effects[0];
    return { ...from, record: own ?? unchanged, effects, requests: moves.map(requestOf) };
  }
}
const unchanged = { kind: assignmentKind.noun, action: "keep", name: "", id: null, changes: [] };
function isEnding({ before, after }) {
  return before.some((was) => !after.some((is) => is.start <= was.start && was.end <= is.end));
}
function changesOf(before, after) {
  if (before.length > 1 || after.length > 1) {
    return [{ field: "periods", before: before.map(timesOf), after: after.map(timesOf) }];
  }
  const [was, is] = [before[0] && timesOf(before[0]), after[0] && timesOf(after[0])];
  const fields = ["startTimestamp", "endTimestamp"];
  return fields.flatMap((field) => [{ field, before: was?.[field] ?? null, after: is?.[field] ?? null }]);
}
function timesOf({ start, end }) {
  const text = (moment) => new Date(moment).toISOString();
  return { startTimestamp: text(start), endTimestamp: Number.isFinite(end) ? text(end) : null };
}
function effectText(effect, words) {
  return `${nameFrom(effect, startOf(effect), words)}: ${toldOf(effect, words)}.`;
}
function toldOf({ before, after }, { zone }) {
  const minute = minuteIn(zone);
  const [first] = after;
  const last = after.at(-1);
  const [was] = before;
  if (!was) return after.map(({ end }) => `begins${Number.isFinite(end) ? `, until ${minute(end)}` : ""}`).join("; ");
  if (!first || !last) return `removed${Number.isFinite(was.end) ? `, was until ${minute(was.end)}` : ""}`;
  const gaps = after.slice(1).map(({ start }, index) => `from ${minute(after[index]?.end ?? start)} to ${minute(start)}`);
  if (before.length > 1) {
    const texts = (periods) => periods.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : "open"}`).join(", ");
    return `${texts(before)} becomes ${texts(after)}`;
  }
  return [
    ...first.start > was.start ? [`begins only at ${minute(first.start)}`] : [],
    ...first.start < was.start ? [`begins already then, not at ${minute(was.start)}`] : [],
    ...gaps.length > 0 ? [`interrupted ${gaps.join(" and ")}`] : [],
    ...last.end < was.end ? [`ends at ${minute(last.end)}${Number.isFinite(was.end) ? `, was ${minute(was.end)}` : ""}`] : [],
    ...last.end > was.end ? [
      Number.isFinite(last.end) ? `ends only at ${minute(last.end)}, was ${minute(was.end)}` : `no longer ends at ${minute(was.end)}`
    ] : []
  ].join("; ");
}
function minuteIn(zone) {
  return (moment) => localTime(moment, "minute", { zone, offset: null });
}
function differences(planned, found, tolerance, words) {
  const isNear = (one, other) => one === other || Math.abs(one - other) <= tolerance;
  const periodsOf = (held) => [...periodsByPair(held).values()].flat().filter(({ start, end }) => end - start > tolerance);
  const rest = [...periodsOf(found)];
  const missing = periodsOf(planned).filter((one) => {
    const index = rest.findIndex(
      (other) => pairKey(one) === pairKey(other) && isNear(one.start, other.start) && isNear(one.end, other.end)
    );
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  const minute = minuteIn(words.zone);
  const text = (one) => `${nameFrom(one, one.start, words)}${Number.isFinite(one.end) ? ` to ${minute(one.end)}` : ""}`;
  return [
    ...missing.map((one) => `${text(one)}: planned, but it is not there`),
    ...rest.map((one) => `${text(one)}: it is there, but was not planned`)
  ];
}
export {
  Projection,
  differences,
  effectRecord,
  effectText,
  effectsBetween,
  joinedPeriods,
  minuteIn,
  nameFrom,
  pairKey
};
