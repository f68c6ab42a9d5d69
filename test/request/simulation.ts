// A minimal service for property tests of the request path. Like the real one, it finishes a
// request after the client has disconnected, and answers 429 until then.
import type { FetchResponse, Timers } from '../../src/core/ports.js';
import type { HttpRequestInit, HttpTransport } from '../../src/transport/http-transport.js';

/** Faults of an accepted GraphQL request; the last five occur after it has run. */
export const faults = [
  'none',
  'refused',
  '429',
  '401',
  'unauthorized',
  '400',
  '500',
  '503',
  'page',
  'slow',
  'reset',
  'cut',
  'data: null',
  'no path',
  'field error',
] as const;
export type Fault = (typeof faults)[number];

export interface Plan {
  readonly faults: readonly Fault[];
  readonly logins: readonly LoginFault[];
  /** Time to open the connection of each request. */
  readonly connectMs: readonly number[];
}

export const loginFaults = ['none', '429', '503', 'reset', 'slow'] as const;
export type LoginFault = (typeof loginFaults)[number];

/** By contract. */
const TOKEN_LIFETIME_MS = 300_000;
const WORK_MS = 20;
/** Longer than the grace period of a request without callers. */
const SLOW_MS = 9000;

export class SimulatedService implements HttpTransport {
  /** The numbers of the executed mutations, in order. */
  readonly changes: number[] = [];
  mostOnWire = 0;
  mostFields = 0;
  /** Requests during another active request of the user. */
  overlaps = 0;
  hungUp = 0;
  /** Logins and refreshes whose answer was lost. */
  lostTokens = 0;
  /** Refreshes with an already spent token. */
  spentTokens = 0;
  /** The newest refresh token: each refresh spends the one before. */
  refreshToken: string | null = null;
  #onWire = 0;
  #working = false;
  #tokens = 0;
  #validUntil = new Map<string, number>();
  readonly #time: Timers;
  readonly #clock: { now(): number };
  readonly #faults: Fault[];
  readonly #loginFaults: LoginFault[];
  readonly #connectMs: number[];
  readonly #onSend: (body: string) => void;

  constructor(time: Timers, clock: { now(): number }, plan: Plan, onSend: (body: string) => void = () => undefined) {
    this.#time = time;
    this.#clock = clock;
    this.#faults = [...plan.faults];
    this.#loginFaults = [...plan.logins];
    this.#connectMs = [...plan.connectMs];
    this.#onSend = onSend;
  }

  async fetch(url: string, init: HttpRequestInit): Promise<FetchResponse> {
    const isLogin = !url.endsWith('/graphql');
    await this.#connect(init.signal);
    if (!isLogin && this.#faults[0] === 'refused') {
      this.#faults.shift();
      throw broken('ECONNREFUSED');
    }
    init.beforeSend?.();
    this.#onSend(init.body ?? '');
    if (!isLogin) this.mostOnWire = Math.max(this.mostOnWire, ++this.#onWire);
    try {
      const work = isLogin ? this.#login(url, init.body ?? '') : this.#graphql(init);
      return await this.#untilHungUp(work, init.signal, isLogin);
    } finally {
      if (!isLogin) this.#onWire--;
    }
  }

  async close(): Promise<void> {}

  /** A client that disconnects meanwhile has sent nothing. */
  async #connect(signal: HttpRequestInit['signal']): Promise<void> {
    const ms = this.#connectMs.shift() ?? 0;
    if (ms > 0) await this.#work(ms);
    if (signal?.aborted) throw signal.reason;
  }

