// Plans the undo of assignments: ends what an entry added, and assigns again what it interrupted,
// as far as the rules of the service allow.
import type { FleetClient } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { JournalStep, KeptRecord } from '../../journal/entry.js';
import type { OutcomeCheck, PlanStep } from '../../plan/plan.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { personKind } from '../../records/person.js';
import { vehicleKind } from '../../records/vehicle.js';
import { ASSIGNMENT_MAX_AGE_MS } from '../drivers/apply-plan.js';
import { type AssignedPeriod, joinedPeriods, minuteIn, nameFrom, Projection } from '../drivers/effects.js';
import { ASSIGNMENT_TOLERANCE_MS, type Assignments, outcomeProblem, readAssignments } from '../drivers/foresight.js';
import { type HeldAssignment, isSamePair, type Move, outcomeOf, type Pair } from '../drivers/outcome.js';
import type { Conflict, UndoPlan } from './plan-undo.js';
import type { PresentState } from './present-state.js';

export interface AssignmentUndo extends UndoPlan {
  /** Compares the assignments with the plan afterwards. */
  readonly check: OutcomeCheck;
}

/** A moment to spare, because the service has a clock of its own. */
const MARGIN_MS = 60_000;

/** Returns null for an entry without assignments. @throws CliError GRAPHQL for an incomplete answer */
export async function planAssignmentUndo(
  context: Context,
  client: FleetClient,
  steps: readonly JournalStep[],
  present: PresentState,
): Promise<AssignmentUndo | null> {
  const losses: string[] = [];
  const concerned = steps
    .filter(({ outcome }) => outcome !== 'failed')
    .map((step) => ({ step, told: [...periodsIn(step), ...lostPeriodsIn(step, present, losses)] }));
  losses.push(...concerned.flatMap(({ step }) => unreadIn(step)));
  const pairs = concerned.flatMap(({ told }) => told.map(({ pair }) => pair));
  if (pairs.length === 0) {
    return losses.length === 0 ? null : { steps: [], conflicts: [], losses, check: () => Promise.resolve(null) };
  }
  const newDrivers = driversToCreate(steps, present);
  const isNew = ({ driverId }: Pair) => newDrivers.has(driverId);
  // The service knows no driver whom it has deleted.
  const known = pairs.map((pair) => (isNew(pair) ? { ...pair, driverId: null } : pair));
  const read = await readAssignments(context, client, known);
  const words = { ...read.words, driver: (id: string) => newDrivers.get(id) ?? read.words.driver(id) };
  const assignments = { ...read, held: read.held.filter((one) => !isNew(one)), words };
  const oldest = serviceNow(context) - ASSIGNMENT_MAX_AGE_MS + MARGIN_MS;
  const conflicts: Conflict[] = [];
  const planned: PlanStep[] = [];
  const projection = new Projection(assignments.held, words);
  for (const { step, told } of [...concerned].reverse()) {
    const { held } = projection;
    const found = told.map((one) => located(one, held, assignments));
    for (const { record, conflict } of found) if (conflict !== null) conflicts.push({ record, step, text: conflict });
    const own = movesBack(found, held, (pair, part) => clipped(pair, part, oldest, assignments, losses), oldest);
    if (own.length === 0) continue;
    const back = projection.step(own);
    planned.push(back);
    const [first] = told;
    const others = (back.effects ?? []).filter(
      ({ isEnding, pair }) => isEnding && pair && !pairs.some((one) => isSamePair(one, pair)),
    );
    for (const { name, told: effect } of others) {
      if (first)
        conflicts.push({
          record: first.record,
          step,
          text: `${name}: it is there now. The undo would change it: ${effect}.`,
        });
    }
  }
  return {
    steps: planned,
    conflicts,
    losses,
    // The new id of a driver who comes back is not known here.
    check: pairs.some(isNew)
      ? () => Promise.resolve(null)
      : () => outcomeProblem(context, client, assignments, projection.moves),
  };
}

/** Returns the names of deleted drivers who are not there, by their former ids. */
function driversToCreate(steps: readonly JournalStep[], present: PresentState): ReadonlyMap<string, string> {
  const deleted = steps
    .filter(({ outcome }) => outcome !== 'failed')
    .flatMap(({ records }) => records)
    .filter(({ kind, action }) => kind === personKind.noun && action === 'delete');
  return new Map(
    deleted.flatMap(({ id, name }) => (id === null || present.find(personKind.noun, id) ? [] : [[id, name] as const])),
  );
}

/** Returns the assignments that a person lost by the deletion, which ends earlier ones. */
function lostPeriodsIn({ at, records }: JournalStep, present: PresentState, losses: string[]): readonly ToldPeriods[] {
  return records.flatMap((record) =>
    (record.dependents?.assignments ?? []).flatMap(({ vehicleId, startedAt, endedAt }): readonly ToldPeriods[] => {
      if (record.kind !== personKind.noun || record.id === null) return [];
      if (present.find(vehicleKind.noun, vehicleId) === null) {
        losses.push(`${record.name}: the vehicle ${vehicleId} of an assignment is not there any more.`);
        return [];
      }
      const startTimestamp = startedAt > at ? startedAt : at;
      const before = periodOf({ startTimestamp, endTimestamp: endedAt });
      return [{ pair: { vehicleId, driverId: record.id }, record, before, after: [] }];
    }),
  );
}

/** The periods of a pair before and after a step. */
interface ToldPeriods {
  readonly pair: Pair;
  readonly record: KeptRecord;
  readonly before: readonly AssignedPeriod[];
  readonly after: readonly AssignedPeriod[];
}

