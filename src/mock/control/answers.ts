// Planned answers: what an operation answers instead of what the records say. Each applies to a number of matching requests, or until
// it is removed.
import type { Mutation, Query } from '../../generated/contract-types.js';
import type { OperationTypes } from '../../generated/operation-table.js';
import { isJsonObject } from '../core/json-object.js';
import {
  anything,
  fail,
  json,
  list,
  type ObjectOf,
  object,
  oneOf,
  optional,
  type Reader,
  text,
  wholeNumber,
} from '../core/readers.js';
import { parseRfc3339 } from '../core/rfc3339.js';
import { isUuid } from '../core/uuid.js';
import { rootResolvers } from '../graphql/resolvers/resolver-map.js';
import { readOperationResult } from '../script/contract-value.js';

type Results = Required<Query & Mutation>;

/** An operation that a planned answer can be for. */
export type AnsweredOperation = keyof Results & keyof OperationTypes;

/** What an operation answers, in the contract's form; members that are left out are answered as null. */
export type OperationAnswer<Operation extends AnsweredOperation> = Results[Operation];

export interface AnswerOptions<Operation extends AnsweredOperation = AnsweredOperation> {
  /** Only requests with these arguments. Of objects, only the members that stand here count. Default: all requests. */
  readonly when?: Partial<OperationTypes[Operation]['variables']> | undefined;
  /** How many requests it applies to. Default: all. */
  readonly times?: number | undefined;
}

/** A planned answer as plain data. */
export interface PlannedAnswer {
  readonly id: string;
  readonly operation: string;
  readonly answer: unknown;
  readonly when?: Readonly<Record<string, unknown>>;
  /** How many more requests it applies to; left out: all. */
  readonly times?: number;
}

interface Rule extends PlannedAnswer {
  /** The answer with times in epoch milliseconds, as the service holds its own. */
  readonly value: unknown;
}

export class Answers {
  #rules: Rule[] = [];
  #added = 0;

  /**
   * Plans what an operation answers and returns the id of the plan. The newest plan that matches a request applies. Throws a
   * TypeError that names the place when the answer does not fit the contract.
   */
  add<Operation extends AnsweredOperation>(
    operation: Operation,
    answer: OperationAnswer<Operation>,
    options: AnswerOptions<Operation> = {},
  ): string {
    if (!isJsonObject(options)) throw new TypeError('the options of an answer must be an object');
    return this.addPlain({ ...options, operation, answer });
  }

  /** The same for a plan whose members nobody has checked. */
  addPlain(plan: unknown): string {
    const id = `answer-${this.#added + 1}`;
    this.#rules.push(ruleOf(id, newPlan(plan, ''), ''));
    this.#added += 1;
    return id;
  }

  /** The plans that still apply. */
  list(): readonly PlannedAnswer[] {
    return this.#rules.map(({ value: _, ...plan }) => structuredClone(plan));
  }

  /** Removes one plan, or all of them. */
  clear(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
  }

  /** Checks plans that `list` returned, and returns the function that puts them in the place of all others. */
  prepare(data: unknown, path: string): () => void {
    const rules = list(savedRule)(data, path);
    return () => {
      this.#rules = [...rules];
      // New plans get ids of their own.
      for (const { id } of rules) this.#added = Math.max(this.#added, Number(/\d+$/.exec(id)?.[0] ?? 0));
    };
  }

  /** Whether a plan for the operation exists, whatever its arguments. */
  has(operation: string): boolean {
    return this.#rules.some((rule) => rule.operation === operation);
  }

  /** The planned answer to an operation with these arguments, which counts as used; null when there is none. */
  take(operation: string, args: object): { readonly value: unknown } | null {
    const rule = this.#rules.findLast((plan) => plan.operation === operation && matches(plan.when ?? {}, args));
    if (rule === undefined) return null;
    const { times } = rule;
    if (times !== undefined)
      this.#rules = this.#rules.flatMap((other) => {
        if (other !== rule) return other;
        return times > 1 ? { ...rule, times: times - 1 } : [];
      });
    return { value: rule.value };
  }
}

const plan = {
  operation: oneOf(Object.keys(rootResolvers).sort()),
  answer: anything,
  when: optional(json),
  times: optional(wholeNumber(1, 1_000_000_000)),
};
const newPlan = object(plan, 'a planned answer');
const savedPlan = object({ id: text, ...plan });

const savedRule: Reader<Rule> = (value, path) => {
  const { id, ...rest } = savedPlan(value, path);
  return ruleOf(id, rest, path);
};

function ruleOf(id: string, { answer, ...rest }: ObjectOf<typeof plan>, path: string): Rule {
  if (answer === undefined) return fail(path || 'a planned answer', 'needs an answer; it may be null');
  const value = readOperationResult(rest.operation, answer, path === '' ? 'answer' : `${path}.answer`);
  // JSON writes a Date as RFC 3339 text.
  return { ...rest, id, answer: JSON.parse(JSON.stringify(answer)), value };
}

/** Whether the arguments have everything that is wanted. The service has read them: ids in lower case, times as numbers. */
function matches(wanted: unknown, actual: unknown): boolean {
  if (isUuid(wanted)) return typeof actual === 'string' && actual.toLowerCase() === wanted.toLowerCase();
  if (typeof wanted === 'string' && typeof actual === 'number') return parseRfc3339(wanted) === actual;
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, i) => matches(item, actual[i]))
    );
  if (isJsonObject(wanted))
    return isJsonObject(actual) && Object.entries(wanted).every(([key, value]) => matches(value, actual[key]));
  return (wanted ?? null) === (actual ?? null);
}
