// Effects of assignment changes: the periods that each pair of driver and vehicle loses and gets.
import type { PlanStep } from '../../plan/plan.js';
import { fromNoLine } from '../../plan/plan-record.js';
import type { Action, PlannedChange } from '../../plan/record-change.js';
import type { MemberChange } from '../../records/differences.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { localTime } from '../../time/format-time.js';
import { type HeldAssignment, isSamePair, type Move, outcomeOf, type Pair, requestOf } from './outcome.js';

/** A period of an assignment. Times in milliseconds; an open end is Infinity. */
export interface AssignedPeriod {
  readonly start: number;
  readonly end: number;
}

/** The overlapping periods of a pair before and after a change, with adjacent ones merged. */
export interface Effect extends Pair {
  readonly id: string | null;
  /** Empty for a new assignment. */
  readonly before: readonly AssignedPeriod[];
  /** Empty for a removed assignment. */
  readonly after: readonly AssignedPeriod[];
}

/** Display names and the time zone of texts. */
export interface Words {
  readonly driver: (id: string) => string;
  readonly vehicle: (id: string) => string;
  readonly zone: string | undefined;
}

/** Returns a name such as `Anna Lind on Truck 07, from 2026-03-02 09:41+02:00`. */
export function nameFrom({ vehicleId, driverId }: Pair, start: number, words: Words): string {
  return `${words.driver(driverId)} on ${words.vehicle(vehicleId)}, from ${minuteIn(words.zone)(start)}`;
}

/** Returns the differences between two states, ordered by the time of the first change. */
export function effectsBetween(before: readonly HeldAssignment[], after: readonly HeldAssignment[]): readonly Effect[] {
  const [was, is] = [periodsByPair(before), periodsByPair(after)];
  return [...new Map([...before, ...after].map((one) => [pairKey(one), one]))]
    .flatMap(([key, { vehicleId, driverId }]): readonly Effect[] => {
      const [old, young] = [was.get(key) ?? [], is.get(key) ?? []];
      const isIn = (periods: readonly AssignedPeriod[], one: AssignedPeriod) =>
        periods.some((other) => isSamePeriod(one, other));
      const changed = [...old.filter((one) => !isIn(young, one)), ...young.filter((one) => !isIn(old, one))];
      return overlapping(changed).map((group) => {
        const gone = old.filter((one) => group.includes(one));
        const made = young.filter((one) => group.includes(one));
        return { vehicleId, driverId, id: gone[0]?.id ?? null, before: gone, after: made };
      });
    })
    .sort((a, b) => firstChange(a) - firstChange(b));
}

export function pairKey({ vehicleId, driverId }: Pair): string {
  return `${vehicleId} ${driverId}`;
}

function periodsByPair(held: readonly HeldAssignment[]): ReadonlyMap<string, readonly HeldAssignment[]> {
  const keys = new Set(held.map(pairKey));
  return new Map([...keys].map((key) => [key, joinedPeriods(held.filter((one) => pairKey(one) === key))]));
}

/** Merges overlapping and adjacent periods, sorted by start. */
export function joinedPeriods<P extends AssignedPeriod>(all: readonly P[]): readonly P[] {
  const periods: P[] = [];
  for (const one of [...all].sort((a, b) => a.start - b.start)) {
    const last = periods.at(-1);
    if (last && one.start <= last.end) periods[periods.length - 1] = { ...last, end: Math.max(last.end, one.end) };
    else periods.push(one);
  }
  return periods;
}

function overlapping<P extends AssignedPeriod>(periods: readonly P[]): readonly (readonly P[])[] {
  const groups: P[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of [...periods].sort((a, b) => a.start - b.start)) {
    if (one.start < end) groups.at(-1)?.push(one);
    else groups.push([one]);
    end = Math.max(end, one.end);
  }
  return groups;
}

function isSamePeriod(one: AssignedPeriod, other: AssignedPeriod): boolean {
  return one.start === other.start && one.end === other.end;
}

function startOf({ before, after }: Effect): number {
  return Math.min(...[...before, ...after].map(({ start }) => start));
}

function firstChange(effect: Effect): number {
  const [was, is] = [effect.before[0], effect.after[0]];
  return was && is && was.start === is.start ? Math.min(was.end, is.end) : startOf(effect);
}

/** Returns an effect as a planned change. Several periods are in the member `periods`. */
export function effectRecord(effect: Effect, words: Words): PlannedChange {
  const { before, after, vehicleId, driverId } = effect;
  const action: Action = before.length === 0 ? 'create' : after.length === 0 ? 'delete' : 'update';
  return {
    kind: assignmentKind.noun,
    action,
    name: nameFrom(effect, startOf(effect), words),
    id: effect.id,
    changes: changesOf(before, after),
    pair: { vehicleId, driverId },
    effect: effectPhrase(effect, words),
    ...(isEnding(effect) ? { isEnding: true } : {}),
  };
}

/** The predicted assignments, updated with each planned change. */
export class Projection {
  #held: readonly HeldAssignment[];
  readonly #words: Words;
  readonly #moves: Move[] = [];

  constructor(held: readonly HeldAssignment[], words: Words) {
    this.#held = held;
    this.#words = words;
  }

  get held(): readonly HeldAssignment[] {
    return this.#held;
  }

  get moves(): readonly Move[] {
    return this.#moves;
  }

