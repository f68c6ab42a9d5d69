// Compares the assignments of a file with those of the service. A line is true when its driver has its vehicle from its begin to its end, in one
// assignment or in several that follow each other. The plan foresees what the service's rules make of it, so that one run is enough.
import type { Request, Step } from '../../apply/step.js';
import { assignmentMaxAgeMs } from '../../limits.js';
import type { AssignmentRow } from '../../views/assignment.js';
import { momentOf } from '../../views/humanize.js';
import { type Held, type Move, outcomeOf, type Pair } from './apply-outcome.js';
import { problemsIn, type Shift } from './apply-shifts.js';

export interface ShiftPlan {
  readonly steps: readonly Step[];
  /** Why lines cannot be used. */
  readonly problems: readonly string[];
}

/** `nameOf` is `Anna Lind on Truck 07`. With `prune`, what is not in the file ends, on the vehicles that it names. */
export function planShifts(
  shifts: readonly Shift[],
  rows: readonly AssignmentRow[],
  { now, prune, nameOf }: { readonly now: number; readonly prune: boolean; readonly nameOf: (pair: Pair) => string },
): ShiftPlan {
  const ordered = [...shifts].sort((a, b) => a.start - b.start);
  const problems = [...problemsIn(ordered)];
  if (problems.length > 0) return { steps: [], problems };
  const { ending, lines } = settled(heldOf(rows), ordered, { now, prune });
  for (const { shift, moves } of [...lines].sort((a, b) => a.shift.start - b.shift.start)) {
    const isTooOld = ({ kind, at }: Move) => kind === 'assign' && at < now - assignmentMaxAgeMs;
    if (moves.some(isTooOld)) problems.push(`line ${shift.line}: it would begin more than 10 days ago`);
  }
  const steps = [
    ...ending.map((one) => endingStep(one, now, nameOf(one))),
    ...lines.map((line) => lineStep(line, nameOf(line.shift))),
  ];
  return { steps, problems };
}

interface Rules {
  readonly now: number;
  readonly prune: boolean;
}

interface Draft {
  /** What --prune ends. */
  readonly ending: readonly Held[];
  /** In the order in which they are made. */
  readonly lines: readonly LineDraft[];
}

interface LineDraft {
  readonly shift: Shift;
  /** That of its pair at its begin. */
  readonly active: Held | undefined;
  readonly end: number;
  readonly moves: readonly Move[];
}

/** Random files need at most one; the last plan is used when the lines do not settle. */
const maxRounds = 10;

/** When the outcome of a plan gives lines without an end another one than the plan has foreseen, they are planned again with that end. */
function settled(held: readonly Held[], ordered: readonly Shift[], rules: Rules): Draft {
  const ends = new Map<Shift, number>();
  let draft = draftOf(held, ordered, rules, ends);
  for (let round = 0; round < maxRounds; round++) {
    const again = draftOf(outcomeOf(held, movesOf(draft, rules)), ordered, rules);
    const open = again.lines.filter(({ shift, moves }) => shift.end === null && moves.length > 0);
    if (open.length === 0) break;
    for (const { shift, end } of open) ends.set(shift, end);
    draft = draftOf(held, ordered, rules, ends);
  }
  return draft;
}

/** `ends` are those of lines without one, where they are known; the others are foreseen. */
function draftOf(
  all: readonly Held[],
  ordered: readonly Shift[],
  { now, prune }: Rules,
  ends: ReadonlyMap<Shift, number> = new Map(),
): Draft {
  const ending = prune ? surplus(ordered, all, now) : [];
  let held: readonly Held[] = all.flatMap((one) => {
    if (!ending.includes(one)) return [one];
    return one.start < now ? [{ ...one, end: now }] : [];
  });
  const starts = startsLeft(held, ordered);
  const shortening = new Set<LineDraft>();
  const lines = ordered.map((shift): LineDraft => {
    const { start } = shift;
    const own = held.filter((one) => isSamePair(one, shift));
    const end = shift.end ?? ends.get(shift) ?? Math.min(untilOf(shift, ordered), nextStart(shift, starts));
    const goesOn = ordered.some((other) => other.start === end && isSamePair(other, shift));
    const longer = shift.end === null || goesOn ? undefined : own.find((one) => one.start < end && end < one.end);
    // A later line about the same pair begins anew.
    held = held.map((one) => (one === longer ? { ...one, end } : one));
    const pair = { vehicleId: shift.vehicleId, driverId: shift.driverId };
    const moves: readonly Move[] = [
      ...gapsIn(own, start, end).map((gap) => ({ kind: 'assign', pair, at: gap.start, end: gap.end }) as const),
      ...(longer ? [{ kind: 'unassign', pair, at: end } as const] : []),
    ];
    const line = { shift, active: own.find((one) => one.start <= start && start < one.end), end, moves };
    if (longer) shortening.add(line);
    return line;
  });
  // What is in the way ends first. Assignments without an end come last, because they stop at the next one that the service knows then.
  const others = lines.filter((line) => !shortening.has(line)).reverse();
  const isLasting = ({ moves }: LineDraft) => moves.some((move) => move.kind === 'assign' && move.end === null);
  return {
    ending,
    lines: [...shortening, ...others.filter((line) => !isLasting(line)), ...others.filter(isLasting)],
  };
}

