// Runs scripts in Redis, each with a time limit of its own, and knows whether Redis answers. A client that has lost its connection keeps
// its commands until it has another one, so a late answer shows that Redis is back.
import type { Timers } from '../core/ports.js';
import type { Connection } from './redis-client.js';
import type { Script } from './turn-script.js';

/** Redis did not answer, or refused. Its message names neither the server nor a value. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

export interface LinkEvents {
  /** Called when an answer fails to come, once until `onUp`. `reason` is the end of a sentence. */
  readonly onDown: (reason: string) => void;
  readonly onUp: () => void;
}

export class RedisLink {
  readonly #connection: Connection;
  readonly #timers: Timers;
  readonly #events: LinkEvents;
  readonly #answerTimeoutMs: number;
  #pending = 0;
  #isDown = false;
  #hasAnswered = false;

  constructor(connection: Connection, timers: Timers, answerTimeoutMs: number, events: LinkEvents) {
    this.#connection = connection;
    this.#timers = timers;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#events = events;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Whether Redis has ever answered. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Commands whose answer has not arrived. */
  get pending(): number {
    return this.#pending;
  }

  /** The answer of the script; rejects with RedisUnavailable when it is late, and marks Redis as down. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.within(this.start(script, keys, args));
  }

  /** What was started, with the time limit. It goes on when it is late. */
  async within<T>(answer: Promise<T>): Promise<T> {
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#timers.after(this.#answerTimeoutMs, () => {
        const reason = `did not answer within ${this.#answerTimeoutMs} ms`;
        this.#down(reason);
        reject(new RedisUnavailable(`Redis ${reason}.`));
      });
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel();
      // The race may be over before it fails.
      answer.catch(() => undefined);
    }
  }

  /** The same without a time limit: it may take until Redis is back. */
  async start(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    this.#pending++;
    try {
      const answer = await this.#connection.send('EVALSHA', [script.sha, ...rest]).catch((error: unknown) => {
        if (!isNoScript(error)) throw error;
        return this.#connection.send('EVAL', [script.text, ...rest]);
      });
      this.#up();
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#down(reason);
      throw new RedisUnavailable(`Redis ${reason}.`);
    } finally {
      this.#pending--;
    }
  }

  #down(reason: string): void {
    if (this.#isDown) return;
    this.#isDown = true;
    this.#events.onDown(reason);
  }

  #up(): void {
    this.#hasAnswered = true;
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#events.onUp();
  }
}

function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Only a code: the message of a client may name the server, and the message of Redis may quote a value. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'could not be reached';
  const refusal = /^([A-Z]{3,})(?: |$)/.exec(error.message)?.[1];
  if (refusal !== undefined) return `refused the command (${refusal})`;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z_]+$/.test(code)
    ? `could not be reached (${code})`
    : 'could not be reached (the connection is closed)';
}
