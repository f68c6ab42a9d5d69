// Plans the way back of assignments: what an entry added is ended at its begin, and what it interrupted is assigned again, as far as the
// service's rules let it.
import type { FleetClient } from '../../../index.js';
import type { OutcomeCheck } from '../../change/foresight.js';
import type { PlanStep } from '../../change/plan.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { JournalStep, KeptRecord } from '../../journal/entry.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { ASSIGNMENT_MAX_AGE_MS, requestOf } from '../drivers/apply-plan.js';
import { type AssignedPeriod, effectRecord, effectsBetween, minuteIn, nameFrom } from '../drivers/effects.js';
import { ASSIGNMENT_TOLERANCE_MS, type Assignments, outcomeProblem, readAssignments } from '../drivers/foresight.js';
import { type HeldAssignment, type Move, outcomeOf, type Pair } from '../drivers/outcome.js';
import type { WayBackPlan } from './plan-undo.js';

export interface AssignmentsBack extends WayBackPlan {
  /** Whether the assignments are as planned afterwards. */
  readonly check: OutcomeCheck;
}

/** A moment to spare, because the service has a clock of its own. */
const MARGIN_MS = 60_000;

/** Null when the entry has no assignments. `steps` of the entry. @throws CliError GRAPHQL for an incomplete answer */
export async function planAssignmentsBack(
  context: Context,
  client: FleetClient,
  steps: readonly JournalStep[],
): Promise<AssignmentsBack | null> {
  const concerned = steps
    .filter(({ outcome }) => outcome !== 'failed')
    .map((step) => ({ step, told: periodsIn(step) }));
  const pairs = concerned.flatMap(({ told }) => told.map(({ pair }) => pair));
  const losses = concerned.flatMap(({ step }) => unreadIn(step));
  if (pairs.length === 0) {
    return losses.length === 0 ? null : { steps: [], conflicts: [], losses, check: () => Promise.resolve(null) };
  }
  const assignments = await readAssignments(context, client, pairs);
  const oldest = serviceNow(context) - ASSIGNMENT_MAX_AGE_MS + MARGIN_MS;
  const conflicts: string[] = [];
  const planned: PlanStep[] = [];
  const moves: Move[] = [];
  let held = assignments.held;
  for (const { told } of [...concerned].reverse()) {
    const found = told.map((one) => located(one, held, assignments));
    conflicts.push(...found.flatMap(({ conflict }) => conflict ?? []));
    const own = clipped(movesBack(found, held), oldest, assignments, losses);
    if (own.length === 0) continue;
    const next = outcomeOf(held, own);
    const effects = effectsBetween(held, next).map((effect) => effectRecord(effect, assignments.words));
    held = next;
    moves.push(...own);
    const [record] = effects;
    if (record) planned.push({ line: null, source: null, record, effects, requests: () => own.map(requestOf) });
  }
  return {
    steps: planned,
    conflicts,
    losses,
    check: () => outcomeProblem(context, client, assignments, moves),
  };
}

/** What a step did to a pair. */
interface ToldPeriods {
  readonly pair: Pair;
  readonly name: string;
  readonly before: readonly AssignedPeriod[];
  readonly after: readonly AssignedPeriod[];
}

function periodsIn({ records }: JournalStep): readonly ToldPeriods[] {
  return records.flatMap((record): readonly ToldPeriods[] => {
    if (record.kind !== assignmentKind.noun || !record.pair || !isTold(record)) return [];
    const { pair, name } = record;
    return [{ pair, name, before: side(record, 'before'), after: side(record, 'after') }];
  });
}

/** Returns an error text for each assignment whose effect was unknown when it was sent. */
function unreadIn({ records }: JournalStep): readonly string[] {
  const unread = records.filter(
    (record) => record.kind === assignmentKind.noun && record.action !== 'keep' && !(record.pair && isTold(record)),
  );
  return unread.map(({ name }) => `${name || 'An assignment'}: what it changed could not be read before it was sent.`);
}

function isTold({ changes }: KeptRecord): boolean {
  return changes.some(({ field }) => field === 'periods' || field === 'startTimestamp');
}

function side({ changes }: KeptRecord, name: 'before' | 'after'): readonly AssignedPeriod[] {
  const of = (field: string) => changes.find((change) => change.field === field)?.[name];
  const periods = of('periods');
  if (Array.isArray(periods)) return periods.flatMap((period) => periodOf(Object(period)));
  return periodOf({ startTimestamp: of('startTimestamp'), endTimestamp: of('endTimestamp') });
}

function periodOf(times: {
  readonly startTimestamp?: unknown;
  readonly endTimestamp?: unknown;
}): readonly AssignedPeriod[] {
  const { startTimestamp, endTimestamp } = times;
  if (typeof startTimestamp !== 'string') return [];
  const end = typeof endTimestamp === 'string' ? Date.parse(endTimestamp) : Number.POSITIVE_INFINITY;
  return [{ start: Date.parse(startTimestamp), end }];
}

