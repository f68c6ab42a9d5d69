// Planned faults. Each rule applies to a fixed number of matching requests, never by chance.
// `status` and `html` replace the response of a request, which then does not run. `reset`,
// `truncate` and `malformed` damage the response of an executed request.
import { errorResponse, htmlResponse, type ServiceResponse } from '../core/messages.js';
import { type FaultRule, faultRule } from './fault-rule.js';

export interface PlannedFault extends FaultRule {
  readonly id: string;
  /** Remaining number of requests. */
  readonly times: number;
}

export interface FaultPlan {
  readonly delayMs: number;
  /** Sent instead of running the request. */
  readonly replacement: ServiceResponse | null;
  /** Damage to the response of the executed request. */
  readonly damage: 'reset' | 'truncate' | 'malformed' | null;
  /** Error messages by root field; the key '' means every root field. */
  readonly plannedErrors: ReadonlyMap<string, string>;
}

const noFaults: FaultPlan = { delayMs: 0, replacement: null, damage: null, plannedErrors: new Map() };

export class Faults {
  #rules: PlannedFault[] = [];
  #added = 0;
  readonly #onAllCleared: () => void;

  constructor(onAllCleared: () => void = () => undefined) {
    this.#onAllCleared = onAllCleared;
  }

  /** Plans a fault and returns its id. Throws a TypeError when the rule is invalid. */
  add(rule: FaultRule): string {
    const checked = faultRule(rule, '');
    this.#added += 1;
    const id = `fault-${this.#added}`;
    this.#rules.push({ ...checked, id, times: checked.times ?? 1 });
    return id;
  }

  /** Returns the faults that still apply. */
  list(): readonly PlannedFault[] {
    return [...this.#rules];
  }

  /** Removes one fault, or all faults. Removing all also ends the delays in progress. */
  clear(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
    if (id === undefined) this.#onAllCleared();
  }

  /** Returns a request's faults and counts them down: matching delays and the first other match. */
  consume(path: string, operations: readonly string[]): FaultPlan {
    if (this.#rules.length === 0) return noFaults;
    let delayMs = 0;
    let active: PlannedFault | null = null;
    const remaining: PlannedFault[] = [];
    for (const rule of this.#rules) {
      const applies = matches(rule, path, operations) && (rule.kind === 'delay' || active === null);
      if (applies && rule.kind === 'delay') delayMs += rule.ms ?? 0;
      else if (applies) active = rule;
      if (!applies) remaining.push(rule);
      else if (rule.times > 1) remaining.push({ ...rule, times: rule.times - 1 });
    }
    this.#rules = remaining;
    if (active === null) return { ...noFaults, delayMs };
    return {
      delayMs,
      replacement: replacementResponse(active),
      damage: active.kind === 'reset' || active.kind === 'truncate' || active.kind === 'malformed' ? active.kind : null,
      plannedErrors:
        active.kind === 'graphqlError'
          ? new Map([[active.operation ?? '', active.message ?? 'Planned fault.']])
          : new Map(),
    };
  }
}

function matches(rule: FaultRule, path: string, operations: readonly string[]): boolean {
  if (rule.path !== undefined && rule.path !== path) return false;
  if (rule.kind === 'graphqlError' && path !== '/graphql') return false;
  return rule.operation === undefined || operations.includes(rule.operation);
}

function replacementResponse(rule: FaultRule): ServiceResponse | null {
  const headers: Record<string, string> =
    rule.retryAfter === undefined ? {} : { 'retry-after': String(rule.retryAfter) };
  if (rule.kind === 'status') {
    return errorResponse(rule.status ?? 503, 'DataFetchingException', rule.message ?? 'Planned fault.', headers);
  }
  if (rule.kind !== 'html') return null;
  const status = rule.status ?? 502;
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>Planned fault.</p></body></html>`;
  return htmlResponse(status, page, headers);
}

/** Cuts the body in half and adds broken JSON. The content length is correct. */
export function malformedResponse(response: ServiceResponse): ServiceResponse {
  const body = typeof response.body === 'string' ? response.body : [...response.body].join('');
  return { ...response, body: `${body.slice(0, Math.floor(body.length / 2))}<<<` };
}
