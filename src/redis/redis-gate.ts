// A gate between all machines that use the same Redis: the calls of a user take turns, whichever process made them. A turn is a lease in
// Redis that its holder renews; if the holder dies, the lease ends and the next one gets the turn.
import { randomUUID } from 'node:crypto';
import { AbortFlag, type AbortSignalLike } from '../core/deadline.js';
import { GateError, InvalidInputError, NetworkError } from '../core/errors.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { type Checks, checkOptions, demand, finiteMs, oneOf } from '../core/option-checks.js';
import { realTimers, type Timers } from '../core/ports.js';
import { quietly } from '../core/quietly.js';
import { turnOfEventLoop } from '../core/real-time.js';
import { type Gate, type HoldOptions, hasFired, localGate } from '../locks/gate.js';
import { Inbox } from './inbox.js';
import { Presence } from './presence.js';
import { type Connection, connectionOver, isRedisClient, type RedisClient } from './redis-client.js';
import { RedisLink, RedisUnavailable } from './redis-link.js';
import { beatOf, GONE_MS, turnScript } from './turn-script.js';

/**
 * What happens while Redis does not answer. `local` (the default): calls go on with the turns of this process only, with a warning; some may be
 * answered with 429, which the client handles. `wait`: calls wait for Redis until their time is over. `fail`: calls fail at once with a
 * {@link NetworkError}; nothing was sent.
 */
export type WhenUnavailable = 'local' | 'wait' | 'fail';

export interface RedisGateOptions {
  /** The keys in Redis begin with it. All who shall share turns use the same one. Default `fleet`. */
  readonly prefix?: string | undefined;
  /**
   * How long a turn outlives a holder that Redis hears nothing from, in milliseconds; at least 100. The holder renews it four times in that time, or
   * more often. If its connection has ended, it loses the turn after little more than a second without a renewal. Default 10000.
   */
  readonly leaseMs?: number | undefined;
  /** How long Redis may take to answer before it counts as unavailable, in milliseconds. Default 2000, or half of `leaseMs` if that is less. */
  readonly answerTimeoutMs?: number | undefined;
  readonly whenUnavailable?: WhenUnavailable | undefined;
  /** With `local`: the gate that gives the turns meanwhile, such as `fileGate()` for all processes of the machine. Default: this process only. */
  readonly fallback?: Gate | undefined;
  /** Called when Redis does not answer (`GATE_LOST`), when it is back (`GATE_RESTORED`), and when a turn was taken over by another process (`GATE_LOST`). */
  readonly onWarning?: ((event: Warning) => void) | undefined;
}

/** The turn that a task runs in. */
export interface RedisTurn {
  /**
   * Grows from turn to turn of a key, on all machines. A store of yours that remembers the highest one can refuse a holder that was stopped and came
   * back too late. Null when the turn was not given by Redis.
   */
  readonly fencingToken: number | null;
  /** Fires when another process has taken the turn over, because Redis had not heard from this one for a lease. */
  readonly lost: AbortSignal;
}

/** What Redis knows of the turn of a key. */
export interface TurnState {
  readonly isHeld: boolean;
  /** How long it has been held, in milliseconds. */
  readonly heldMs: number;
  /** How many calls wait for it, on all machines. */
  readonly waiting: number;
  /** How long nobody gets it because the service answered 429, in milliseconds. */
  readonly pausedMs: number;
}

export interface RedisGate extends Gate, AsyncDisposable {
  hold<T>(key: string, task: (turn: RedisTurn) => Promise<T>, options?: HoldOptions): Promise<T>;
  /** Nobody gets the turn of this key for this long. Never rejects. */
  pause(key: string, ms: number): Promise<void>;
  /** @throws {NetworkError} when Redis does not answer */
  state(key: string): Promise<TurnState>;
  /** Waits until the turns that are over have been given back, and closes the second connection. Your client stays open. */
  close(): Promise<void>;
}

export const DEFAULT_LEASE_MS = 10_000;
const MIN_LEASE_MS = 100;
const MAX_DEFAULT_ANSWER_MS = 2_000;
/** While Redis does not answer, `wait` tries again after this time. */
const RETRY_MS = 250;

const script = turnScript();

/**
 * A gate for all machines that use the same Redis, over your connected client of `redis` 6 or `ioredis` 6. It opens a second connection
 * with the same settings as soon as a call has to wait; closing your client, or `close()`, closes that one.
 *
 * @throws {InvalidInputError} when the client or an option cannot be used
 */
export function redisGate(client: RedisClient, options: RedisGateOptions = {}): RedisGate {
  if (!isRedisClient(client)) {
    throw new InvalidInputError('redisGate takes a client of redis 6 (createClient) or ioredis 6 (new Redis).');
  }
  return gateOver(connectionOver(client), options, realTimers);
}

