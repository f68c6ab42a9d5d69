import { errorResponse, html } from "../core/messages.js";
import { faultRule } from "./fault-rule.js";
const noFaults = { delayMs: 0, replacement: null, damage: null, plannedErrors: /* @__PURE__ */ new Map() };
class Faults {
  #rules = [];
  #added = 0;
  #onAllCleared;
  constructor(onAllCleared = () => void 0) {
    this.#onAllCleared = onAllCleared;
  }
  /** Plans a fault and returns its id. Throws a TypeError when the rule is invalid. */
  add(rule) {
    const checked = faultRule(rule, "");
    this.#added += 1;
    const id = `fault-${this.#added}`;
    this.#rules.push({ ...checked, id, times: checked.times ?? 1 });
    return id;
  }
  /** The faults that still apply. */
  list() {
    return [...this.#rules];
  }
  /** Removes one fault, or all of them; then requests that a delay still holds back are answered at once. */
  clear(id) {
    this.#rules = id === void 0 ? [] : this.#rules.filter((rule) => rule.id !== id);
    if (id === void 0) this.#onAllCleared();
  }
  /** The faults of this request: every delay that matches, and the first other fault that does. Counts each of them down. */
  consume(path, operations) {
    if (this.#rules.length === 0) return noFaults;
    let delayMs = 0;
    let active = null;
    const remaining = [];
    for (const rule of this.#rules) {
      const applies = matches(rule, path, operations) && (rule.kind === "delay" || active === null);
      if (applies && rule.kind === "delay") delayMs += rule.ms ?? 0;
      else if (applies) active = rule;
      if (!applies) remaining.push(rule);
      else if (rule.times > 1) remaining.push({ ...rule, times: rule.times - 1 });
    }
    this.#rules = remaining;
    if (active === null) return { ...noFaults, delayMs };
    return {
      delayMs,
      replacement: replacementResponse(active),
      damage: active.kind === "reset" || active.kind === "truncate" || active.kind === "malformed" ? active.kind : null,
      plannedErrors: active.kind === "graphqlError" ? /* @__PURE__ */ new Map([[active.operation ?? "", active.message ?? "Planned fault."]]) : /* @__PURE__ */ new Map()
    };
  }
}
function matches(rule, path, operations) {
  if (rule.path !== void 0 && rule.path !== path) return false;
  if (rule.kind === "graphqlError" && path !== "/graphql") return false;
  return rule.operation === void 0 || operations.includes(rule.operation);
}
function replacementResponse(rule) {
  const headers = rule.retryAfter === void 0 ? {} : { "retry-after": String(rule.retryAfter) };
  if (rule.kind === "status") {
    return errorResponse(rule.status ?? 503, "DataFetchingException", rule.message ?? "Planned fault.", headers);
  }
  if (rule.kind !== "html") return null;
  const status = rule.status ?? 502;
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>Planned fault.</p></body></html>`;
  return html(status, page, headers);
}
function malformedResponse(response) {
  const body = typeof response.body === "string" ? response.body : [...response.body].join("");
  return { ...response, body: `${body.slice(0, Math.floor(body.length / 2))}<<<` };
}
export {
  Faults,
  malformedResponse
};