/** What is to be done for a pair: periods by the times that the service has really noted. */
interface Located {
  readonly pair: Pair;
  /** What the step added. */
  readonly extra: readonly AssignedPeriod[];
  /** What the step took away. */
  readonly missing: readonly AssignedPeriod[];
  readonly conflict: string | null;
}

/** A change without a time happens when the service gets it, so its times differ a little from the planned ones. */
function located(
  { pair, name, before, after }: ToldPeriods,
  held: readonly HeldAssignment[],
  { words }: Assignments,
): Located {
  const own = joinedPeriods(held.filter((one) => isOf(pair, one)));
  const isNear = (one: number, other: number) => one === other || Math.abs(one - other) <= ASSIGNMENT_TOLERANCE_MS;
  const isSame = (one: AssignedPeriod, other: AssignedPeriod) =>
    isNear(one.start, other.start) && isNear(one.end, other.end);
  const touched = own.filter((one) => [...before, ...after].some((told) => overlaps(one, told)));
  const areThose = (told: readonly AssignedPeriod[]) =>
    told.length === touched.length && told.every((one) => touched.some((other) => isSame(one, other)));
  // It is as it was before already: nothing to do, also for a step whose outcome is not known.
  if (areThose(before)) return { pair, extra: [], missing: [], conflict: null };
  const minute = minuteIn(words.zone);
  const shown = touched.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : 'open'}`);
  const conflict = areThose(after)
    ? null
    : `${name}: it is ${shown.length === 0 ? 'gone' : `from ${shown.join(' and from ')}`} now; somebody has changed it since.`;
  // With --force what is there now takes the place of what the step made.
  const noted = (moment: number) =>
    touched.flatMap(({ start, end }) => [start, end]).find((other) => isNear(other, moment)) ?? moment;
  const was = before.map(({ start, end }) => ({ start: noted(start), end: noted(end) }));
  return { pair, extra: withoutParts(touched, was), missing: withoutParts(was, touched), conflict };
}

/** First the ends, then the begins: what is assigned again must not be cut by what goes. */
function movesBack(found: readonly Located[], held: readonly HeldAssignment[]): readonly Move[] {
  const ends = found.flatMap(({ pair, extra }) =>
    extra.flatMap((part) =>
      held
        .filter((one) => isOf(pair, one) && overlaps(one, part))
        .flatMap((one): readonly Move[] => {
          const at = Math.max(one.start, part.start);
          const rest = one.end > part.end ? [{ kind: 'assign', pair, at: part.end, end: endOf(one) } as const] : [];
          return [{ kind: 'unassign', pair, at }, ...rest];
        }),
    ),
  );
  const begins = found.flatMap(({ pair, missing }) =>
    missing.map((part): Move => ({ kind: 'assign', pair, at: part.start, end: endOf(part) })),
  );
  return [...ends, ...begins];
}

function endOf({ end }: AssignedPeriod): number | null {
  return Number.isFinite(end) ? end : null;
}

/** Without what the service does not take any more: it begins too long ago. */
function clipped(moves: readonly Move[], oldest: number, { words }: Assignments, losses: string[]): readonly Move[] {
  return moves.flatMap((move): readonly Move[] => {
    if (move.kind === 'unassign' || move.at >= oldest) return [move];
    const minute = minuteIn(words.zone);
    losses.push(
      `${nameFrom(move.pair, move.at, words)}: the service takes no assignment that begins more than 10 days ago, so what was before ${minute(oldest)} does not come back.`,
    );
    return move.end !== null && move.end <= oldest ? [] : [{ ...move, at: oldest }];
  });
}

function isOf(pair: Pair, one: Pair): boolean {
  return one.vehicleId === pair.vehicleId && one.driverId === pair.driverId;
}

function overlaps(one: AssignedPeriod, other: AssignedPeriod): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Those that follow each other without a gap are one. */
function joinedPeriods(periods: readonly AssignedPeriod[]): readonly AssignedPeriod[] {
  const all: AssignedPeriod[] = [];
  for (const { start, end } of [...periods].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else all.push({ start, end });
  }
  return all;
}

function withoutParts(periods: readonly AssignedPeriod[], parts: readonly AssignedPeriod[]): readonly AssignedPeriod[] {
  return parts.reduce(
    (rest: readonly AssignedPeriod[], part) =>
      rest.flatMap((one) =>
        overlaps(one, part)
          ? [
              { start: one.start, end: part.start },
              { start: part.end, end: one.end },
            ].filter(({ start, end }) => start < end)
          : [one],
      ),
    periods,
  );
}
