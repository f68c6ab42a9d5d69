import { isJsonObject } from "../core/json-object.js";
import {
  anything,
  fail,
  json,
  list,
  object,
  oneOf,
  optional,
  text,
  wholeNumber
} from "../core/readers.js";
import { parseRfc3339 } from "../core/rfc3339.js";
import { isUuid } from "../core/uuid.js";
import { rootResolvers } from "../graphql/resolvers/resolver-map.js";
import { readOperationResult } from "../script/contract-value.js";
class Answers {
  #rules = [];
  #added = 0;
  /**
   * Plans what an operation answers and returns the id of the plan. The newest plan that matches a request applies. Throws a
   * TypeError that names the place when the answer does not fit the contract.
   */
  add(operation, answer, options = {}) {
    if (!isJsonObject(options)) throw new TypeError("the options of an answer must be an object");
    return this.addPlain({ ...options, operation, answer });
  }
  /** The same for a plan whose members nobody has checked. */
  addPlain(plan2) {
    const id = `answer-${this.#added + 1}`;
    this.#rules.push(ruleOf(id, newPlan(plan2, ""), ""));
    this.#added += 1;
    return id;
  }
  /** The plans that still apply. */
  list() {
    return this.#rules.map(({ value: _, ...plan2 }) => structuredClone(plan2));
  }
  /** Removes one plan, or all of them. */
  clear(id) {
    this.#rules = id === void 0 ? [] : this.#rules.filter((rule) => rule.id !== id);
  }
  /** Checks plans that `list` returned, and returns the function that puts them in the place of all others. */
  prepare(data, path) {
    const rules = list(savedRule)(data, path);
    return () => {
      this.#rules = [...rules];
      for (const { id } of rules) this.#added = Math.max(this.#added, Number(/\d+$/.exec(id)?.[0] ?? 0));
    };
  }
  /** Whether a plan for the operation exists, whatever its arguments. */
  has(operation) {
    return this.#rules.some((rule) => rule.operation === operation);
  }
  /** The planned answer to an operation with these arguments, which counts as used; null when there is none. */
  take(operation, args) {
    const rule = this.#rules.findLast((plan2) => plan2.operation === operation && matches(plan2.when ?? {}, args));
    if (rule === void 0) return null;
    const { times } = rule;
    if (times !== void 0)
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
  times: optional(wholeNumber(1, 1e9))
};
const newPlan = object(plan, "a planned answer");
const savedPlan = object({ id: text, ...plan });
const savedRule = (value, path) => {
  const { id, ...rest } = savedPlan(value, path);
  return ruleOf(id, rest, path);
};
function ruleOf(id, { answer, ...rest }, path) {
  if (answer === void 0) return fail(path || "a planned answer", "needs an answer; it may be null");
  const value = readOperationResult(rest.operation, answer, path === "" ? "answer" : `${path}.answer`);
  return { ...rest, id, answer: JSON.parse(JSON.stringify(answer)), value };
}
function matches(wanted, actual) {
  if (isUuid(wanted)) return typeof actual === "string" && actual.toLowerCase() === wanted.toLowerCase();
  if (typeof wanted === "string" && typeof actual === "number") return parseRfc3339(wanted) === actual;
  if (Array.isArray(wanted))
    return Array.isArray(actual) && actual.length === wanted.length && wanted.every((item, i) => matches(item, actual[i]));
  if (isJsonObject(wanted))
    return isJsonObject(actual) && Object.entries(wanted).every(([key, value]) => matches(value, actual[key]));
  return (wanted ?? null) === (actual ?? null);
}
export {
  Answers
};
