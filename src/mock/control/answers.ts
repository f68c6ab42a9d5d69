// Planned answers, which an operation returns instead of the result from the records. Each applies
// to a number of matching requests, or until it is removed.
import type { Mutation, Query } from '../../generated/contract-types.js';
import type { OperationTypes } from '../../generated/operation-table.js';
import { isJsonObject } from '../core/json-object.js';
import {
  anything,
  fail,
  list,
  type ObjectOf,
  object,
  optional,
  readInteger,
  readJsonObject,
  readOneOf,
  readString,
  type ValueReader,
} from '../core/readers.js';
import { parseRfc3339 } from '../core/rfc3339.js';
import { isIdText } from '../core/uuid.js';
import { rootResolvers } from '../graphql/resolvers/resolver-map.js';
import { readOperationResult } from '../script/contract-value.js';

type Results = Required<Query & Mutation>;

/** The name of an operation that can have a planned answer. */
export type AnsweredOperation = keyof Results & keyof OperationTypes;

/** The result of an operation in the contract's form. Missing members are answered as null. */
export type OperationAnswer<Operation extends AnsweredOperation> = Results[Operation];

export interface AnswerOptions<Operation extends AnsweredOperation = AnsweredOperation> {
  /** Only requests with these arguments; missing members match any value. Default: all requests. */
  readonly when?: Partial<OperationTypes[Operation]['variables']> | undefined;
  /** Number of requests it applies to. Default: all. */
  readonly times?: number | undefined;
}

export interface PlannedAnswer {
  readonly id: string;
  readonly operation: string;
  readonly answer: unknown;
  readonly when?: Readonly<Record<string, unknown>>;
  /** Remaining number of requests; missing: all. */
  readonly times?: number;
}

interface Rule extends PlannedAnswer {
  /** The answer with times in epoch milliseconds, as in the records. */
  readonly value: unknown;
}

export class Answers {
  #rules: Rule[] = [];
  #added = 0;

  /**
   * Plans an operation's answer and returns the plan's id. The newest matching plan applies.
   * @throws TypeError when the answer does not fit the contract; the message names the place.
   */
  add<Operation extends AnsweredOperation>(
    operation: Operation,
    answer: OperationAnswer<Operation>,
    options: AnswerOptions<Operation> = {},
  ): string {
    if (!isJsonObject(options)) throw new TypeError('the options of an answer must be an object');
    return this.addPlain({ ...options, operation, answer });
  }

  /** Checks a plan from JSON and adds it. Returns its id. */
  addPlain(plan: unknown): string {
    const id = `answer-${this.#added + 1}`;
    this.#rules.push(ruleOf(id, newPlan(plan, ''), ''));
    this.#added += 1;
    return id;
  }

  list(): readonly PlannedAnswer[] {
    return this.#rules.map(({ value: _, ...plan }) => structuredClone(plan));
  }

  clear(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
  }

  /** Checks plans from `list`. Returns a function that replaces all plans with them. */
  prepare(data: unknown, path: string): () => void {
    const rules = list(savedRule)(data, path);
    return () => {
      this.#rules = [...rules];
      // New plans must not reuse a restored id.
      for (const { id } of rules) this.#added = Math.max(this.#added, Number(/\d+$/.exec(id)?.[0] ?? 0));
    };
  }

  has(operation: string): boolean {
    return this.#rules.some((rule) => rule.operation === operation);
  }

  /** Returns the planned answer to a call and counts it as used; null when no plan matches. */
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
  operation: readOneOf(Object.keys(rootResolvers).sort()),
  answer: anything,
  when: optional(readJsonObject),
  times: optional(readInteger(1, 1_000_000_000)),
};
const newPlan = object(plan, 'a planned answer');
const savedPlan = object({ id: readString, ...plan });

const savedRule: ValueReader<Rule> = (value, path) => {
  const { id, ...rest } = savedPlan(value, path);
  return ruleOf(id, rest, path);
};

function ruleOf(id: string, { answer, ...rest }: ObjectOf<typeof plan>, path: string): Rule {
  if (answer === undefined) return fail(path || 'a planned answer', 'needs an answer; it may be null');
  const value = readOperationResult(rest.operation, answer, path === '' ? 'answer' : `${path}.answer`);
  return { ...rest, id, answer: JSON.parse(JSON.stringify(answer)), value };
}

/** True when the arguments contain the expected ones. Ids are in lower case, times are numbers. */
function matches(pattern: unknown, actual: unknown): boolean {
  if (isIdText(pattern)) return typeof actual === 'string' && actual.toLowerCase() === pattern.toLowerCase();
  if (typeof pattern === 'string' && typeof actual === 'number') return parseRfc3339(pattern) === actual;
  if (Array.isArray(pattern))
    return (
      Array.isArray(actual) && actual.length === pattern.length && pattern.every((item, i) => matches(item, actual[i]))
    );
  if (isJsonObject(pattern))
    return isJsonObject(actual) && Object.entries(pattern).every(([key, value]) => matches(value, actual[key]));
  return (pattern ?? null) === (actual ?? null);
}
