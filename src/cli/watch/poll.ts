// The poll of a command under --watch: that of the SDK's watches, ended by Ctrl-C and by a closed pipe, with failures in the words of the
// command line.
import { setTimeout as realSleep } from 'node:timers/promises';
import { pauseAwake } from '../../telemetry/watch/pause.js';
import { type PollOptions, pollOptions, poll as pollService } from '../../telemetry/watch/poll.js';
import { type Context, now, serviceNow } from '../context/context.js';
import type { Report } from '../context/report.js';
import { type CommandFailure, commandFailureOf } from '../errors/exit-codes.js';

export interface AnswerEvent<Answer> {
  readonly kind: 'answer';
  readonly answer: Answer;
  /** When the answer arrived, by the clock of the service. */
  readonly at: number;
  /** What the service did not deliver, and other warnings; each once. */
  readonly warnings: readonly string[];
  /** Whether the service delivered all that was asked for. */
  readonly isWhole: boolean;
  /** How long the outage lasted that this answer ends; null when there was none. */
  readonly outageMs: number | null;
}

export interface OutageNotice {
  readonly kind: 'outage';
  /** When the last answer arrived, or when the first was requested; by the clock of the service. */
  readonly since: number;
  readonly message: string;
  readonly error: unknown;
  readonly waitMs: number;
}

/** Ends only when the command is interrupted, or with an error that does not go away by itself. */
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
      // A person is waiting, and is told when the next attempt is.
      random: () => 1,
      pause: (ms) =>
        sleep ? sleep(ms, ended) : pauseAwake(ms, Date.now, (slice) => realSleep(slice, undefined, { signal: ended })),
    },
  );
  try {
    for await (const one of polled) {
      // Those of a failed answer would add nothing to the outage.
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

/** A command that runs for hours must not collect its warnings until its end. */
function takeWarnings(report: Report): Pick<AnswerEvent<unknown>, 'warnings' | 'isWhole'> {
  const missing = report.takePartial().flatMap(({ messages }) => messages);
  const warnings = new Set([...missing.map((message) => `incomplete: ${message}`), ...report.takeWarnings()]);
  return { warnings: [...warnings], isWhole: missing.length === 0 };
}
