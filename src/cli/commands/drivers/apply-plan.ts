// Compares the assignments of a file with those of the service. A line is true when its driver has its vehicle from its begin to its end, in one
// assignment or in several that follow each other. What each line needs is sent to the service, whose own rules do the rest.
import type { PlanStep } from '../../plan/plan.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import type { Request } from '../../records/requests.js';
import { problemsIn, type Shift } from './apply-shifts.js';
import { type Effect, effectRecord, effectsBetween, nameFrom, type Words } from './effects.js';
import { type HeldAssignment, type Move, outcomeOf, type Pair } from './outcome.js';

/** The service accepts an assignment that begins at most this long ago. */
export const ASSIGNMENT_MAX_AGE_MS = 10 * 86_400_000;

export interface ShiftPlan {
  /** In the order in which they are made. */
  readonly steps: readonly PlanStep[];
  readonly moves: readonly Move[];
  /** How many assignments no line says, which --prune would end; 0 with `prune`. */
  readonly notInFile: number;
  /** Why lines cannot be used. */
  readonly problems: readonly string[];
}

interface Rules {
  readonly now: number;
  readonly prune: boolean;
}

/** What the service is asked to do for a line, or to end an assignment that no line says. */
interface Task {
  readonly shift: Shift | null;
  /** The assignment that it changes; undefined when there is none. */
  readonly held: HeldAssignment | undefined;
  readonly end: number;
  readonly moves: readonly Move[];
}

/** A task, and all that it does when those before it have been done. */
interface PlannedTask extends Task {
  readonly effects: readonly Effect[];
}

/** With `prune`, what is not in the file ends, on the vehicles that it names. */
export function planShifts(
  shifts: readonly Shift[],
  held: readonly HeldAssignment[],
  { now, prune, ...words }: Rules & Words,
): ShiftPlan {
  const ordered = [...shifts].sort((a, b) => a.start - b.start);
  const problems = [...problemsIn(ordered)];
  if (problems.length > 0) return { steps: [], moves: [], notInFile: 0, problems };
  const tasks = tasksFor(held, ordered, { now, prune });
  const isTooOld = ({ kind, at }: Move) => kind === 'assign' && at < now - ASSIGNMENT_MAX_AGE_MS;
  const tooOld = tasks.flatMap(({ shift, moves }) => (shift && moves.some(isTooOld) ? shift : []));
  for (const { line } of ordered.filter((shift) => tooOld.includes(shift))) {
    problems.push(`line ${line}: it would begin more than 10 days ago`);
  }
  const done = new Set(tasks.map(({ shift }) => shift));
  const steps = [
    ...tasks.map((task) => stepOf(task, words)),
    ...ordered.flatMap((shift) => (done.has(shift) ? [] : keepStep(shift, held, words))),
  ];
  const moves = tasks.flatMap((task) => task.moves);
  const notInFile = prune ? 0 : surplus(ordered, outcomeOf(held, moves), now).length;
  return { steps, moves, notInFile, problems };
}

/** Random files need at most two. */
const MAX_ROUNDS = 10;

/** What this and every later run would send, so that a second run has nothing to do: lines about one driver or vehicle change each other. */
function tasksFor(held: readonly HeldAssignment[], ordered: readonly Shift[], rules: Rules): readonly PlannedTask[] {
  const tasks: PlannedTask[] = [];
  let state = held;
  const add = (task: Task) => {
    if (task.moves.length === 0) return;
    const next = outcomeOf(state, task.moves);
    tasks.push({ ...task, effects: effectsBetween(state, next) });
    state = next;
  };
  // A line without an end lasts until the next assignment that there is then, so those come last, the latest first.
  const closed = ordered.filter(({ end }) => end !== null);
  const open = ordered.filter(({ end }) => end === null).reverse();
  for (let round = 0, count = -1; round < MAX_ROUNDS && tasks.length > count; round++) {
    count = tasks.length;
    if (rules.prune) for (const one of surplus(ordered, state, rules.now)) add(endingTask(one, rules.now));
    for (const shift of [...closed, ...open]) add(lineTask(shift, state, ordered));
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
    held: own.find((one) => one.start <= start && start < one.end),
    end,
    moves: [
      ...gapsIn(own, start, end).map((gap) => ({ kind: 'assign', pair, at: gap.start, end: gap.end }) as const),
      ...(isLonger ? [{ kind: 'unassign', pair, at: end } as const] : []),
    ],
  };
}

