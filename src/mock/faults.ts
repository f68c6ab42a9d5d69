// Planned faults: each rule hits the next so many requests that match it, never by chance. A `status` or `html` fault answers
// in place of the service, before anything runs; `reset`, `truncate` and `malformed` spoil the answer of a request that did
// run, which is what makes an outcome unknown to a client.
import { errorResponse } from './errors.js';
import { html, type ServiceResponse } from './http.js';

const kinds = ['status', 'delay', 'reset', 'truncate', 'malformed', 'html', 'graphqlError'] as const;

export type FaultKind = (typeof kinds)[number];

export interface FaultRule {
  readonly kind: FaultKind;
  /** How many requests it hits; 1 when left out. */
  readonly times?: number | undefined;
  /** Only requests with this operation: the name of a root field, such as `assignDriver`. */
  readonly operation?: string | undefined;
  /** Only requests to this path, such as `/graphql` or `/login/refresh`. */
  readonly path?: string | undefined;
  /** Of `status` (503 when left out) and `html` (502 when left out). */
  readonly status?: number | undefined;
  /** Seconds, sent as a Retry-After header with `status` and `html`. */
  readonly retryAfter?: number | undefined;
  /** Of `delay`: milliseconds of real time. */
  readonly ms?: number | undefined;
  /** Text of the error that `status` and `graphqlError` answer with. */
  readonly message?: string | undefined;
}

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

const checks: Readonly<Record<string, (value: unknown) => string | null>> = {
  kind: (value) => (kinds.some((kind) => kind === value) ? null : `must be one of ${kinds.join(', ')}`),
  times: (value) => whole(value, 1, 1_000_000_000),
  operation: (value) => (typeof value === 'string' && value !== '' ? null : 'must be the name of an operation'),
  path: (value) => (typeof value === 'string' && value.startsWith('/') ? null : 'must begin with /'),
  status: (value) => whole(value, 200, 599),
  retryAfter: (value) => whole(value, 0, 1_000_000),
  ms: (value) => whole(value, 0, 3_600_000),
  message: (value) => (typeof value === 'string' ? null : 'must be a string'),
};

function whole(value: unknown, from: number, to: number): string | null {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return fits ? null : `must be a whole number from ${from} to ${to}`;
}

/** The rule that this value is; a TypeError that says what is wrong with it otherwise. */
function checked(rule: unknown): FaultRule {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw new TypeError('a fault rule must be an object');
  const given: Record<string, unknown> = { ...rule };
  if (given.kind === undefined) throw new TypeError('a fault rule needs a kind');
  for (const [key, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) throw new TypeError(`a fault rule has no key ${JSON.stringify(key.slice(0, 80))}`);
    const problem = value === undefined && key !== 'kind' ? null : check(value);
    if (problem !== null) throw new TypeError(`${key} of a fault rule ${problem}`);
  }
  if (given.kind === 'delay' && given.ms === undefined) throw new TypeError('a delay needs ms');
  // Every key has just been checked.
  return given as unknown as FaultRule;
}

export class Faults {
  #rules: PlannedFault[] = [];
  #added = 0;

  /** Plans a fault and returns its id. A TypeError when the rule is not one. */
  add(rule: FaultRule): string {
    const sound = checked(rule);
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
