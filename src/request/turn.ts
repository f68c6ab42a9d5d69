// The step that takes the user's turn at the gate, and keeps it until the request is really over.
import type { Session } from '../auth/session.js';
import type { Turns } from '../core/error-facts.js';
import type { Warning } from '../core/hooks.js';
import { readableThrown } from '../core/odd-values.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import { quietly } from '../core/quietly.js';
import type { Gate } from '../locks/gate.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { MergedCalls } from './batch.js';
import type { RequestAnswer } from './call.js';
import type { WaitedFor } from './retry.js';
import { SharedLogin } from './shared-login.js';
import type { RequestStep } from './steps.js';

export interface TurnOptions {
  readonly baseUrl: string;
  readonly gate: Gate;
  readonly among: Turns;
  readonly http: Pick<HttpTransport, 'open'>;
  readonly session: Pick<Session, 'key'>;
  readonly timers: Pick<Timers, 'now'>;
  readonly warn: (event: Warning) => void;
}

const waitingForGate = (): WaitedFor => ({ text: 'a request of another client or process was still under way' });

export class UserTurns {
  /** Who takes turns by this gate. */
  readonly among: Turns;
  readonly #options: TurnOptions;
  /** Begins with a 429 while the gate was held: the service seems to count requests per login, not per user. */
  #sharedLogin: SharedLogin | null = null;

  constructor(options: TurnOptions) {
    this.among = options.among;
    this.#options = options;
  }

  /** The step. */
  readonly take: RequestStep<MergedCalls, RequestAnswer> = (batch, next) => {
    batch.progress.waitedFor = waitingForGate;
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      batch.waitedMs = this.#options.timers.now() - batch.waitingSince;
      return next(batch);
    };
    try {
      const turn = this.#sharedLogin?.isOn
        ? this.#amongAllUsers(batch, begin)
        : this.#hold(batch.user.gateKey, batch, begin);
      // A request that waits for its turn opens its connection meanwhile, so that the turn does not pay for it.
      if (!hasBegun) setImmediate(() => hasBegun || this.openConnection());
      return turn;
    } catch (error) {
      return Promise.reject(error);
    }
  };

  /** The service answered this request with 429, so nobody sends for its user for this many milliseconds. */
  pause({ user }: MergedCalls, ms: number): void {
    const { gate, timers, warn } = this.#options;
    user.pausedUntil = Math.max(user.pausedUntil, timers.now() + ms);
    quietly(() => gate.pause?.(user.gateKey, ms))(undefined);
    this.#sharedLogin ??= new SharedLogin(this.among, timers, warn);
    this.#sharedLogin.rateLimited();
  }

  openConnection(): void {
    const { http, baseUrl } = this.#options;
    http.open?.(`${baseUrl}/graphql`);
  }

  /** The gate of the user is held in any case: a client that met no 429 still knows only that one. */
  async #amongAllUsers(batch: MergedCalls, begin: () => Promise<RequestAnswer>): Promise<RequestAnswer> {
    const { baseUrl, session } = this.#options;
    const key = `${baseUrl} login ${await session.key()}`;
    return this.#hold(key, batch, () => this.#hold(batch.user.gateKey, batch, begin));
  }

  #hold(key: string, batch: MergedCalls, task: () => Promise<RequestAnswer>): Promise<RequestAnswer> {
    const { deadline, priority } = batch;
    // A real signal is made only for a gate that reads it, or for a call that is not like most.
    const options = priority === ORDINARY ? deadline : { signal: deadline.signal, priority };
    let outcome: Promise<RequestAnswer> | null = null;
    const begin = () => {
      // Once: a gate that runs its task again must not send a change twice.
      outcome ??= batch.inContext(task);
      return outcome;
    };
    // A gate of the program may give back anything, and may throw at once.
    let held: unknown;
    try {
      held = this.#options.gate.hold(key, begin, options);
    } catch (error) {
      held = Promise.reject(error);
    }
    return Promise.resolve(held).then(
      (given) => handedOn(outcome, given),
      // What was sent counts, even when the gate fails after it.
      (error: unknown) => outcome ?? Promise.reject(readableThrown(error)),
    );
  }
}

const ORDINARY: Priority = 'normal';

/** The outcome, if it is what the gate gives back. What is thrown here is the cause of an error that blames the gate. */
async function handedOn<T>(outcome: Promise<T> | null, given: unknown): Promise<T> {
  if (outcome === null) throw new Error('The function hold of the gate never ran the task that it was given.');
  const answer = await outcome;
  if (given !== answer) throw new Error('The function hold of the gate must return what its task returns.');
  return answer;
}
