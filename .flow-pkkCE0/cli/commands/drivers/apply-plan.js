import { assignmentKind } from "../../records/driver-assignment.js";
import { nameFrom, Projection } from "./effects.js";
import { isSamePair } from "./outcome.js";
const ASSIGNMENT_MAX_AGE_MS = 10 * 864e5;
function planShifts(shifts, held, { now, prune, ...words }) {
  const ordered = [...shifts].sort((a, b) => a.start - b.start);
  const problems = [...problemsIn(ordered)];
  if (problems.length > 0) return { steps: [], moves: [], notInFile: 0, problems };
  const projection = new Projection(held, words);
  const tasks = tasksFor(projection, ordered, { now, prune });
  const isTooOld = ({ kind, at }) => kind === "assign" && at < now - ASSIGNMENT_MAX_AGE_MS;
  const tooOld = tasks.flatMap(({ shift, moves }) => shift && moves.some(isTooOld) ? shift : []);
  for (const { line } of ordered.filter((shift) => tooOld.includes(shift))) {
    problems.push(`line ${line}: it would begin more than 10 days ago`);
  }
  const done = new Set(tasks.map(({ shift }) => shift));
  const steps = [
    ...tasks.map(({ step }) => step),
    ...ordered.flatMap((shift) => done.has(shift) ? [] : keepStep(shift, held, words))
  ];
  const notInFile = prune ? 0 : surplus(ordered, projection.held, now).length;
  return { steps, moves: projection.moves, notInFile, problems };
}
const MAX_ROUNDS = 10;
function tasksFor(projection, ordered, rules) {
  const tasks = [];
  const add = (task) => {
    const { shift, about, moves } = task;
    const from = { line: shift?.line ?? null, source: shift?.source ?? null };
    if (moves.length > 0) tasks.push({ ...task, step: projection.step(moves, about, from) });
  };
  const closed = ordered.filter(({ end }) => end !== null);
  const open = ordered.filter(({ end }) => end === null).reverse();
  for (let round = 0, count = -1; round < MAX_ROUNDS && tasks.length > count; round++) {
    count = tasks.length;
    if (rules.prune) for (const one of surplus(ordered, projection.held, rules.now)) add(endingTask(one, rules.now));
    for (const shift of [...closed, ...open]) add(lineTask(shift, projection.held, ordered));
  }
  return tasks;
}
function lineTask(shift, held, ordered) {
  const { start, vehicleId, driverId } = shift;
  const pair = { vehicleId, driverId };
  const own = held.filter((one) => isSamePair(one, shift));
  const end = Math.min(endOf(shift, ordered), shift.end === null ? nextStart(shift, held) : Number.POSITIVE_INFINITY);
  const goesOn = ordered.some((other) => other.start === end && isSamePair(other, shift));
  const isLonger = shift.end !== null && !goesOn && own.some((one) => one.start < end && end < one.end);
  return {
    shift,
    about: shift,
    moves: [
      ...gapsIn(own, start, end).map((gap) => ({ kind: "assign", pair, at: gap.start, end: gap.end })),
      ...isLonger ? [{ kind: "unassign", pair, at: end }] : []
    ]
  };
}
function endingTask(held, now) {
  const { vehicleId, driverId, start } = held;
  const pair = { vehicleId, driverId };
  return { shift: null, about: held, moves: [{ kind: "unassign", pair, at: Math.max(start, now) }] };
}
function keepStep(shift, held, words) {
  const { line, source, start, vehicleId, driverId } = shift;
  const active = held.find((one) => isSamePair(one, shift) && one.start <= start && start < one.end);
  const record = {
    kind: assignmentKind.noun,
    name: nameFrom(shift, start, words),
    id: active?.id ?? null,
    changes: []
  };
  return {
    line,
    source,
    record: { ...record, action: "keep", pair: { vehicleId, driverId } },
    requests: []
  };
}
function endOf(shift, ordered) {
  const next = ordered.find((other) => other.start > shift.start && isRelated(other, shift));
  return shift.end ?? next?.start ?? Number.POSITIVE_INFINITY;
}
function nextStart(shift, held) {
  const next = held.filter((one) => one.start > shift.start && isRelated(one, shift) && !isSamePair(one, shift));
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ start }) => start));
}
function gapsIn(own, start, end) {
  const gaps = [];
  let at = start;
  for (const one of [...own].sort((a, b) => a.start - b.start)) {
    if (one.end <= at || one.start >= end) continue;
    if (one.start > at) gaps.push({ start: at, end: one.start });
    at = one.end;
  }
  if (at < end) gaps.push({ start: at, end: Number.isFinite(end) ? end : null });
  return gaps;
}
function surplus(ordered, held, now) {
  const vehicles = new Set(ordered.map(({ vehicleId }) => vehicleId));
  return held.filter((one) => {
    if (!vehicles.has(one.vehicleId) || one.end <= now) return false;
    const from = Math.max(one.start, now);
    return !ordered.some((shift) => isSamePair(shift, one) && shift.start < one.end && from < endOf(shift, ordered));
  });
}
function isRelated(one, other) {
  return one.vehicleId === other.vehicleId || one.driverId === other.driverId;
}
function* problemsIn(shifts) {
  for (const { line, start, end } of shifts)
    if (end !== null && end <= start) yield `line ${line}: it ends before it begins`;
  const last = /* @__PURE__ */ new Map();
  for (const shift of shifts) {
    for (const key of [`vehicle ${shift.vehicleId}`, `driver ${shift.driverId}`]) {
      const before = last.get(key);
      if (before && (before.start === shift.start || before.end !== null && before.end > shift.start)) {
        yield `line ${shift.line}: it overlaps with line ${before.line}, which has the same ${key.split(" ")[0]}`;
      }
      if (!before || before.end === null || (shift.end ?? Number.POSITIVE_INFINITY) > before.end) last.set(key, shift);
    }
  }
}
export {
  ASSIGNMENT_MAX_AGE_MS,
  planShifts
};