function movesOf({ ending, lines }: Draft, { now }: Rules): readonly Move[] {
  return [...ending.map((one) => endingMove(one, now)), ...lines.flatMap(({ moves }) => moves)];
}

function endingMove({ vehicleId, driverId, start }: Held, now: number): Move {
  return { kind: 'unassign', pair: { vehicleId, driverId }, at: Math.max(start, now) };
}

function lineStep({ shift: { line, source, start }, active, end, moves }: LineDraft, name: string): Step {
  const step = { name: `${name}, from ${timeOf(start)}`, id: active?.id ?? null, line, source };
  if (moves.length === 0) return { ...step, action: 'keep', changes: [], requests: () => [] };
  const requests = moves.map(requestOf);
  if (active) {
    const changes = [{ field: 'endTimestamp', before: endText(active.end), after: endText(end) }];
    return { ...step, action: 'change', changes, requests: () => requests };
  }
  const changes = [
    { field: 'startTimestamp', before: null, after: timeOf(start) },
    { field: 'endTimestamp', before: null, after: endText(end) },
  ];
  return { ...step, action: 'create', changes, requests: () => requests };
}

/** Without an end, an assignment lasts until the next line about its vehicle or its driver. */
function untilOf(shift: Shift, ordered: readonly Shift[]): number {
  const next = ordered.find((other) => other.start > shift.start && isRelated(other, shift));
  return next?.start ?? Number.POSITIVE_INFINITY;
}

interface Start extends Pair {
  readonly at: number;
}

/** Or until the next assignment of the service. */
function nextStart(shift: Shift, starts: readonly Start[]): number {
  const next = starts.filter((one) => one.at > shift.start && isRelated(one, shift) && !isSamePair(one, shift));
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ at }) => at));
}

/** Where the assignments of the service begin once the lines are true: lines about their vehicle or driver shorten them. */
function startsLeft(held: readonly Held[], shifts: readonly Shift[]): readonly Start[] {
  return held.flatMap(({ vehicleId, driverId, start, end }): readonly Start[] => {
    const pair = { vehicleId, driverId };
    const cutting = shifts.filter((shift) => isRelated(shift, pair) && !isSamePair(shift, pair));
    let at = start;
    const starts: Start[] = [];
    for (const shift of cutting) {
      const until = shift.end ?? untilOf(shift, shifts);
      if (shift.end === null && shift.start !== start) continue;
      if (shift.start > at && shift.start < end) starts.push({ ...pair, at });
      if (shift.start < end && until > at) at = Math.max(at, until);
    }
    return at < end ? [...starts, { ...pair, at }] : starts;
  });
}

interface Gap {
  readonly start: number;
  /** Null for the last one of an assignment without an end. */
  readonly end: number | null;
}

/** The parts of a period that the assignments of the pair do not cover. */
function gapsIn(own: readonly Held[], start: number, end: number): readonly Gap[] {
  const gaps: Gap[] = [];
  let at = start;
  for (const one of own) {
    if (one.end <= at || one.start >= end) continue;
    if (one.start > at) gaps.push({ start: at, end: one.start });
    at = one.end;
  }
  if (at < end) gaps.push({ start: at, end: Number.isFinite(end) ? end : null });
  return gaps;
}

function heldOf(rows: readonly AssignmentRow[]): readonly Held[] {
  // One of both the vehicle and the driver is read twice.
  return [...new Map(rows.map((row) => [row.id, row])).values()]
    .flatMap(({ id, vehicleId, driverId, startedAt, endedAt }): readonly Held[] => {
      const start = momentOf(startedAt);
      const pair = { vehicleId: vehicleId ?? '', driverId: driverId ?? '' };
      return start === null
        ? []
        : [{ ...pair, id: id ?? null, start, end: momentOf(endedAt) ?? Number.POSITIVE_INFINITY }];
    })
    .sort((a, b) => a.start - b.start);
}

/** What lasts or is planned on the vehicles of the file, and no line says. */
function surplus(shifts: readonly Shift[], held: readonly Held[], now: number): readonly Held[] {
  const vehicles = new Set(shifts.map(({ vehicleId }) => vehicleId));
  return held.filter(({ vehicleId, driverId, start, end }) => {
    if (!vehicles.has(vehicleId) || end <= now) return false;
    const from = Math.max(start, now);
    const pair = { vehicleId, driverId };
    // Another line may end it before the one that means it begins.
    const cut = shifts.filter((shift) => shift.start > from && isRelated(shift, pair) && !isSamePair(shift, pair));
    const until = Math.min(end, ...cut.map((shift) => shift.start));
    // The service lets an assignment without an end go on after another one that interrupts it.
    const isMeant = (shift: Shift) =>
      isSamePair(shift, pair) && shift.start < until && from < (shift.end ?? Number.POSITIVE_INFINITY);
    return !shifts.some(isMeant);
  });
}

function endingStep(one: Held, now: number, name: string): Step {
  const move = endingMove(one, now);
  const changes = [{ field: 'endTimestamp', before: endText(one.end), after: timeOf(move.at) }];
  const step = { name: `${name}, from ${timeOf(one.start)}`, id: one.id, line: null, source: null };
  return { ...step, action: 'delete', changes, requests: () => [requestOf(move)] };
}

function requestOf(move: Move): Request {
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
