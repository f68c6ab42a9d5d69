// Defines and reads `--watch [--every 30s]` for the commands that can be watched.
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, refusal } from '../errors/cli-error.js';
import { parseDuration } from '../parse/duration.js';

export const WATCH_INTERVAL_MS = 30_000;

const MIN_WATCH_INTERVAL_MS = 1_000;

export interface WatchFlags {
  /** The pause in milliseconds, or a following word that is no pause. */
  readonly watch?: true | number | string;
  /** In milliseconds. */
  readonly every?: number;
}

export function addWatchFlags(command: Command): Command {
  return command
    .option('--watch [pause]', 'keep running: redraw the table on a terminal, print changes as NDJSON in a pipe', pause)
    .option('--every <duration>', 'with --watch, pause between two requests; at least 1s (default: 30s)', every);
}

/** Returns the pause in milliseconds; null without --watch. */
export function watchPause({ watch, every: ms }: WatchFlags): number | null {
  if (typeof watch === 'number' && ms !== undefined && watch !== ms) {
    throw refusal('--watch and --every set two different pauses.', { hint: 'Leave out one of them.' });
  }
  if (watch !== undefined) return ms ?? (typeof watch === 'number' ? watch : WATCH_INTERVAL_MS);
  if (ms === undefined) return null;
  throw new CliError('USAGE', '--every needs --watch.', { hint: 'Add --watch, or leave out --every.' });
}

/** Returns the names of a command, with a word after --watch that is no pause. */
export function namesWith({ watch }: WatchFlags, names: readonly string[]): readonly string[] {
  return typeof watch === 'string' ? [...names, watch] : names;
}

/** @throws CliError USAGE for a word after --watch in a command that takes no names */
export function refuseWordOfWatch({ watch }: WatchFlags): void {
  if (typeof watch !== 'string') return;
  throw refusal(`--watch "${watch}" is not a pause.`, { hint: 'Write it as 10s or 2m.' });
}

function pause(text: string): number | string {
  return /^\d+(ms|s|m|h)$/.test(text) ? every(text) : text;
}

export function every(text: string): number {
  const ms = duration(text);
  if (ms >= MIN_WATCH_INTERVAL_MS) return ms;
  throw new InvalidArgumentError('The minimum is 1s, because others use the service too.');
}

/** Parses a flag that takes a duration, in milliseconds; a number without a unit is seconds. */
export function duration(text: string): number {
  const ms = parseDuration(text, 's');
  if (ms !== null && ms > 0) return ms;
  throw new InvalidArgumentError('Write it as 30s, 90m, 6h or 7d; a number without a unit is seconds.');
}
