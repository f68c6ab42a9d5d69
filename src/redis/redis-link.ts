// Runs scripts in Redis with a time limit, and tracks if Redis answers. A client that lost its
// connection keeps its commands until it reconnects, so a late answer shows that Redis is back.
import type { Timers } from '../core/ports.js';
import type { Connection } from './redis-client.js';
import type { Script } from './turn-script.js';

/** The error when Redis did not answer, or refused. Its message names no server or value. */
export class RedisUnavailable extends Error {
  override readonly name = 'RedisUnavailable';
}

export interface LinkEvents {
  /** Called once per outage. `reason` is the end of a sentence. */
  readonly onDown: (reason: string) => void;
  readonly onUp: () => void;
}

export class RedisLink {
  readonly #connection: Connection;
  readonly #timers: Timers;
  readonly #events: LinkEvents;
  readonly #answerTimeoutMs: number;
  /** Commands without an answer. */
  pending = 0;
  isDown = false;
  hasAnswered = false;

  constructor(connection: Connection, timers: Timers, answerTimeoutMs: number, events: LinkEvents) {
    this.#connection = connection;
    this.#timers = timers;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#events = events;
  }

  /** Returns the script's answer. A late one rejects and marks Redis as down. */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    return this.within(this.start(script, keys, args));
  }

  /** Adds the time limit to a started command, which continues when it is late. */
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
      answer.catch(() => undefined);
    }
  }

  /** Runs a script without a time limit: it may take until Redis is back. */
  async start(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    this.pending++;
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
      this.pending--;
    }
  }

  #down(reason: string): void {
    if (this.isDown) return;
    this.isDown = true;
    this.#events.onDown(reason);
  }

  #up(): void {
    this.hasAnswered = true;
    if (!this.isDown) return;
    this.isDown = false;
    this.#events.onUp();
  }
}

function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Returns only a code: messages may name the server or quote a value. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'could not be reached';
  const refusal = /^([A-Z]{3,})(?: |$)/.exec(error.message)?.[1];
  if (refusal !== undefined) return `refused the command (${refusal})`;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && /^[A-Z_]+$/.test(code)
    ? `could not be reached (${code})`
    : 'could not be reached (the connection is closed)';
}