/** The default of `answerTimeoutMs`: long enough for an answer, and short enough that a lease outlives a question without one. */
export function defaultAnswerTimeoutMs(leaseMs: number): number {
  return Math.min(MAX_DEFAULT_ANSWER_MS, leaseMs / 2);
}

/** The gate over a connection, with the timers given. */
export function gateOver(connection: Connection, options: RedisGateOptions, timers: Timers): RedisGate {
  return new GateInRedis(connection, options, timers);
}

/** A hold on its way to the turn. */
interface Ticket {
  readonly id: string;
  readonly keys: readonly string[];
  readonly rank: string;
  /** Its place in the line, given by the first answer. */
  place: string;
  /** When the last question was asked whose answer is known, on the timers' clock. */
  askedAt: number;
  /** Whether it is being found out if the one before it is gone. */
  isLooking: boolean;
  fencingToken: number;
  /** Ends the pause of a ticket that waits. */
  wake: () => void;
}

const RANKS = { high: '0', normal: '1', low: '2' } as const;

class GateInRedis implements RedisGate {
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #whenUnavailable: WhenUnavailable;
  readonly #fallback: Gate | undefined;
  readonly #warn: (code: Warning['code'], message: string) => void;
  readonly #timers: Timers;
  readonly #link: RedisLink;
  readonly #presence: Presence;
  readonly #inbox: Inbox;
  readonly #waiting = new Map<string, Ticket>();
  /** Turns that are being given back. */
  readonly #leaving = new Set<Promise<unknown>>();
  /** Every task runs behind it, so that a turn without Redis and one with it exclude each other in this process. */
  readonly #inProcess = localGate();

