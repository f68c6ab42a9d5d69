// Plans the undo of assignments: ends added ones and assigns interrupted ones again.
import type { FleetClient } from '../../../index.js';
import { type Context, serviceNow } from '../../context/context.js';
import type { JournaledRecord, JournalStep } from '../../journal/entry.js';
import type { OutcomeCheck, PlanStep } from '../../plan/plan.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { personKind } from '../../records/person.js';
import { vehicleKind } from '../../records/vehicle.js';
import { ASSIGNMENT_MAX_AGE_MS } from '../drivers/apply-plan.js';
import {
  type AssignedPeriod,
  joinedPeriods,
  minuteIn,
  nameFrom,
  Projection,
  pairKey,
  type Words,
} from '../drivers/effects.js';
import { ASSIGNMENT_TOLERANCE_MS, type Assignments, outcomeProblem, readAssignments } from '../drivers/foresight.js';
import { type HeldAssignment, isSamePair, type Move, outcomeOf, type Pair } from '../drivers/outcome.js';
import type { Conflict, UndoPlan } from './plan-undo.js';
import type { PresentState } from './present-state.js';

interface AssignmentUndo extends UndoPlan {
  readonly check: OutcomeCheck;
}

/** Margin for the clock of the service. */
const MARGIN_MS = 60_000;

interface EntryState {
  readonly present: PresentState;
  /** Pairs that an unfinished undo changed. They have no conflicts. */
  readonly retried: ReadonlySet<string>;
}

/** Returns the plan; null for an entry without assignments. */
export async function planAssignmentUndo(
  context: Context,
  client: FleetClient,
  steps: readonly JournalStep[],
  { present, retried }: EntryState,
): Promise<AssignmentUndo | null> {
  const losses = steps.flatMap((step) => (step.outcome === 'failed' ? [] : unreadIn(step)));
  const periodChanges = periodChangesIn(steps, present, losses);
  if (periodChanges.length === 0) {
    return losses.length === 0 ? null : { steps: [], conflicts: [], losses, check: () => Promise.resolve(null) };
  }
  const newDrivers = driversToCreate(steps, present);
  const isNew = ({ driverId }: Pair) => newDrivers.has(driverId);
  // The service rejects the id of a deleted driver.
  const readablePairs = periodChanges.map(({ pair }) => (isNew(pair) ? { ...pair, driverId: null } : pair));
  const read = await readAssignments(context, client, readablePairs);
  const words = { ...read.words, driver: (id: string) => newDrivers.get(id) ?? read.words.driver(id) };
  const assignments = { ...read, held: read.held.filter((one) => !isNew(one)), words };
  const oldest = serviceNow(context) - ASSIGNMENT_MAX_AGE_MS + MARGIN_MS;
  const conflicts: Conflict[] = [];
  const planned: PlanStep[] = [];
  const projection = new Projection(assignments.held, words);
  const ownPairs = new Set([...retried, ...periodChanges.map(({ pair }) => pairKey(pair))]);
  for (const group of groupsOf(periodChanges).reverse()) {
    const { held } = projection;
    const found = group.map((one) => locatePeriods(one, read.held, held, words));
    for (const { pair, record, step, conflict } of found) {
      if (conflict !== null && !retried.has(pairKey(pair))) conflicts.push({ record, step, text: conflict });
    }
    const own = undoMoves(found, held, (pair, part) => clipPart(pair, part, oldest, assignments, losses), oldest);
    const [first] = found;
    if (own.length === 0 || first === undefined) continue;
    const back = projection.step(own);
    planned.push(back);
    for (const { name, pair, isEnding, effect } of back.effects ?? []) {
      if (!isEnding || !pair || ownPairs.has(pairKey(pair))) continue;
      const text = `${name}: this assignment exists now, and the undo would change it: ${effect}.`;
      conflicts.push({ record: first.record, step: first.step, text });
    }
    for (const one of found) losses.push(...lossesOfPeriods(one, projection.held, oldest, words));
  }
  return {
    steps: planned,
    conflicts,
    losses,
    // The new id of a restored driver is unknown here.
    check: periodChanges.some(({ pair }) => isNew(pair))
      ? () => Promise.resolve(null)
      : () => outcomeProblem(context, client, assignments, projection.moves),
  };
}

