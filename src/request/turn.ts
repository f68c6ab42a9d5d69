// The step that takes the user's turn at the gate, and holds it until the request has ended.
import type { Session } from '../auth/session.js';
import type { Turns } from '../core/error-facts.js';
import { adviceOnTurns } from '../core/error-messages.js';
import type { Warning } from '../core/hooks.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import { quietly, readableError } from '../core/safe-read.js';
import type { Gate } from '../locks/gate.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { MergedCalls } from './batch.js';
import type { RequestAnswer } from './call.js';
import { DegradedMode } from './degraded-mode.js';
import type { WaitedFor } from './retry.js';
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
  readonly among: Turns;
  readonly #options: TurnOptions;
  /** Set with a 429 while the gate was held: the service seems to count requests per login. */
  #sharedLogin: SharedLogin | null = null;

  constructor(options: TurnOptions) {
    this.among = options.among;
    this.#options = options;
  }

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
        ? this.#holdForAllUsers(batch, begin)
        : this.#hold(batch.user.gateKey, batch, begin);
      // A request that waits opens its connection before its turn, to save time within it.
      if (!hasBegun) setImmediate(() => hasBegun || this.openConnection());
      return turn;
    } catch (error) {
      return Promise.reject(error);
    }
  };

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

  /** Holds the user's gate too: a client that got no 429 uses only that one. */
  async #holdForAllUsers(batch: MergedCalls, begin: () => Promise<RequestAnswer>): Promise<RequestAnswer> {
    const { baseUrl, session } = this.#options;
    const key = `${baseUrl} login ${await session.key()}`;
    return this.#hold(key, batch, () => this.#hold(batch.user.gateKey, batch, begin));
  }

  #hold(key: string, batch: MergedCalls, task: () => Promise<RequestAnswer>): Promise<RequestAnswer> {
    const { deadline, priority } = batch;
    // A real signal is created only for a gate that reads it, or for an unusual call.
    const options = priority === ORDINARY ? deadline : { signal: deadline.signal, priority };
    let outcome: Promise<RequestAnswer> | null = null;
    const begin = () => {
      // Once: a gate that runs its task twice must not send a mutation twice.
      outcome ??= batch.inContext(task);
      return outcome;
    };
    // A gate of the program may return anything, and may throw synchronously.
    let held: unknown;
    try {
      held = this.#options.gate.hold(key, begin, options);
    } catch (error) {
      held = Promise.reject(error);
    }
    return Promise.resolve(held).then(
      (returned) => verifyOutcome(outcome, returned),
      // The outcome of a sent request counts, even when the gate fails after it.
      (error: unknown) => outcome ?? Promise.reject(readableError(error)),
    );
  }
}

const ORDINARY: Priority = 'normal';

/** Returns the outcome if the gate returned it. The exceptions here are causes of a GateError. */
async function verifyOutcome<T>(outcome: Promise<T> | null, returned: unknown): Promise<T> {
  if (outcome === null) throw new Error('The function hold of the gate never ran the task that it was given.');
  const answer = await outcome;
  if (returned !== answer) throw new Error('The function hold of the gate must return what its task returns.');
  return answer;
}

/** Time without a 429 until users take their own turns again; it doubles with each repetition. */
const FIRST_QUIET_MS = 60_000;
const MAX_QUIET_MS = 60 * 60_000;

const ENDED: Warning = {
  code: 'SHARED_LOGIN_ENDED',
  message: 'The service has answered no 429 for a while: each user of this login has turns of its own again.',
};

/**
 * The mode after a 429 although the client sent one request at a time for each user. The service
 * seems to count requests by login, so all users of the login take turns for a while.
 */
class SharedLogin {
  readonly #mode: DegradedMode;
  readonly #turns: Turns;
  readonly #warn: (event: Warning) => void;

  constructor(turns: Turns, timers: Pick<Timers, 'now'>, warn: (event: Warning) => void) {
    this.#turns = turns;
    this.#warn = warn;
    const quiet = { firstMs: FIRST_QUIET_MS, longestMs: MAX_QUIET_MS };
    this.#mode = new DegradedMode(timers, quiet, () => warn(ENDED));
  }

  get isOn(): boolean {
    return this.#mode.isOn;
  }

  rateLimited(): void {
    if (!this.#mode.begin()) return;
    const seconds = Math.round(this.#mode.quietMs / 1000);
    this.#warn({
      code: 'SHARED_LOGIN',
      message: `The service answered 429 although this client had no other request of the user active. All users of this login take turns here until there was no 429 for ${seconds} s. ${adviceOnTurns(this.#turns)}`,
    });
  }
}
