// A gate between all machines that use the same Redis: the calls of a user take turns, whichever
// process made them. A turn is a lease in Redis that its holder renews. If the holder dies, the
// lease ends and the next one gets the turn.
import { randomUUID } from 'node:crypto';
import { AbortFlag, type AbortSignalLike, orAborted } from '../core/deadline.js';
import { GateError, InvalidInputError, NetworkError } from '../core/errors.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { type Checks, checkOptions, demand, finiteMs, oneOf } from '../core/option-checks.js';
import { realTimers, type Timers } from '../core/ports.js';
import { turnOfEventLoop } from '../core/real-time.js';
import { quietly } from '../core/safe-read.js';
import { type Gate, type HoldOptions, hasFired, localGate } from '../locks/gate.js';
import { Inbox } from './inbox.js';
import { Presence } from './presence.js';
import { type Connection, connectionOver, isRedisClient, type RedisClient } from './redis-client.js';
import { RedisLink, RedisUnavailable } from './redis-link.js';
import { beatMs, GONE_MS, turnScript } from './turn-script.js';

/**
 * The behaviour while Redis does not answer.
 * - `local` (the default): calls take turns only in this process, with a warning. Some may be
 *   answered with 429, which the client handles.
 * - `wait`: calls wait for Redis until their time is over.
 * - `fail`: calls fail at once with a {@link GateError}; nothing was sent.
 */
export type WhenUnavailable = 'local' | 'wait' | 'fail';

export interface RedisGateOptions {
  /** The prefix of the keys in Redis, equal for all that share turns. Default `fleet`. */
  readonly prefix?: string | undefined;
  /**
   * Milliseconds that a turn outlives a holder that does not report; at least 100. Default 10000.
   * The holder renews it at least four times in that time. If its connection has ended, it loses
   * the turn after little more than a second without a renewal.
   */
  readonly leaseMs?: number | undefined;
  /** Milliseconds until Redis counts as unavailable. Default: 2000, at most half of `leaseMs`. */
  readonly answerTimeoutMs?: number | undefined;
  readonly whenUnavailable?: WhenUnavailable | undefined;
  /**
   * The gate during an outage with `local`, such as `fileGate()` for all processes of the machine.
   * Default: this process only.
   */
  readonly fallback?: Gate | undefined;
  /**
   * Called when Redis does not answer (`GATE_LOST`), when it is back (`GATE_RESTORED`), and when
   * another process took over a turn (`GATE_LOST`).
   */
  readonly onWarning?: ((event: Warning) => void) | undefined;
}

export interface RedisTurn {
  /**
   * A token that grows with each turn of a key, on all machines; null for a turn without Redis. A
   * store of yours that remembers the highest token can refuse a holder that was suspended and came
   * back too late.
   */
  readonly fencingToken: number | null;
  /** Fires when another process has taken over the turn, after a lease without a renewal. */
  readonly lost: AbortSignal;
}

export interface TurnState {
  readonly isHeld: boolean;
  /** Milliseconds since it was taken. */
  readonly heldMs: number;
  /** Waiting calls on all machines. */
  readonly waiting: number;
  /** Remaining pause after a 429, in milliseconds. */
  readonly pausedMs: number;
}

export interface RedisGate extends Gate, AsyncDisposable {
  hold<T>(key: string, task: (turn: RedisTurn) => Promise<T>, options?: HoldOptions): Promise<T>;
  /** Grants no turn of this key for this time. Never rejects. */
  pause(key: string, ms: number): Promise<void>;
  /** @throws {NetworkError} when Redis does not answer */
  state(key: string): Promise<TurnState>;
  /** Waits until finished turns are released. Closes the second connection, not your client. */
  close(): Promise<void>;
}

export const DEFAULT_LEASE_MS = 10_000;
const MIN_LEASE_MS = 100;
const MAX_DEFAULT_ANSWER_MS = 2_000;
const RETRY_MS = 250;

const script = turnScript();

/**
 * Returns a gate for all machines that use the same Redis, over your connected client of `redis` 6
 * or `ioredis` 6. It opens a second connection with the same settings as soon as a call has to
 * wait. Closing your client, or `close()`, closes that one.
 *
 * @throws {InvalidInputError} when the client or an option cannot be used
 */
export function redisGate(client: RedisClient, options: RedisGateOptions = {}): RedisGate {
  if (!isRedisClient(client)) {
    throw new InvalidInputError('redisGate takes a client of redis 6 (createClient) or ioredis 6 (new Redis).');
  }
  return gateOver(connectionOver(client), options, realTimers);
}

/** Returns half a lease at most, so that a lease outlives a missing answer. */
export function defaultAnswerTimeoutMs(leaseMs: number): number {
  return Math.min(MAX_DEFAULT_ANSWER_MS, leaseMs / 2);
}

export function gateOver(connection: Connection, options: RedisGateOptions, timers: Timers): RedisGate {
  return new GateInRedis(connection, options, timers);
}