function endingTask(held: HeldAssignment, now: number): Task {
  const { vehicleId, driverId, start } = held;
  const end = Math.max(start, now);
  return { shift: null, held, end, moves: [{ kind: 'unassign', pair: { vehicleId, driverId }, at: end }] };
}

function stepOf({ shift, held, end, moves, effects }: PlannedTask, words: Words): PlanStep {
  const about = shift ?? held;
  const step = {
    line: shift?.line ?? null,
    source: shift?.source ?? null,
    effects: effects.map((effect) => effectRecord(effect, words)),
    requests: moves.map(requestOf),
  };
  const record = {
    kind: assignmentKind.noun,
    name: about ? nameFrom(about, about.start, words) : '',
    id: held?.id ?? null,
    ...(about ? { pair: { vehicleId: about.vehicleId, driverId: about.driverId } } : {}),
  };
  if (held) {
    const changes = [{ field: 'endTimestamp', before: endText(held.end), after: endText(end) }];
    const action = shift === null && end === held.start ? 'delete' : 'update';
    return { ...step, record: { ...record, action, changes } };
  }
  const changes = [
    { field: 'startTimestamp', before: null, after: shift && timeOf(shift.start) },
    { field: 'endTimestamp', before: null, after: endText(end) },
  ];
  return { ...step, record: { ...record, action: 'create', changes } };
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

/** Without an end, a line lasts until the next line about its vehicle or its driver. */
function endOf(shift: Shift, ordered: readonly Shift[]): number {
  const next = ordered.find((other) => other.start > shift.start && isRelated(other, shift));
  return shift.end ?? next?.start ?? Number.POSITIVE_INFINITY;
}

/** Or until the next assignment of the service. */
function nextStart(shift: Shift, held: readonly HeldAssignment[]): number {
  const next = held.filter((one) => one.start > shift.start && isRelated(one, shift) && !isSamePair(one, shift));
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ start }) => start));
}

interface Gap {
  readonly start: number;
  /** Null for the last one of an assignment without an end. */
  readonly end: number | null;
}

/** The parts of a period that the assignments of the pair do not cover. */
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

/** What lasts or is planned on the vehicles of the file, and no line says. */
function surplus(ordered: readonly Shift[], held: readonly HeldAssignment[], now: number): readonly HeldAssignment[] {
  const vehicles = new Set(ordered.map(({ vehicleId }) => vehicleId));
  return held.filter((one) => {
    if (!vehicles.has(one.vehicleId) || one.end <= now) return false;
    const from = Math.max(one.start, now);
    return !ordered.some((shift) => isSamePair(shift, one) && shift.start < one.end && from < endOf(shift, ordered));
  });
}

export function requestOf(move: Move): Request {
  const { pair, at } = move;
  if (move.kind === 'unassign') {
    const unassignDriverInput = { ...pair, timestamp: timeOf(at) };
    return { operation: 'unassignDriver', variables: { unassignDriverInput }, idempotent: false };
  }
  const times = { startTimestamp: timeOf(at), ...(move.end === null ? {} : { endTimestamp: timeOf(move.end) }) };
  // The service changes nothing when the driver is assigned at this time already.
  return { operation: 'assignDriver', variables: { assignDriverInput: { ...pair, ...times } }, idempotent: true };
}

function isSamePair(one: Pair, other: Pair): boolean {
  return one.vehicleId === other.vehicleId && one.driverId === other.driverId;
}

function isRelated(one: Pair, other: Pair): boolean {
  return one.vehicleId === other.vehicleId || one.driverId === other.driverId;
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}

function endText(moment: number): string | null {
  return Number.isFinite(moment) ? timeOf(moment) : null;
}