/** Returns the changed periods of all pairs, in the order of the steps. */
function periodChangesIn(
  steps: readonly JournalStep[],
  present: PresentState,
  losses: string[],
): readonly PeriodChange[] {
  const done = steps.filter(({ outcome }) => outcome !== 'failed');
  const periodChanges = done.flatMap(periodsIn);
  const keys = new Set(periodChanges.map(({ pair }) => pairKey(pair)));
  // An assignment that the entry itself removed is recorded twice.
  const lost = done.flatMap((step) => lostPeriodsIn(step, present, losses));
  return [...periodChanges, ...lost.filter(({ pair }) => !keys.has(pairKey(pair)))];
}

/** A pair that the entry changed, with its periods after each step. */
interface PairHistory {
  readonly pair: Pair;
  readonly record: JournaledRecord;
  readonly step: JournalStep;
  /** Periods before the entry and after each step. */
  readonly states: readonly (readonly AssignedPeriod[])[];
  readonly isLost: boolean;
}

/** Groups pairs that changed together, directly or through a third pair, by the last step. */
function groupsOf(periodChanges: readonly PeriodChange[]): (readonly PairHistory[])[] {
  const groups: PeriodChange[][] = [];
  for (const one of periodChanges) {
    const isRelated = (other: PeriodChange) => other.step === one.step || isSamePair(other.pair, one.pair);
    const related = groups.filter((group) => group.some(isRelated));
    for (const group of related) groups.splice(groups.indexOf(group), 1);
    groups.push([...related.flat(), one]);
  }
  return groups.map((group) => {
    const byPair = new Map<string, PeriodChange[]>();
    for (const one of group) byPair.set(pairKey(one.pair), [...(byPair.get(pairKey(one.pair)) ?? []), one]);
    return [...byPair.values()].flatMap((own) => historyOf(own) ?? []);
  });
}

function historyOf(periodChanges: readonly PeriodChange[]): PairHistory | null {
  const last = periodChanges.at(-1);
  if (last === undefined) return null;
  let seen: readonly AssignedPeriod[] = [];
  let first: readonly AssignedPeriod[] = [];
  for (const { before, after } of periodChanges) {
    first = joinedPeriods([...first, ...withoutParts(before, seen)]);
    seen = joinedPeriods([...seen, ...before, ...after]);
  }
  const states = [first];
  for (const { before, after } of periodChanges) {
    states.push(joinedPeriods([...withoutParts(states.at(-1) ?? [], before), ...after]));
  }
  const { pair, record, step, isLost = false } = last;
  return { pair, record, step, states, isLost };
}

/** Returns a loss for each period that cannot be restored because of another assignment. */
function lossesOfPeriods(
  { pair, missing }: LocatedPair,
  held: readonly HeldAssignment[],
  oldest: number,
  words: Words,
): readonly string[] {
  const possible = missing.flatMap((part) =>
    part.end > oldest ? [{ ...part, start: Math.max(part.start, oldest) }] : [],
  );
  const own = held.filter((one) => isSamePair(one, pair));
  const minute = minuteIn(words.zone);
  return withoutParts(possible, own)
    .filter(({ start, end }) => end - start > ASSIGNMENT_TOLERANCE_MS)
    .map(
      ({ start, end }) =>
        `${nameFrom(pair, start, words)}: it does not come back${Number.isFinite(end) ? ` until ${minute(end)}` : ''}, because there is another assignment then.`,
    );
}

/** Returns the names of deleted drivers by their former ids. */
function driversToCreate(steps: readonly JournalStep[], present: PresentState): ReadonlyMap<string, string> {
  const deleted = steps
    .filter(({ outcome }) => outcome !== 'failed')
    .flatMap(({ records }) => records)
    .filter(({ kind, action }) => kind === personKind.noun && action === 'delete');
  return new Map(
    deleted.flatMap(({ id, name }) => (id === null || present.find(personKind.noun, id) ? [] : [[id, name] as const])),
  );
}

function lostPeriodsIn(step: JournalStep, present: PresentState, losses: string[]): readonly PeriodChange[] {
  const { at, records } = step;
  return records.flatMap((record) =>
    (record.dependents?.assignments ?? []).flatMap(({ vehicleId, startedAt, endedAt }): readonly PeriodChange[] => {
      if (record.kind !== personKind.noun || record.id === null) return [];
      if (present.find(vehicleKind.noun, vehicleId) === null) {
        losses.push(`${record.name}: the vehicle ${vehicleId} of an assignment is not there any more.`);
        return [];
      }
      const startTimestamp = startedAt > at ? startedAt : at;
      const before = periodOf({ startTimestamp, endTimestamp: endedAt });
      return [{ pair: { vehicleId, driverId: record.id }, record, step, before, after: [], isLost: true }];
    }),
  );
}