  /** Adds moves and returns their effects on top of earlier moves. */
  add(moves: readonly Move[]): readonly PlannedChange[] {
    const vehicles = new Set(moves.map(({ pair }) => pair.vehicleId));
    const drivers = new Set(moves.map(({ pair }) => pair.driverId));
    const isTouched = (one: HeldAssignment) => vehicles.has(one.vehicleId) || drivers.has(one.driverId);
    const before = this.#held.filter(isTouched);
    const after = outcomeOf(before, moves);
    this.#held = [...this.#held.filter((one) => !isTouched(one)), ...after];
    this.#moves.push(...moves);
    return effectsBetween(before, after).map((effect) => effectRecord(effect, this.#words));
  }

  /** Returns a step for these moves. `about` names the step; default: the first effect. */
  step(moves: readonly Move[], about?: Pair, from: Pick<PlanStep, 'line' | 'source'> = fromNoLine): PlanStep {
    const effects = this.add(moves);
    const own = effects.find(({ pair }) => about && pair && isSamePair(pair, about)) ?? effects[0];
    return { ...from, record: own ?? unchanged, effects, requests: moves.map(requestOf) };
  }
}

const unchanged: PlannedChange = { kind: assignmentKind.noun, action: 'keep', name: '', id: null, changes: [] };

function isEnding({ before, after }: Effect): boolean {
  return before.some((was) => !after.some((is) => is.start <= was.start && was.end <= is.end));
}

function changesOf(before: readonly AssignedPeriod[], after: readonly AssignedPeriod[]): readonly MemberChange[] {
  if (before.length > 1 || after.length > 1) {
    return [{ field: 'periods', before: before.map(timesOf), after: after.map(timesOf) }];
  }
  const [was, is] = [before[0] && timesOf(before[0]), after[0] && timesOf(after[0])];
  const fields = ['startTimestamp', 'endTimestamp'] as const;
  return fields.flatMap((field) => [{ field, before: was?.[field] ?? null, after: is?.[field] ?? null }]);
}

function timesOf({ start, end }: AssignedPeriod) {
  const text = (moment: number) => new Date(moment).toISOString();
  return { startTimestamp: text(start), endTimestamp: Number.isFinite(end) ? text(end) : null };
}

/** Returns `Anna Lind on Truck 07, from 2026-03-02 09:41+02:00: ends at 2026-03-02 14:00+02:00.` */
export function effectText(effect: Effect, words: Words): string {
  return `${nameFrom(effect, startOf(effect), words)}: ${effectPhrase(effect, words)}.`;
}

function effectPhrase({ before, after }: Effect, { zone }: Words): string {
  const minute = minuteIn(zone);
  const [first] = after;
  const last = after.at(-1);
  const [was] = before;
  if (!was) return after.map(({ end }) => `begins${Number.isFinite(end) ? `, until ${minute(end)}` : ''}`).join('; ');
  if (!first || !last) return `removed${Number.isFinite(was.end) ? `, was until ${minute(was.end)}` : ''}`;
  const gaps = after
    .slice(1)
    .map(({ start }, index) => `from ${minute(after[index]?.end ?? start)} to ${minute(start)}`);
  if (before.length > 1) {
    const texts = (periods: readonly AssignedPeriod[]) =>
      periods.map(({ start, end }) => `${minute(start)} to ${Number.isFinite(end) ? minute(end) : 'open'}`).join(', ');
    return `${texts(before)} becomes ${texts(after)}`;
  }
  return [
    ...(first.start > was.start ? [`begins only at ${minute(first.start)}`] : []),
    ...(first.start < was.start ? [`begins earlier, was ${minute(was.start)}`] : []),
    ...(gaps.length > 0 ? [`interrupted ${gaps.join(' and ')}`] : []),
    ...(last.end < was.end
      ? [`ends at ${minute(last.end)}${Number.isFinite(was.end) ? `, was ${minute(was.end)}` : ''}`]
      : []),
    ...(last.end > was.end
      ? [
          Number.isFinite(last.end)
            ? `ends only at ${minute(last.end)}, was ${minute(was.end)}`
            : `no longer ends at ${minute(was.end)}`,
        ]
      : []),
  ].join('; ');
}

/** Returns a formatter for times to the minute: `2026-03-02 09:41+02:00`. */
export function minuteIn(zone: string | undefined): (moment: number) => string {
  return (moment) => localTime(moment, 'minute', { zone, offset: null });
}

/** Returns a sentence for each difference that exceeds `tolerance`, in milliseconds. */
export function differences(
  planned: readonly HeldAssignment[],
  found: readonly HeldAssignment[],
  tolerance: number,
  words: Words,
): readonly string[] {
  const isNear = (one: number, other: number) => one === other || Math.abs(one - other) <= tolerance;
  const periodsOf = (held: readonly HeldAssignment[]) =>
    [...periodsByPair(held).values()].flat().filter(({ start, end }) => end - start > tolerance);
  const rest = [...periodsOf(found)];
  const missing = periodsOf(planned).filter((one) => {
    const index = rest.findIndex(
      (other) => pairKey(one) === pairKey(other) && isNear(one.start, other.start) && isNear(one.end, other.end),
    );
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  const minute = minuteIn(words.zone);
  const text = (one: HeldAssignment) =>
    `${nameFrom(one, one.start, words)}${Number.isFinite(one.end) ? ` to ${minute(one.end)}` : ''}`;
  return [
    ...missing.map((one) => `${text(one)}: planned, but it is not there`),
    ...rest.map((one) => `${text(one)}: it is there, but was not planned`),
  ];
}
