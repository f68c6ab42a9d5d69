// Planned faults: each rule hits the next so many requests that match it, never by chance. A `status` or `html` fault answers
// in place of the service, before anything runs; `reset`, `truncate` and `malformed` spoil the answer of a request that did
// run, which is what makes an outcome unknown to a client.
import { errorResponse } from '../graphql/errors.js';
import { html, type ServiceResponse } from '../http/messages.js';
import { checkedRule, type FaultRule } from './fault-rule.js';

export interface PlannedFault extends FaultRule {
  readonly id: string;
  /** How many requests it has still to hit. */
  readonly times: number;
}

/** What the faults do to one request. */
export interface FaultPlan {
  readonly delayMs: number;
  /** Answer to give instead of running the request. */
  readonly instead: ServiceResponse | null;
  readonly after: 'reset' | 'truncate' | 'malformed' | null;
  /** Messages by root field; under '' for every root field. */
  readonly failing: ReadonlyMap<string, string>;
}

const noFaults: FaultPlan = { delayMs: 0, instead: null, after: null, failing: new Map() };

export class Faults {
  #rules: PlannedFault[] = [];
  #added = 0;

  /** Plans a fault and returns its id. A TypeError when the rule is not one. */
  add(rule: FaultRule): string {
    const sound = checkedRule(rule);
    this.#added += 1;
    const id = `fault-${this.#added}`;
    this.#rules.push({ ...sound, id, times: sound.times ?? 1 });
    return id;
  }

  /** The faults that are still to come. */
  list(): readonly PlannedFault[] {
    return [...this.#rules];
  }

  /** Takes back one fault, or all of them. */
  clear(id?: string): void {
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
  }

  /** The faults that hit this request, each counted down by one: every delay, and the first of the others. */
  take(path: string, operations: readonly string[]): FaultPlan {
    if (this.#rules.length === 0) return noFaults;
    let delayMs = 0;
    let hit: PlannedFault | null = null;
    const left: PlannedFault[] = [];
    for (const rule of this.#rules) {
      const takes = matches(rule, path, operations) && (rule.kind === 'delay' || hit === null);
      if (takes && rule.kind === 'delay') delayMs += rule.ms ?? 0;
      else if (takes) hit = rule;
      if (!takes) left.push(rule);
      else if (rule.times > 1) left.push({ ...rule, times: rule.times - 1 });
    }
    this.#rules = left;
    if (hit === null) return { ...noFaults, delayMs };
    return {
      delayMs,
      instead: replacement(hit),
      after: hit.kind === 'reset' || hit.kind === 'truncate' || hit.kind === 'malformed' ? hit.kind : null,
      failing:
        hit.kind === 'graphqlError' ? new Map([[hit.operation ?? '', hit.message ?? 'Planned fault.']]) : new Map(),
    };
  }
}

function matches(rule: FaultRule, path: string, operations: readonly string[]): boolean {
  if (rule.path !== undefined && rule.path !== path) return false;
  if (rule.kind === 'graphqlError' && path !== '/graphql') return false;
  return rule.operation === undefined || operations.includes(rule.operation);
}

function replacement(rule: FaultRule): ServiceResponse | null {
  const headers: Record<string, string> =
    rule.retryAfter === undefined ? {} : { 'retry-after': String(rule.retryAfter) };
  if (rule.kind === 'status') {
    return errorResponse(rule.status ?? 503, 'DataFetchingException', rule.message ?? 'Planned fault.', headers);
  }
  if (rule.kind !== 'html') return null;
  const status = rule.status ?? 502;
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>Planned fault.</p></body></html>`;
  return html(status, page, headers);
}

/** The answer as a broken program would send it: right length, wrong JSON. */
export function malformed(response: ServiceResponse): ServiceResponse {
  const whole = typeof response.body === 'string' ? response.body : [...response.body].join('');
  return { ...response, body: `${whole.slice(0, Math.floor(whole.length / 2))}<<<` };
}
