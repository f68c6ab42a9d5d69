// Compares the assignments of a file with those of the service. A line is fulfilled when its driver
// has its vehicle throughout, also in adjacent assignments. Missing periods are sent to the
// service, whose rules adjust the other assignments.
import type { InputLine } from '../../input/read-input.js';
import type { PlanStep } from '../../plan/plan.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { nameFrom, Projection, type Words } from './effects.js';
import { type HeldAssignment, isSamePair, type Move, type Pair } from './outcome.js';

/** Maximum age of an assignment's start that the service accepts. */
export const ASSIGNMENT_MAX_AGE_MS = 10 * 86_400_000;

/** A line of the file. Times in milliseconds. */
export interface Shift extends Pair {
  readonly line: number;
  readonly source: InputLine;
  /** The current time if missing in the file. */
  readonly start: number;
  /** Null: until the next assignment. */
  readonly end: number | null;
}

interface ShiftPlan {
  readonly steps: readonly PlanStep[];
  readonly moves: readonly Move[];
  /** Assignments that --prune would end; 0 with `prune`. */
  readonly notInFile: number;
  readonly problems: readonly string[];
}

interface Rules {
  readonly now: number;
  readonly prune: boolean;
}

/** The moves of a line, or those that end an assignment which is not in the file. */
interface Task {
  readonly shift: Shift | null;
  readonly about: Pair;
  readonly moves: readonly Move[];
}

interface PlannedTask extends Task {
  readonly step: PlanStep;
}

/** Plans the steps of a file. `prune` also ends its vehicles' assignments that it does not list. */
export function planShifts(
  shifts: readonly Shift[],
  held: readonly HeldAssignment[],
  { now, prune, ...words }: Rules & Words,
): ShiftPlan {
  const ordered = [...shifts].sort((a, b) => a.start - b.start);
  const problems = [...problemsIn(ordered)];
  if (problems.length > 0) return { steps: [], moves: [], notInFile: 0, problems };
  const projection = new Projection(held, words);
  const tasks = tasksFor(projection, ordered, { now, prune });
  const isTooOld = ({ kind, at }: Move) => kind === 'assign' && at < now - ASSIGNMENT_MAX_AGE_MS;
  const tooOld = tasks.flatMap(({ shift, moves }) => (shift && moves.some(isTooOld) ? shift : []));
  for (const { line } of ordered.filter((shift) => tooOld.includes(shift))) {
    problems.push(`line ${line}: it would begin more than 10 days ago`);
  }
  const done = new Set(tasks.map(({ shift }) => shift));
  const steps = [
    ...tasks.map(({ step }) => step),
    ...ordered.flatMap((shift) => (done.has(shift) ? [] : keepStep(shift, held, words))),
  ];
  const notInFile = prune ? 0 : surplus(ordered, projection.held, now).length;
  return { steps, moves: projection.moves, notInFile, problems };
}

/** Random files need at most two rounds. */
const MAX_ROUNDS = 10;

/** Plans in rounds, because lines of one driver or vehicle affect each other. */
function tasksFor(projection: Projection, ordered: readonly Shift[], rules: Rules): readonly PlannedTask[] {
  const tasks: PlannedTask[] = [];
  const add = (task: Task) => {
    const { shift, about, moves } = task;
    const from = { line: shift?.line ?? null, source: shift?.source ?? null };
    if (moves.length > 0) tasks.push({ ...task, step: projection.step(moves, about, from) });
  };
  // Lines without an end last until the next planned assignment: they come last, latest first.
  const closed = ordered.filter(({ end }) => end !== null);
  const open = ordered.filter(({ end }) => end === null).reverse();
  for (let round = 0, count = -1; round < MAX_ROUNDS && tasks.length > count; round++) {
    count = tasks.length;
    if (rules.prune) for (const one of surplus(ordered, projection.held, rules.now)) add(endingTask(one, rules.now));
    for (const shift of [...closed, ...open]) add(lineTask(shift, projection.held, ordered));
  }
  return tasks;
}

