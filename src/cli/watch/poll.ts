// Asks again and again: the next time only after the last answer has come or failed, and through outages with growing waits.
import { setTimeout as realSleep } from 'node:timers/promises';
import type { CallOptions } from '../../index.js';
import { type Failure, failureOf } from '../errors/exit-codes.js';
import { type Context, now, serviceNow } from '../run/context.js';
import type { Sleep } from '../run/io.js';

export interface Answered<Answer> {
  readonly kind: 'answer';
  readonly answer: Answer;
  /** By the service's clock. */
  readonly at: number;
  /** What the service did not deliver, and what else there is to warn of; each once. */
  readonly complaints: readonly string[];
  /** How long there had been no answer, when the one before was a failure. */
  readonly outageMs: number | null;
}

export interface Outage {
  readonly kind: 'outage';
  /** When the last answer came, or the first was asked for; by the service's clock. */
  readonly since: number;
  readonly message: string;
  readonly waitMs: number;
}

/** A person waits in front of it: an answer that takes longer than this is told as an outage. --timeout overrides it. */
const patienceMs = 30_000;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;

/** Ends only by an error that asking again would not cure, or when the command is interrupted. */
export async function* poll<Answer>(
  context: Context,
  everyMs: number,
  ask: (options: Pick<CallOptions, 'timeoutMs'>) => Promise<Answer>,
): AsyncGenerator<Answered<Answer> | Outage, never> {
  const { signal, stdout } = context.io;
  // A reader that goes away is noticed at once, and not when there is something to write again.
  const gone = new AbortController();
  const onError = (error: Error) => gone.abort(error);
  const ended = AbortSignal.any([signal, gone.signal]);
  stdout.on('error', onError);
  const sleep: Sleep = context.io.sleep ?? ((ms, stop) => realSleep(ms, undefined, { signal: stop }));
  const timeoutMs = context.globals.timeout ?? patienceMs;
  // By this machine's clock, which what the first answer tells does not move.
  let since = now(context);
  let sinceThere = serviceNow(context);
  let failures = 0;
  let hasAnswered = false;
  try {
    for (;;) {
      let event: Answered<Answer> | Outage;
      try {
        const answer = await ask({ timeoutMs });
        const came = now(context);
        event = {
          kind: 'answer',
          answer,
          at: serviceNow(context),
          complaints: complaintsOf(context),
          outageMs: failures > 0 ? came - since : null,
        };
        since = came;
        sinceThere = event.at;
        failures = 0;
        hasAnswered = true;
      } catch (error) {
        const failure = failureOf(error, signal.aborted, timeoutMs);
        if (!mayPass(failure, hasAnswered)) throw error;
        // Told as the outage; what a failed answer lacked is no news beside it.
        complaintsOf(context);
        const waitMs = Math.min(firstWaitMs * 2 ** failures, Math.max(longestWaitMs, everyMs));
        failures++;
        event = { kind: 'outage', since: sinceThere, message: messageOf(failure), waitMs };
      }
      yield event;
      await sleep(event.kind === 'outage' ? event.waitMs : everyMs, ended);
    }
  } catch (error) {
    throw gone.signal.aborted ? gone.signal.reason : error;
  } finally {
    stdout.removeListener('error', onError);
  }
}

/** A service that never made sense is asked wrongly, or is the wrong one; one that did will again. */
function mayPass({ code, error }: Failure, hasAnswered: boolean): boolean {
  if (code === 'NETWORK' || code === 'TIMEOUT' || code === 'RATE_LIMIT') return true;
  if (code === 'HTTP') {
    const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : null;
    return typeof status === 'number' && (status >= 500 || status === 408 || status === 429);
  }
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}

function messageOf({ code, message, details, hint }: Failure): string {
  return [message, ...details, ...(code === 'TIMEOUT' && hint !== null ? [hint] : [])].join(' ');
}

/** Takes them away: a command that goes on for hours neither hoards them nor tells them at its end. */
function complaintsOf({ partialResults: shortfalls, warnings }: Context): readonly string[] {
  const missing = shortfalls.splice(0).flatMap(({ messages }) => messages);
  return [...new Set([...missing.map((message) => `incomplete: ${message}`), ...warnings.splice(0)])];
}
