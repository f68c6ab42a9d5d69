// Planned answers: what an operation answers instead of what the records say. Each applies to a number of matching requests, or until
// it is removed.
import type { Mutation, Query } from '../../generated/contract-types.js';
import type { OperationTypes } from '../../generated/operation-table.js';
import { isJsonObject, quotedKey } from '../core/json-object.js';
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

const members = ['operation', 'answer', 'when', 'times'];
const maxTimes = 1_000_000_000;

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
    this.#rules.push(readPlan(plan, id));
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
    if (!Array.isArray(data)) throw new TypeError(`${path} must be a list`);
    const rules = Array.from(data, (plan: unknown, index) => {
      try {
        if (!isJsonObject(plan)) throw new TypeError('must be an object');
        const { id, ...rest } = plan;
        if (typeof id !== 'string') throw new TypeError('needs an id');
        return readPlan(rest, id);
      } catch (error) {
        throw error instanceof TypeError ? new TypeError(`${path}[${index}]: ${error.message}`) : error;
      }
    });
    return () => {
      this.#rules = rules;
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

function readPlan(plan: unknown, id: string): Rule {
  if (!isJsonObject(plan)) throw new TypeError('a planned answer must be an object');
  const unknown = Object.keys(plan).find((key) => !members.includes(key));
  if (unknown !== undefined)
    throw new TypeError(`a planned answer cannot have ${quotedKey(unknown)}, only ${members.join(', ')}`);
  const { operation, answer, when, times } = plan;
  if (typeof operation !== 'string' || !Object.hasOwn(rootResolvers, operation))
    throw new TypeError(`operation of a planned answer must be one of ${Object.keys(rootResolvers).sort().join(', ')}`);
  if (answer === undefined) throw new TypeError('a planned answer needs an answer; it may be null');
  if (when !== undefined && !isJsonObject(when)) throw new TypeError('when of a planned answer must be an object');
  if (times !== undefined && !(typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= maxTimes))
    throw new TypeError(`times of a planned answer must be a whole number from 1 to ${maxTimes}`);
  return {
    id,
    operation,
    // JSON writes a Date as RFC 3339 text.
    answer: JSON.parse(JSON.stringify(answer)),
    ...(when === undefined ? {} : { when: JSON.parse(JSON.stringify(when)) }),
    ...(times === undefined ? {} : { times }),
    value: readOperationResult(operation, answer, 'answer'),
  };
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