  #untilHungUp(
    work: Promise<FetchResponse>,
    signal: HttpRequestInit['signal'],
    isLogin: boolean,
  ): Promise<FetchResponse> {
    return new Promise((resolve, reject) => {
      const hangUp = () => {
        this.hungUp++;
        if (isLogin) this.lostTokens++;
        reject(signal?.reason);
      };
      if (signal?.aborted) return hangUp();
      signal?.addEventListener('abort', hangUp);
      work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', hangUp));
    });
  }

  async #login(url: string, body: string): Promise<FetchResponse> {
    const fault = this.#loginFaults.shift() ?? 'none';
    await this.#work(fault === 'slow' ? SLOW_MS : WORK_MS);
    if (fault === '429' || fault === '503') return answer(Number(fault), '{}');
    if (url.endsWith('/login/refresh') && !body.includes(`${this.refreshToken}\r\n`)) {
      this.spentTokens++;
      return answer(401, '{}');
    }
    const token = `token-${++this.#tokens}`;
    this.refreshToken = `refresh-${this.#tokens}`;
    this.#validUntil.set(token, this.#clock.now() + TOKEN_LIFETIME_MS);
    if (fault === 'reset') {
      this.lostTokens++;
      throw broken('ECONNRESET');
    }
    return answer(200, JSON.stringify({ access_token: token, refresh_token: this.refreshToken }));
  }

  async #graphql({ headers, body }: HttpRequestInit): Promise<FetchResponse> {
    const token = headers.authorization?.slice('Bearer '.length) ?? '';
    const fault = this.#faults[0] ?? 'none';
    if ((this.#validUntil.get(token) ?? 0) <= this.#clock.now()) {
      await this.#work(1);
      return answer(401, '{}');
    }
    if (this.#working) {
      this.overlaps++;
      await this.#work(1);
      return answer(429, '{}');
    }
    this.#faults.shift();
    this.#working = true;
    await this.#work(fault === 'slow' ? SLOW_MS : WORK_MS);
    this.#working = false;
    return this.#outcome(fault, token, body ?? '');
  }

  #outcome(fault: Fault, token: string, body: string): FetchResponse {
    if (fault === '401' || fault === 'unauthorized') this.#validUntil.delete(token);
    if (/^\d+$/.test(fault)) return answer(Number(fault), '{}');
    if (fault === 'page') return answer(200, '<html>');
    if (fault === 'unauthorized') {
      const error = { message: 'x', extensions: { classification: 'UNAUTHORIZED' } };
      return answer(200, JSON.stringify({ data: null, errors: [error] }));
    }
    const text = JSON.stringify(this.#run(fault, body));
    if (fault === 'reset') throw broken('ECONNRESET');
    return answer(200, fault === 'cut' ? text.slice(0, text.length / 2) : text);
  }

  #run(fault: Fault, body: string): { data: unknown; errors?: unknown } {
    const { query, variables } = JSON.parse(body);
    const isChange = query.includes('createGroup');
    if (isChange) this.changes.push(variables.createGroupInput.at);
    const aliases = [...query.matchAll(/^\s*(q\d+): getVehicleById/gm)].map(([, alias]) => String(alias));
    const names = aliases.length > 0 ? aliases : [isChange ? 'createGroup' : 'getVehicleById'];
    this.mostFields = Math.max(this.mostFields, names.length);
    const ids = Object.values(variables);
    const rows = names.map((name, at) => [
      name,
      { id: isChange ? variables.createGroupInput.at : ids[at], changes: this.changes },
    ]);
    const data = Object.fromEntries(rows);
    const [first = ''] = names;
    const error = { message: 'x', path: [first] };
    if (fault === 'data: null') return { data: null, errors: [error] };
    if (fault === 'no path') return { data, errors: [{ message: 'x' }] };
    if (fault === 'field error') return { data: { ...data, [first]: null }, errors: [error] };
    return { data };
  }

  #work(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#time.after(ms, resolve));
  }
}

function broken(code: string): Error {
  return Object.assign(new Error('simulated'), { code });
}

function answer(status: number, text: string): FetchResponse {
  const ok = status >= 200 && status <= 299;
  return { ok, status, headers: { get: () => null }, text: async () => text, json: async () => JSON.parse(text) };
}