  constructor(connection: Connection, options: RedisGateOptions, timers: Timers) {
    const { prefix = 'fleet', leaseMs = DEFAULT_LEASE_MS, whenUnavailable = 'local', fallback, onWarning } = options;
    const { answerTimeoutMs = defaultAnswerTimeoutMs(leaseMs) } = options;
    checkOptions({ prefix, leaseMs, answerTimeoutMs, whenUnavailable }, checks, 'redisGate');
    this.#prefix = prefix;
    this.#leaseMs = Math.round(leaseMs);
    this.#whenUnavailable = whenUnavailable;
    this.#fallback = fallback;
    this.#timers = timers;
    const warning = quietly(onWarning);
    this.#warn = (code, message) => warning({ code, message });
    this.#link = new RedisLink(connection, timers, answerTimeoutMs, {
      onDown: (reason) => this.#warn('GATE_LOST', downText(reason, whenUnavailable, fallback !== undefined)),
      onUp: () => this.#warn('GATE_RESTORED', 'Redis answers again: turns are shared with the other machines again.'),
    });
    this.#presence = new Presence(connection);
    this.#inbox = new Inbox(connection, `{${prefix}}:inbox:${randomUUID()}`, {
      blockMs: this.#leaseMs / 2,
      answerTimeoutMs,
      timers,
      onMessage: (message) => this.#read(message),
      isWanted: () => this.#waiting.size > 0,
    });
  }

  async hold<T>(key: string, task: (turn: RedisTurn) => Promise<T>, options: HoldOptions = {}): Promise<T> {
    if (hasFired(options)) throw options.signal?.reason;
    if (this.#link.isDown && this.#whenUnavailable === 'local') {
      // This call does not wait for Redis; the answer, if there is one, ends the outage for the next call.
      if (this.#link.pending === 0) void this.pause(key, 0);
      return this.#holdLocally(key, task, options);
    }
    if (this.#link.isDown && this.#whenUnavailable === 'fail' && this.#link.pending > 0) {
      throw unavailable('Redis still does not answer.');
    }
    const ticket = this.#ticketFor(key, options);
    try {
      await this.#take(ticket, options);
    } catch (error) {
      this.#leave(ticket);
      if (!(error instanceof RedisUnavailable)) throw error;
      if (this.#whenUnavailable === 'local') return this.#holdLocally(key, task, options);
      throw unavailable(error.message);
    }
    return this.#runInTurn(key, ticket, task, options);
  }

  async pause(key: string, ms: number): Promise<void> {
    const args = this.#argsOf('pause', '', String(Math.max(0, Math.ceil(ms))));
    await this.#link.run(script, this.#keysOf(key), args).catch(() => undefined);
  }

  async state(key: string): Promise<TurnState> {
    try {
      const answer = await this.#link.run(script, this.#keysOf(key), this.#argsOf('look', ''));
      const [isHeld = 0, heldMs = 0, waiting = 0, pausedMs = 0] = Array.isArray(answer) ? answer.map(Number) : [];
      return { isHeld: isHeld === 1, heldMs: isHeld === 1 ? heldMs : 0, waiting, pausedMs };
    } catch (error) {
      throw new NetworkError(error instanceof RedisUnavailable ? error.message : 'Redis could not be reached.');
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#leaving);
    this.#inbox.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Resolves when the ticket has the turn. Rejects with the signal's reason, or with RedisUnavailable. */
  async #take(ticket: Ticket, options: HoldOptions): Promise<void> {
    const signal = signalOf(options);
    try {
      for (;;) {
        const pauseMs = await this.#ask(ticket, signal);
        if (pauseMs === null) return;
        this.#waiting.set(ticket.id, ticket);
        this.#inbox.read();
        await this.#sleep(ticket, pauseMs, signal);
        // The turn that a message announces is still there if Redis was asked shortly before, whatever has become of the connection.
        const isFresh = this.#timers.now() - ticket.askedAt < Math.min(this.#leaseMs / 2, GONE_MS);
        if (ticket.fencingToken > 0 && isFresh) return;
      }
    } finally {
      this.#waiting.delete(ticket.id);
    }
  }

  /** Null when the ticket has the turn; otherwise when to ask again, in ms. */
  async #ask(ticket: Ticket, signal: AbortSignalLike | undefined): Promise<number | null> {
    for (;;) {
      if (signal?.aborted) throw signal.reason;
      ticket.fencingToken = 0;
      const askedAt = this.#timers.now();
      const isConnectionKnown = this.#presence.id !== '';
      const args = this.#argsOf('take', ticket.id, ticket.rank, ticket.place);
      // For the next question. It is answered before this one. A client that has connected again has another number.
      const learning = isConnectionKnown && ticket.place === '' ? null : this.#presence.refresh();
      try {
        const answer =
          this.#whenUnavailable === 'wait'
            ? await orAborted(this.#link.start(script, ticket.keys, args), signal)
            : await orAborted(this.#link.run(script, ticket.keys, args), signal);
        const [outcome, value, ms, before = '', through = ''] = Array.isArray(answer) ? answer.map(String) : [];
        ticket.askedAt = askedAt;
        if (!isConnectionKnown) await learning;
        const isNowKnown = !isConnectionKnown && this.#presence.id !== '';
        if (outcome === 'held') {
          ticket.fencingToken = Number(value);
          // An answer that took longer may speak of a turn that is over.
          if (!isNowKnown && this.#timers.now() - askedAt < this.#leaseMs / 2) return null;
        } else {
          ticket.place = value ?? '';
          if (isNowKnown) continue;
          if (through !== '') void this.#lookBefore(ticket, before, through);
          return Number(ms);
        }
      } catch (error) {
        if (this.#whenUnavailable !== 'wait' || !(error instanceof RedisUnavailable)) throw error;
        await this.#sleep(ticket, RETRY_MS, signal);
      }
    }
  }

  /** Finds out whether the one before the ticket is gone, so that nobody waits for the end of its lease. Never rejects. */
  async #lookBefore(ticket: Ticket, before: string, connection: string): Promise<void> {
    if (ticket.isLooking) return;
    ticket.isLooking = true;
    if (await this.#presence.hasEnded(connection)) {
      const args = this.#argsOf('gone', ticket.id, before, connection);
      await this.#link.start(script, ticket.keys, args).catch(() => undefined);
      ticket.wake();
    }
    ticket.isLooking = false;
  }

  /** Ends early when a message for the ticket arrives, or the signal fires. */
  #sleep(ticket: Ticket, ms: number, signal: AbortSignalLike | undefined): Promise<void> {
    if (ticket.fencingToken > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal?.removeEventListener('abort', done);
        ticket.wake = () => {};
        resolve();
      };
      const cancel = this.#timers.after(Math.max(1, ms), done);
      ticket.wake = done;
      if (signal?.aborted) done();
      else signal?.addEventListener('abort', done);
    });
  }

  #read(message: string): void {
    const [kind, id = '', token] = message.split(' ');
    const ticket = this.#waiting.get(id);
    if (!ticket) return;
    if (kind === 'G') ticket.fencingToken = Number(token);
    ticket.wake();
  }

  async #runInTurn<T>(
    key: string,
    ticket: Ticket,
    task: (turn: RedisTurn) => Promise<T>,
    options: HoldOptions,
  ): Promise<T> {
    const lost = new AbortController();
    const stop = this.#renewRegularly(ticket, () => {
      this.#warn(
        'GATE_LOST',
        'Redis had not heard from this process for a while, and another one took over its turn: two requests of the user may be active at once, and one may be answered with 429.',
      );
      lost.abort(new Error('The turn was taken over by another process.'));
    });
    try {
      const turn: RedisTurn = { fencingToken: ticket.fencingToken, lost: lost.signal };
      return await this.#inProcess.hold(key, () => task(turn), options);
    } finally {
      stop();
      this.#leave(ticket);
      // Clients write in the next round of the event loop at the latest: a process that exits with its answer has given the turn back.
      await turnOfEventLoop();
    }
  }

  #renewRegularly(ticket: Ticket, onLost: () => void): () => void {
    const beat = beatOf(this.#leaseMs);
    let cancel = () => {};
    let isOver = false;
    const renew = async () => {
      // The client may have another connection by now, and the turn is to be known to be held through that one.
      await this.#presence.refresh();
      if (isOver) return;
      const args = this.#argsOf('renew', ticket.id, String(ticket.fencingToken));
      // Without a time limit: a renewal that Redis gets late is better than none, and there is one at a time.
      const answer = await this.#link.start(script, ticket.keys, args).catch(() => null);
      if (isOver) return;
      if (Array.isArray(answer) && String(answer[0]) === 'lost') onLost();
      else again(answer === null ? RETRY_MS : beat);
    };
    const again = (ms: number) => {
      cancel = this.#timers.after(ms, () => void renew());
    };
    again(Math.max(0, beat - (this.#timers.now() - ticket.askedAt)));
    return () => {
      isOver = true;
      cancel();
    };
  }

  /** Gives up the turn or the place. Nobody waits for it: if it fails, the lease ends by itself. */
  #leave(ticket: Ticket): void {
    const left = this.#link
      .run(script, ticket.keys, this.#argsOf('leave', ticket.id))
      .catch(() => undefined)
      .finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
  }

  #holdLocally<T>(key: string, task: (turn: RedisTurn) => Promise<T>, options: HoldOptions): Promise<T> {
    const turn: RedisTurn = { fencingToken: null, lost: new AbortController().signal };
    const run = () => this.#inProcess.hold(key, () => task(turn), options);
    return this.#fallback ? this.#fallback.hold(key, run, options) : run();
  }

  #ticketFor(key: string, { priority = 'normal' }: HoldOptions): Ticket {
    return {
      id: randomUUID(),
      keys: this.#keysOf(key),
      rank: RANKS[priority],
      place: '',
      askedAt: 0,
      isLooking: false,
      fencingToken: 0,
      wake: () => {},
    };
  }

  /** In braces, so that a cluster keeps them together. */
  #keysOf(key: string): readonly string[] {
    const name = `{${this.#prefix}}:turn:${hashedName(key)}`;
    return [name, `${name}:line`, `${name}:seats`, `{${this.#prefix}}:server`, this.#inbox.key];
  }

  #argsOf(operation: string, ticketId: string, ...rest: readonly string[]): readonly string[] {
    return [operation, ticketId, String(this.#leaseMs), this.#link.hasAnswered ? '1' : '', this.#presence.id, ...rest];
  }
}

const checks: Checks<'prefix' | 'leaseMs' | 'answerTimeoutMs' | 'whenUnavailable'> = {
  prefix: demand((value) => typeof value === 'string' && value !== '' && !/[{}]/.test(value), 'a text without braces'),
  leaseMs: demand(
    (value) => Number.isFinite(value) && Number(value) >= MIN_LEASE_MS,
    `a number of milliseconds, ${MIN_LEASE_MS} or more`,
  ),
  answerTimeoutMs: finiteMs,
  whenUnavailable: oneOf('local', 'wait', 'fail'),
};

function unavailable(reason: string): GateError {
  return new GateError(
    `${reason} It gives the turns, so nothing was sent. Check that it runs and can be reached; with whenUnavailable: 'local' calls go on without it.`,
  );
}

function downText(reason: string, whenUnavailable: WhenUnavailable, hasFallback: boolean): string {
  const next = {
    wait: 'Calls wait until it is back.',
    fail: 'Calls fail until it is back.',
    local: `Until it is back, calls take turns only within this ${hasFallback ? 'machine' : 'process'}, and some may be answered with 429.`,
  }[whenUnavailable];
  return `Redis, which shares the turns between machines, ${reason}. ${next}`;
}

/** An AbortFlag is listened to itself, because making its signal takes time. */
function signalOf(options: HoldOptions): AbortSignalLike | undefined {
  return options instanceof AbortFlag ? options : options.signal;
}

/** The answer, or the signal's reason when that fires first. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignalLike | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