interface Ticket {
  readonly id: string;
  readonly keys: readonly string[];
  readonly rank: string;
  /** Place in the line; from the first answer. */
  place: string;
  askedAt: number;
  isCheckingAhead: boolean;
  fencingToken: number;
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
  readonly #leaving = new Set<Promise<unknown>>();
  /** Runs every task, so that turns with and without Redis exclude each other here. */
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
      // This call does not wait for Redis; an answer ends the outage for the next call.
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

  /** Resolves when the ticket has the turn. Rejects when aborted, or with RedisUnavailable. */
  async #take(ticket: Ticket, options: HoldOptions): Promise<void> {
    const signal = signalOf(options);
    try {
      for (;;) {
        const pauseMs = await this.#ask(ticket, signal);
        if (pauseMs === null) return;
        this.#waiting.set(ticket.id, ticket);
        this.#inbox.read();
        await this.#sleep(ticket, pauseMs, signal);
        // An announced turn is valid if Redis answered shortly before, even after a reconnect.
        const isFresh = this.#timers.now() - ticket.askedAt < Math.min(this.#leaseMs / 2, GONE_MS);
        if (ticket.fencingToken > 0 && isFresh) return;
      }
    } finally {
      this.#waiting.delete(ticket.id);
    }
  }

  /** Returns null when the ticket has the turn; otherwise the milliseconds until the next poll. */
  async #ask(ticket: Ticket, signal: AbortSignalLike | undefined): Promise<number | null> {
    for (;;) {
      if (signal?.aborted) throw signal.reason;
      ticket.fencingToken = 0;
      const askedAt = this.#timers.now();
      const isConnectionKnown = this.#presence.id !== '';
      const args = this.#argsOf('take', ticket.id, ticket.rank, ticket.place);
      // Gets the connection id, which changes on reconnect, before the answer below.
      const refreshing = isConnectionKnown && ticket.place === '' ? null : this.#presence.refresh();
      try {
        const answer =
          this.#whenUnavailable === 'wait'
            ? await orAborted(this.#link.start(script, ticket.keys, args), signal)
            : await orAborted(this.#link.run(script, ticket.keys, args), signal);
        const [outcome, value, ms, before = '', through = ''] = Array.isArray(answer) ? answer.map(String) : [];
        ticket.askedAt = askedAt;
        if (!isConnectionKnown) await refreshing;
        const isNowKnown = !isConnectionKnown && this.#presence.id !== '';
        if (outcome === 'held') {
          ticket.fencingToken = Number(value);
          // A slower answer may describe a turn that has already ended.
          if (!isNowKnown && this.#timers.now() - askedAt < this.#leaseMs / 2) return null;
        } else {
          ticket.place = value ?? '';
          // The script got no connection id: another request reports it.
          if (isNowKnown) continue;
          if (through !== '') void this.#checkAhead(ticket, before, through);
          return Number(ms);
        }
      } catch (error) {
        if (this.#whenUnavailable !== 'wait' || !(error instanceof RedisUnavailable)) throw error;
        await this.#sleep(ticket, RETRY_MS, signal);
      }
    }
  }

  /** Checks if the process ahead is gone, to save the rest of its lease. Never rejects. */
  async #checkAhead(ticket: Ticket, before: string, connection: string): Promise<void> {
    if (ticket.isCheckingAhead) return;
    ticket.isCheckingAhead = true;
    if (await this.#presence.hasEnded(connection)) {
      const args = this.#argsOf('gone', ticket.id, before, connection);
      await this.#link.start(script, ticket.keys, args).catch(() => undefined);
      ticket.wake();
    }
    ticket.isCheckingAhead = false;
  }

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

  /** Handles a message of the inbox: `G` grants the turn, `L` makes the ticket request it again. */
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
        'Redis received no renewal from this process for a whole lease, and another process took over its turn: two requests of the user may be active at once, and one may be answered with 429.',
      );
      lost.abort(new Error('The turn was taken over by another process.'));
    });
    try {
      const turn: RedisTurn = { fencingToken: ticket.fencingToken, lost: lost.signal };
      return await this.#inProcess.hold(key, () => task(turn), options);
    } finally {
      stop();
      this.#leave(ticket);
      // Clients write within one event-loop turn, so an exiting process has released its turn.
      await turnOfEventLoop();
    }
  }

  #renewRegularly(ticket: Ticket, onLost: () => void): () => void {
    const beat = beatMs(this.#leaseMs);
    let cancel = () => {};
    let isOver = false;
    const renew = async () => {
      // The client may have reconnected, and Redis must know the connection of the holder.
      await this.#presence.refresh();
      if (isOver) return;
      const args = this.#argsOf('renew', ticket.id, String(ticket.fencingToken));
      // No time limit: a late renewal is better than none, and only one runs at a time.
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

  /** Releases the turn or the place. Not awaited: if it fails, the lease ends by itself. */
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
      isCheckingAhead: false,
      fencingToken: 0,
      wake: () => {},
    };
  }

  /** The braces keep the keys in one slot of a cluster. */
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

/** Returns an AbortFlag itself, because creating its signal takes time. */
function signalOf(options: HoldOptions): AbortSignalLike | undefined {
  return options instanceof AbortFlag ? options : options.signal;
}
