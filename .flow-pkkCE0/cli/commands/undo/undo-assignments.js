import { serviceNow } from "../../context/context.js";
import { assignmentKind } from "../../records/driver-assignment.js";
import { personKind } from "../../records/person.js";
import { vehicleKind } from "../../records/vehicle.js";
import { ASSIGNMENT_MAX_AGE_MS } from "../drivers/apply-plan.js";
import {
  joinedPeriods,
  minuteIn,
  nameFrom,
  Projection,
  pairKey
} from "../drivers/effects.js";
import { ASSIGNMENT_TOLERANCE_MS, outcomeProblem, readAssignments } from "../drivers/foresight.js";
import { isSamePair, outcomeOf } from "../drivers/outcome.js";
const MARGIN_MS = 6e4;
async function planAssignmentUndo(context, client, steps, { present, retried }) {
  const losses = steps.flatMap((step) => step.outcome === "failed" ? [] : unreadIn(step));
  const told = toldIn(steps, present, losses);
  if (told.length === 0) {
    return losses.length === 0 ? null : { steps: [], conflicts: [], losses, check: () => Promise.resolve(null) };
  }
  const newDrivers = driversToCreate(steps, present);
  const isNew = ({ driverId }) => newDrivers.has(driverId);
  const known = told.map(({ pair }) => isNew(pair) ? { ...pair, driverId: null } : pair);
  const read = await readAssignments(context, client, known);
  const words = { ...read.words, driver: (id) => newDrivers.get(id) ?? read.words.driver(id) };
  const assignments = { ...read, held: read.held.filter((one) => !isNew(one)), words };
  const oldest = serviceNow(context) - ASSIGNMENT_MAX_AGE_MS + MARGIN_MS;
  const conflicts = [];
  const planned = [];
  const projection = new Projection(assignments.held, words);
  const ownPairs = /* @__PURE__ */ new Set([...retried, ...told.map(({ pair }) => pairKey(pair))]);
  for (const group of groupsOf(told).reverse()) {
    const { held } = projection;
    const found = group.map((one) => located(one, read.held, held, words));
    for (const { pair, record, step, conflict } of found) {
      if (conflict !== null && !retried.has(pairKey(pair))) conflicts.push({ record, step, text: conflict });
    }
    const own = movesBack(found, held, (pair, part) => clipped(pair, part, oldest, assignments, losses), oldest);
    const [first] = found;
    if (own.length === 0 || first === void 0) continue;
    const back = projection.step(own);
    planned.push(back);
    for (const { name, pair, isEnding, told: effect } of back.effects ?? []) {
      if (!isEnding || !pair || ownPairs.has(pairKey(pair))) continue;
      const text = `${name}: it is there now. The undo would change it: ${effect}.`;
      conflicts.push({ record: first.record, step: first.step, text });
    }
    for (const one of found) losses.push(...notRestored(one, projection.held, oldest, words));
  }
  return {
    steps: planned,
    conflicts,
    losses,
    // The new id of a driver who comes back is not known here.
    check: told.some(({ pair }) => isNew(pair)) ? () => Promise.resolve(null) : () => outcomeProblem(context, client, assignments, projection.moves)
  };
}
function toldIn(steps, present, losses) {
  const done = steps.filter(({ outcome }) => outcome !== "failed");
  const told = done.flatMap(periodsIn);
  const keys = new Set(told.map(({ pair }) => pairKey(pair)));
  const lost = done.flatMap((step) => lostPeriodsIn(step, present, losses));
  return [...told, ...lost.filter(({ pair }) => !keys.has(pairKey(pair)))];
}
function groupsOf(told) {
  const groups = [];
  for (const one of told) {
    const isRelated = (other) => other.step === one.step || isSamePair(other.pair, one.pair);
    const related = groups.filter((group) => group.some(isRelated));
    for (const group of related) groups.splice(groups.indexOf(group), 1);
    groups.push([...related.flat(), one]);
  }
  return groups.map((group) => {
    const byPair = /* @__PURE__ */ new Map();
    for (const one of group) byPair.set(pairKey(one.pair), [...byPair.get(pairKey(one.pair)) ?? [], one]);
    return [...byPair.values()].flatMap((own) => historyOf(own) ?? []);
  });
}
function historyOf(told) {
  const last = told.at(-1);
  if (last === void 0) return null;
  let seen = [];
  let first = [];
  for (const { before, after } of told) {
    first = joinedPeriods([...first, ...withoutParts(before, seen)]);
    seen = joinedPeriods([...seen, ...before, ...after]);
  }
  const states = [first];
  for (const { before, after } of told) {
    states.push(joinedPeriods([...withoutParts(states.at(-1) ?? [], before), ...after]));
  }
  const { pair, record, step, isLost = false } = last;
  return { pair, record, step, states, isLost };
}
function notRestored({ pair, missing }, held, oldest, words) {
  const possible = missing.flatMap(
    (part) => part.end > oldest ? [{ ...part, start: Math.max(part.start, oldest) }] : []
  );
  const own = held.filter((one) => isSamePair(one, pair));
  const minute = minuteIn(words.zone);
  return withoutParts(possible, own).filter(({ start, end }) => end - start > ASSIGNMENT_TOLERANCE_MS).map(
    ({ start, end }) => `${nameFrom(pair, start, words)}: it does not come back${Number.isFinite(end) ? ` until ${minute(end)}` : ""}, because there is another assignment then.`
  );
}
function driversToCreate(steps, present) {
  const deleted = steps.filter(({ outcome }) => outcome !== "failed").flatMap(({ records }) => records).filter(({ kind, action }) => kind === personKind.noun && action === "delete");
  return new Map(
    deleted.flatMap(({ id, name }) => id === null || present.find(personKind.noun, id) ? [] : [[id, name]])
  );
}
function lostPeriodsIn(step, present, losses) {
  const { at, records } = step;
  return records.flatMap(
    (record) => (record.dependents?.assignments ?? []).flatMap(({ vehicleId, startedAt, endedAt }) => {
      if (record.kind !== personKind.noun || record.id === null) return [];
      if (present.find(vehicleKind.noun, vehicleId) === null) {
        losses.push(`${record.name}: the vehicle ${vehicleId} of an assignment is not there any more.`);
        return [];
      }
      const startTimestamp = startedAt > at ? startedAt : at;
      const before = periodOf({ startTimestamp, endTimestamp: endedAt });
      return [{ pair: { vehicleId, driverId: record.id }, record, step, before, after: [], isLost: true }];
    })
  );
}
function periodsIn(step) {
  return step.records.flatMap((record) => {
    if (record.kind !== assignmentKind.noun || !record.pair || !isTold(record)) return [];
    return [{ pair: record.pair, record, step, before: side(record, "before"), after: side(record, "after") }];
  });
}
function unreadIn({ records }) {
  const unread = records.filter(
    (record) => record.kind === assignmentKind.noun && record.action !== "keep" && !(record.pair && isTold(record))
  );
  return unread.map(({ name }) => `${name || "An assignment"}: what it changed could not be read before it was sent.`);
}
function isTold({ changes }) {
  return changes.some(({ field }) => field === "periods" || field === "startTimestamp");
}
function side({ changes }, name) {
  const of = (field) => changes.find((change) => change.field === field)?.[name];
  const periods = of("periods");
  if (Array.isArray(periods)) return periods.flatMap((period) => periodOf(Object(period)));
  return periodOf({ startTimestamp: of("startTimestamp"), endTimestamp: of("endTimestamp") });
}
function periodOf(times) {
  const { startTimestamp, endTimestamp } = times;
  if (typeof startTimestamp !== "string") return [];
  const end = typeof endTimestamp === "string" ? Date.parse(endTimestamp) : Number.POSITIVE_INFINITY;
  return [{ start: Date.parse(startTimestamp), end }];
}
function located({ pair, record, step, states, isLost }, read, held, words) {
  const own = joinedPeriods(held.filter((one) => isSamePair(pair, one)));
  const isNear = (one, other) => one === other || Math.abs(one - other) <= ASSIGNMENT_TOLERANCE_MS;
  const isSame = (one, other) => isNear(one.start, other.start) && isNear(one.end, other.end);
  const touched = own.filter((one) => states.flat().some((told) => overlaps(one, told)));
  const areThose = (told) => told.length === touched.length && told.every((one) => touched.some((other) => isSame(one, other)));
  const [before = []] = states;
  if (areThose(before)) return { pair, record, step, extra: [], missing: [], conflict: null };
  const minute = minuteIn(words.zone);
  const shown = touched.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : "open"}`);
  const conflict = states.some(areThose) ? null : `${record.name}: it is ${shown.length === 0 ? "gone" : `from ${shown.join(" and from ")}`} now; somebody has changed it since.`;
  const moments = [
    ...touched.flatMap(({ start, end }) => [start, end]),
    ...isLost ? read.filter((one) => one.vehicleId === pair.vehicleId).map(({ end }) => end) : []
  ];
  const noted = (moment) => moments.find((other) => isNear(other, moment)) ?? moment;
  const was = before.map(({ start, end }) => ({ start: noted(start), end: noted(end) }));
  return { pair, record, step, extra: withoutParts(touched, was), missing: withoutParts(was, touched), conflict };
}
function movesBack(found, held, clip, oldest) {
  const begin = (pair, part) => {
    const taken = clip(pair, part);
    return taken === null ? [] : [{ kind: "assign", pair, at: taken.start, end: endOf(taken) }];
  };
  const ends = found.flatMap(
    ({ pair, extra }) => extra.flatMap(
      (part) => held.filter((one) => isSamePair(pair, one) && overlaps(one, part)).flatMap((one) => {
        const at = Math.max(one.start, part.start);
        const rest = one.end > part.end ? begin(pair, { start: part.end, end: one.end }) : [];
        return [{ kind: "unassign", pair, at }, ...rest];
      })
    )
  );
  const left = outcomeOf(held, ends);
  const joins = found.map(({ pair, missing }) => {
    const parts = missing.flatMap((part) => clip(pair, part) ?? []);
    const own = left.filter((one) => isSamePair(pair, one));
    return { pair, ...joinedWithNeighbours(parts, own, oldest) };
  });
  return [
    ...ends,
    ...joins.flatMap(
      ({ pair, replaced }) => replaced.map(({ start }) => ({ kind: "unassign", pair, at: start }))
    ),
    ...joins.flatMap(({ pair, begins }) => begins.flatMap((part) => begin(pair, part)))
  ];
}
function joinedWithNeighbours(parts, own, oldest) {
  const replaced = own.filter(
    (one) => one.start >= oldest && parts.some(({ start, end }) => one.end === start || one.start === end)
  );
  return { replaced, begins: joinedPeriods([...parts, ...replaced]) };
}
function endOf({ end }) {
  return Number.isFinite(end) ? end : null;
}
function clipped(pair, part, oldest, { words }, losses) {
  if (part.start >= oldest) return part;
  losses.push(
    `${nameFrom(pair, part.start, words)}: the service takes no assignment that begins more than 10 days ago, so what was before ${minuteIn(words.zone)(oldest)} does not come back.`
  );
  return part.end <= oldest ? null : { ...part, start: oldest };
}
function overlaps(one, other) {
  return one.start < other.end && other.start < one.end;
}
function withoutParts(periods, parts) {
  return parts.reduce(
    (rest, part) => rest.flatMap(
      (one) => overlaps(one, part) ? [
        { start: one.start, end: part.start },
        { start: part.end, end: one.end }
      ].filter(({ start, end }) => start < end) : [one]
    ),
    periods
  );
}
export {
  planAssignmentUndo
};