interface PeriodChange {
  readonly pair: Pair;
  readonly record: JournaledRecord;
  readonly step: JournalStep;
  readonly before: readonly AssignedPeriod[];
  readonly after: readonly AssignedPeriod[];
  /** True when the service removed it with its driver. */
  readonly isLost?: true;
}

function periodsIn(step: JournalStep): readonly PeriodChange[] {
  return step.records.flatMap((record): readonly PeriodChange[] => {
    if (record.kind !== assignmentKind.noun || !record.pair || !hasPeriods(record)) return [];
    return [{ pair: record.pair, record, step, before: side(record, 'before'), after: side(record, 'after') }];
  });
}

/** Returns a loss for each assignment with unknown effect. */
function unreadIn({ records }: JournalStep): readonly string[] {
  const unread = records.filter(
    (record) => record.kind === assignmentKind.noun && record.action !== 'keep' && !(record.pair && hasPeriods(record)),
  );
  return unread.map(({ name }) => `${name || 'An assignment'}: what it changed could not be read before it was sent.`);
}

function hasPeriods({ changes }: JournaledRecord): boolean {
  return changes.some(({ field }) => field === 'periods' || field === 'startTimestamp');
}

function side({ changes }: JournaledRecord, name: 'before' | 'after'): readonly AssignedPeriod[] {
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

/** The periods to end and to assign for a pair, with the times of the service. */
interface LocatedPair {
  readonly pair: Pair;
  readonly record: JournaledRecord;
  readonly step: JournalStep;
  readonly extra: readonly AssignedPeriod[];
  readonly missing: readonly AssignedPeriod[];
  readonly conflict: string | null;
}

/** Compares periods with a tolerance, because the service sets times that a change omits. */
function locatePeriods(
  { pair, record, step, states, isLost }: PairHistory,
  read: readonly HeldAssignment[],
  held: readonly HeldAssignment[],
  words: Words,
): LocatedPair {
  const own = joinedPeriods(held.filter((one) => isSamePair(pair, one)));
  const isNear = (one: number, other: number) => one === other || Math.abs(one - other) <= ASSIGNMENT_TOLERANCE_MS;
  const isSame = (one: AssignedPeriod, other: AssignedPeriod) =>
    isNear(one.start, other.start) && isNear(one.end, other.end);
  const touched = own.filter((one) => states.flat().some((periodChanges) => overlaps(one, periodChanges)));
  const areThose = (periodChanges: readonly AssignedPeriod[]) =>
    periodChanges.length === touched.length &&
    periodChanges.every((one) => touched.some((other) => isSame(one, other)));
  const [before = []] = states;
  // Already restored, also for a step with an unknown outcome.
  if (areThose(before)) return { pair, record, step, extra: [], missing: [], conflict: null };
  const minute = minuteIn(words.zone);
  const shown = touched.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : 'open'}`);
  // A partly done undo leaves the state after one of the steps.
  const conflict = states.some(areThose)
    ? null
    : `${record.name}: it is ${shown.length === 0 ? 'gone' : `from ${shown.join(' and from ')}`} now; somebody has changed it since.`;
  // For --force: the present periods replace those of the step. A removed assignment ends when the
  // service deletes its driver.
  const moments = [
    ...touched.flatMap(({ start, end }) => [start, end]),
    ...(isLost ? read.filter((one) => one.vehicleId === pair.vehicleId).map(({ end }) => end) : []),
  ];
  const noted = (moment: number) => moments.find((other) => isNear(other, moment)) ?? moment;
  const was = before.map(({ start, end }) => ({ start: noted(start), end: noted(end) }));
  return { pair, record, step, extra: withoutParts(touched, was), missing: withoutParts(was, touched), conflict };
}

/** Returns the part of a period that the service still accepts; null for none. */
type Clip = (pair: Pair, part: AssignedPeriod) => AssignedPeriod | null;

/**
 * Joins parts with adjacent assignments, which are assigned again: the service cannot extend one.
 */
function undoMoves(
  found: readonly LocatedPair[],
  held: readonly HeldAssignment[],
  clip: Clip,
  oldest: number,
): readonly Move[] {
  const begin = (pair: Pair, part: AssignedPeriod): readonly Move[] => {
    const clippedPart = clip(pair, part);
    return clippedPart === null ? [] : [{ kind: 'assign', pair, at: clippedPart.start, end: endOf(clippedPart) }];
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

/** Cuts off the part that is too old for the service; null when nothing is left. */
function clipPart(
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