function periodsIn({ records }: JournalStep): readonly ToldPeriods[] {
  return records.flatMap((record): readonly ToldPeriods[] => {
    if (record.kind !== assignmentKind.noun || !record.pair || !isTold(record)) return [];
    return [{ pair: record.pair, record, before: side(record, 'before'), after: side(record, 'after') }];
  });
}

/** Returns a loss for each assignment whose effect was unknown when it was sent. */
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

/** The periods to end and to assign for a pair, by the times that the service has noted. */
interface Located {
  readonly pair: Pair;
  readonly record: KeptRecord;
  /** Periods that the step added. */
  readonly extra: readonly AssignedPeriod[];
  /** Periods that the step took away. */
  readonly missing: readonly AssignedPeriod[];
  readonly conflict: string | null;
}

/** Compares the periods with a tolerance: a change without a time has that of the service. */
function located(
  { pair, record, before, after }: ToldPeriods,
  held: readonly HeldAssignment[],
  { words }: Assignments,
): Located {
  const own = joinedPeriods(held.filter((one) => isSamePair(pair, one)));
  const isNear = (one: number, other: number) => one === other || Math.abs(one - other) <= ASSIGNMENT_TOLERANCE_MS;
  const isSame = (one: AssignedPeriod, other: AssignedPeriod) =>
    isNear(one.start, other.start) && isNear(one.end, other.end);
  const touched = own.filter((one) => [...before, ...after].some((told) => overlaps(one, told)));
  const areThose = (told: readonly AssignedPeriod[]) =>
    told.length === touched.length && told.every((one) => touched.some((other) => isSame(one, other)));
  // Restored already, also for a step with an unknown outcome.
  if (areThose(before)) return { pair, record, extra: [], missing: [], conflict: null };
  const minute = minuteIn(words.zone);
  const shown = touched.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : 'open'}`);
  const conflict = areThose(after)
    ? null
    : `${record.name}: it is ${shown.length === 0 ? 'gone' : `from ${shown.join(' and from ')}`} now; somebody has changed it since.`;
  // --force: the present periods take the place of those that the step made.
  const noted = (moment: number) =>
    touched.flatMap(({ start, end }) => [start, end]).find((other) => isNear(other, moment)) ?? moment;
  const was = before.map(({ start, end }) => ({ start: noted(start), end: noted(end) }));
  return { pair, record, extra: withoutParts(touched, was), missing: withoutParts(was, touched), conflict };
}

/** Returns what the service can still take of a period of a pair; null for nothing. */
type Clip = (pair: Pair, part: AssignedPeriod) => AssignedPeriod | null;

/** First the ends, then the begins: what is assigned again must not be cut by what goes. */
function movesBack(
  found: readonly Located[],
  held: readonly HeldAssignment[],
  clip: Clip,
  oldest: number,
): readonly Move[] {
  const begin = (pair: Pair, part: AssignedPeriod): readonly Move[] => {
    const taken = clip(pair, part);
    return taken === null ? [] : [{ kind: 'assign', pair, at: taken.start, end: endOf(taken) }];
  };
  const ends = found.flatMap(({ pair, extra }) =>
    extra.flatMap((part) =>
      held
        .filter((one) => isSamePair(pair, one) && overlaps(one, part))
        .flatMap((one): readonly Move[] => {
          const at = Math.max(one.start, part.start);
          const rest = one.end > part.end ? begin(pair, { start: part.end, end: one.end }) : [];
          return [{ kind: 'unassign', pair, at }, ...rest];
        }),
    ),
  );
  const left = outcomeOf(held, ends);
  const joins = found.map(({ pair, missing }) => {
    const parts = missing.flatMap((part) => clip(pair, part) ?? []);
    const own = left.filter((one) => isSamePair(pair, one));
    return { pair, ...joinedWithNeighbours(parts, own, oldest) };
  });
  return [
    ...ends,
    ...joins.flatMap(({ pair, replaced }) =>
      replaced.map(({ start }): Move => ({ kind: 'unassign', pair, at: start })),
    ),
    ...joins.flatMap(({ pair, begins }) => begins.flatMap((part) => begin(pair, part))),
  ];
}

/**
 * Joins the parts to assign with the assignments that they touch, because the service cannot extend
 * one: those are removed and assigned again as a whole. One that began too long ago stays.
 */
function joinedWithNeighbours(
  parts: readonly AssignedPeriod[],
  own: readonly HeldAssignment[],
  oldest: number,
): { readonly replaced: readonly HeldAssignment[]; readonly begins: readonly AssignedPeriod[] } {
  const replaced = own.filter(
    (one) => one.start >= oldest && parts.some(({ start, end }) => one.end === start || one.start === end),
  );
  return { replaced, begins: joinedPeriods([...parts, ...replaced]) };
}

function endOf({ end }: AssignedPeriod): number | null {
  return Number.isFinite(end) ? end : null;
}

/** Cuts off the part that begins too long ago for the service; null when nothing is left. */
function clipped(
  pair: Pair,
  part: AssignedPeriod,
  oldest: number,
  { words }: Assignments,
  losses: string[],
): AssignedPeriod | null {
  if (part.start >= oldest) return part;
  losses.push(
    `${nameFrom(pair, part.start, words)}: the service takes no assignment that begins more than 10 days ago, so what was before ${minuteIn(words.zone)(oldest)} does not come back.`,
  );
  return part.end <= oldest ? null : { ...part, start: oldest };
}

function overlaps(one: AssignedPeriod, other: AssignedPeriod): boolean {
  return one.start < other.end && other.start < one.end;
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
