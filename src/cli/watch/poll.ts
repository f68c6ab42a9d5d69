// Requests the same data again and again: the next time only after the last answer or failure, and after failures with growing pauses.
import { setTimeout as realSleep } from 'node:timers/promises';
import type { CallOptions } from '../../index.js';
import { type Context, now, serviceNow } from '../context/context.js';
import { type Failure, failureOf } from '../errors/exit-codes.js';
import type { Sleep } from '../io/io.js';
import { firstOutageWaitMs, isTransientStatus, longestOutageWaitMs, watchAnswerTimeoutMs } from '../limits.js';

export interface AnswerEvent<Answer> {
  readonly kind: 'answer';
  readonly answer: Answer;
  /** When the answer arrived, by the clock of the service. */
  readonly at: number;
  /** What the service did not deliver, and other warnings; each once. */
  readonly warnings: readonly string[];
  /** How long the outage lasted that this answer ends; null when there was none. */
  readonly outageMs: number | null;
}

export interface OutageEvent {
  readonly kind: 'outage';
  /** When the last answer arrived, or when the first was requested; by the clock of the service. */
  readonly since: number;
  readonly message: string;
  readonly waitMs: number;
}

/** Ends only when the command is interrupted, or with an error that does not go away by itself. */
export async function* poll<Answer>(
  context: Context,
  everyMs: number,
  request: (options: Pick<CallOptions, 'timeoutMs'>) => Promise<Answer>,
): AsyncGenerator<AnswerEvent<Answer> | OutageEvent, never> {
  const { signal, stdout } = context.io;
  // A closed pipe ends the command at once, not only at the next row.
  const closedPipe = new AbortController();
  const onError = (error: Error) => closedPipe.abort(error);
  const ended = AbortSignal.any([signal, closedPipe.signal]);
  stdout.on('error', onError);
  const sleep: Sleep = context.io.sleep ?? ((ms, abort) => realSleep(ms, undefined, { signal: abort }));
  const timeoutMs = context.globals.timeout ?? watchAnswerTimeoutMs;
  // Durations are measured with this machine's clock, which the answers of the service do not move.
  let since = now(context);
  let sinceServiceTime = serviceNow(context);
  let failures = 0;
  let hasAnswered = false;
  try {
    for (;;) {
      let event: AnswerEvent<Answer> | OutageEvent;
      try {
        const answer = await request({ timeoutMs });
        const answeredAt = now(context);
        event = {
          kind: 'answer',
          answer,
          at: serviceNow(context),
          warnings: takeWarnings(context),
          outageMs: failures > 0 ? answeredAt - since : null,
        };
        since = answeredAt;
        sinceServiceTime = event.at;
        failures = 0;
        hasAnswered = true;
      } catch (error) {
        const failure = failureOf(error, signal.aborted, timeoutMs);
        if (!isTransient(failure, hasAnswered)) throw error;
        // The outage is reported; warnings of the failed answer would add nothing.
        takeWarnings(context);
        const waitMs = Math.min(firstOutageWaitMs * 2 ** failures, Math.max(longestOutageWaitMs, everyMs));
        failures++;
        event = { kind: 'outage', since: sinceServiceTime, message: messageOf(failure), waitMs };
      }
      yield event;
      await sleep(event.kind === 'outage' ? event.waitMs : everyMs, ended);
    }
  } catch (error) {
    throw closedPipe.signal.aborted ? closedPipe.signal.reason : error;
  } finally {
    stdout.removeListener('error', onError);
  }
}

/** Errors in the answer count as an outage only after a good answer: before one, the request or the address is probably wrong. */
function isTransient({ code, error }: Failure, hasAnswered: boolean): boolean {
  if (code === 'NETWORK' || code === 'TIMEOUT' || code === 'RATE_LIMIT') return true;
  if (code === 'HTTP') {
    const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : null;
    return typeof status === 'number' && isTransientStatus(status);
  }
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}

function messageOf({ code, message, details, hint }: Failure): string {
  return [message, ...details, ...(code === 'TIMEOUT' && hint !== null ? [hint] : [])].join(' ');
}

/** Removes the warnings from the context: a command that runs for hours must not collect them until its end. */
function takeWarnings({ partialResults, warnings }: Context): readonly string[] {
  const missing = partialResults.splice(0).flatMap(({ messages }) => messages);
  return [...new Set([...missing.map((message) => `incomplete: ${message}`), ...warnings.splice(0)])];
}
