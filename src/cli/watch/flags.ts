// `--watch [--every 30s]`, the same wherever there is something to watch.
import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../errors/cli-error.js';
import { parseDuration } from '../parse/duration.js';

export interface WatchFlags {
  readonly watch?: true;
  /** Milliseconds. */
  readonly every?: number;
}

const defaultEveryMs = 30_000;
const shortestMs = 1_000;

export function addWatchFlags(command: Command): Command {
  return command
    .option('--watch', 'go on: redraws on a terminal, gives changes as NDJSON in a pipe')
    .option('--every <duration>', 'pause between two answers under --watch; 1s at least (default: 30s)', every);
}

/** The pause; null without --watch. */
export function watchPause({ watch, every: ms }: WatchFlags): number | null {
  if (watch) return ms ?? defaultEveryMs;
  if (ms === undefined) return null;
  throw new CliError('USAGE', '--every is for --watch.', { hint: 'Add --watch, or leave out --every.' });
}

function every(text: string): number {
  const ms = duration(text);
  if (ms >= shortestMs) return ms;
  throw new InvalidArgumentError('One second is the shortest: others use the service too.');
}

/** Milliseconds of a flag that takes a duration; a bare number is seconds. */
export function duration(text: string): number {
  const ms = parseDuration(text, 's');
  if (ms !== null && ms > 0) return ms;
  throw new InvalidArgumentError('Write it as 30s, 90m, 6h or 7d; a bare number is seconds.');
}
