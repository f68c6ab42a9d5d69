// Polls the service for --watch until Ctrl-C or a closed pipe, with the messages of the command
// line.
import { setTimeout as realSleep } from 'node:timers/promises';
import { type PollOptions, pollOptions, poll as pollService } from '../../telemetry/watch/poll.js';
import { pauseByWallClock } from '../../telemetry/watch/wall-clock-pause.js';
import { type Context, now, serviceNow } from '../context/context.js';
import type { Report } from '../context/report.js';
import { type CommandFailure, commandFailureOf } from '../errors/exit-codes.js';

export interface AnswerEvent<Answer> {
  readonly kind: 'answer';
  readonly answer: Answer;
  /** Arrival of the answer, by the clock of the service. */
  readonly at: number;
  /** Missing data and other warnings, without duplicates. */
  readonly warnings: readonly string[];
  /** True when the service delivered everything. */
  readonly isWhole: boolean;
  /** Length of the outage before this answer; null without one. */
  readonly outageMs: number | null;
}

export interface OutageNotice {
  readonly kind: 'outage';
  /** Arrival of the last answer, or the first request; by the clock of the service. */
  readonly since: number;
  readonly message: string;
  readonly error: unknown;
  readonly waitMs: number;
}

/** Yields answers and outages until an interrupt, or an error that cannot be retried. */
export async function* pollUntilInterrupted<Answer>(
  context: Context,
  everyMs: number,
  request: (options: PollOptions) => Promise<Answer>,
): AsyncGenerator<AnswerEvent<Answer> | OutageNotice, void> {
  const { signal, stdout, sleep } = context.io;
  // A closed pipe ends the command at once, not only at the next row.
  const closedPipe = new AbortController();
  const onError = (error: Error) => closedPipe.abort(error);
  const ended = AbortSignal.any([signal, closedPipe.signal]);
  stdout.on('error', onError);
  const asking = pollOptions(everyMs, context.globals.timeout);
  const failureFrom = (error: unknown) => commandFailureOf(error, signal.aborted, asking.timeoutMs);
  const polled = pollService(
    everyMs,
    async () => {
      const answer = await request(asking);
      return { answer, receivedAt: now(context), at: serviceNow(context) };
    },
    {
      now: () => now(context),
      serviceNow: () => serviceNow(context),
      // No jitter: the message gives the time of the next attempt.
      random: () => 1,
      pause: (ms) =>
        sleep
          ? sleep(ms, ended)
          : pauseByWallClock(ms, Date.now, (slice) => realSleep(slice, undefined, { signal: ended })),
    },
  );
  try {
    for await (const one of polled) {
      // Warnings of a failed answer add nothing to the outage and are dropped.
      const { warnings, isWhole } = takeWarnings(context.report);
      if (one.kind === 'failure') {
        const { since, error, waitMs } = one;
        yield { kind: 'outage', since, error, message: messageOf(failureFrom(error)), waitMs };
      } else {
        yield { kind: 'answer', answer: one.answer, at: one.at, warnings, isWhole, outageMs: one.outage?.ms ?? null };
      }
    }
  } catch (error) {
    throw closedPipe.signal.aborted ? closedPipe.signal.reason : error;
  } finally {
    stdout.removeListener('error', onError);
  }
}

function messageOf({ code, message, details, hint }: CommandFailure): string {
  return [message, ...details, ...(code === 'TIMEOUT' && hint !== null ? [hint] : [])].join(' ');
}

/** Removes the warnings from the report, which would grow for hours under --watch. */
function takeWarnings(report: Report): Pick<AnswerEvent<unknown>, 'warnings' | 'isWhole'> {
  const missing = report.takePartial().flatMap(({ messages }) => messages);
  const warnings = new Set([...missing.map((message) => `incomplete: ${message}`), ...report.takeWarnings()]);
  return { warnings: [...warnings], isWhole: missing.length === 0 };
}