function lineTask(shift: Shift, held: readonly HeldAssignment[], ordered: readonly Shift[]): Task {
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
      ...gapsIn(own, start, end).map((gap) => ({ kind: 'assign', pair, at: gap.start, end: gap.end }) as const),
      ...(isLonger ? [{ kind: 'unassign', pair, at: end } as const] : []),
    ],
  };
}

function endingTask(held: HeldAssignment, now: number): Task {
  const { vehicleId, driverId, start } = held;
  const pair = { vehicleId, driverId };
  return { shift: null, about: held, moves: [{ kind: 'unassign', pair, at: Math.max(start, now) }] };
}

function keepStep(shift: Shift, held: readonly HeldAssignment[], words: Words): PlanStep {
  const { line, source, start, vehicleId, driverId } = shift;
  const active = held.find((one) => isSamePair(one, shift) && one.start <= start && start < one.end);
  const record = {
    kind: assignmentKind.noun,
    name: nameFrom(shift, start, words),
    id: active?.id ?? null,
    changes: [],
  };
  return {
    line,
    source,
    record: { ...record, action: 'keep', pair: { vehicleId, driverId } },
    requests: [],
  };
}

/** Returns the end of a line, else the next start with its vehicle or driver, else Infinity. */
function endOf(shift: Shift, ordered: readonly Shift[]): number {
  const next = ordered.find((other) => other.start > shift.start && isRelated(other, shift));
  return shift.end ?? next?.start ?? Number.POSITIVE_INFINITY;
}

/** Returns the start of the next other assignment of the vehicle or the driver, else Infinity. */
function nextStart(shift: Shift, held: readonly HeldAssignment[]): number {
  const next = held.filter((one) => one.start > shift.start && isRelated(one, shift) && !isSamePair(one, shift));
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ start }) => start));
}

interface Gap {
  readonly start: number;
  /** Null for the last gap of an open assignment. */
  readonly end: number | null;
}

function gapsIn(own: readonly HeldAssignment[], start: number, end: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let at = start;
  for (const one of [...own].sort((a, b) => a.start - b.start)) {
    if (one.end <= at || one.start >= end) continue;
    if (one.start > at) gaps.push({ start: at, end: one.start });
    at = one.end;
  }
  if (at < end) gaps.push({ start: at, end: Number.isFinite(end) ? end : null });
  return gaps;
}

/** Returns current and planned assignments on the file's vehicles that match no line. */
function surplus(ordered: readonly Shift[], held: readonly HeldAssignment[], now: number): readonly HeldAssignment[] {
  const vehicles = new Set(ordered.map(({ vehicleId }) => vehicleId));
  return held.filter((one) => {
    if (!vehicles.has(one.vehicleId) || one.end <= now) return false;
    const from = Math.max(one.start, now);
    return !ordered.some((shift) => isSamePair(shift, one) && shift.start < one.end && from < endOf(shift, ordered));
  });
}

function isRelated(one: Pair, other: Pair): boolean {
  return one.vehicleId === other.vehicleId || one.driverId === other.driverId;
}

/** Yields errors of lines that end before they start, or that overlap. */
function* problemsIn(shifts: readonly Shift[]): Generator<string> {
  for (const { line, start, end } of shifts)
    if (end !== null && end <= start) yield `line ${line}: it ends before it begins`;
  const last = new Map<string, Shift>();
  for (const shift of shifts) {
    for (const key of [`vehicle ${shift.vehicleId}`, `driver ${shift.driverId}`]) {
      const before = last.get(key);
      if (before && (before.start === shift.start || (before.end !== null && before.end > shift.start))) {
        yield `line ${shift.line}: it overlaps with line ${before.line}, which has the same ${key.split(' ')[0]}`;
      }
      if (!before || before.end === null || (shift.end ?? Number.POSITIVE_INFINITY) > before.end) last.set(key, shift);
    }
  }
}
