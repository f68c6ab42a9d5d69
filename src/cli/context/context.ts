// What one run of a command carries: its global flags, its streams and clock, and what it collects to report at the end.

import type { Clock } from '../../core/ports.js';
import type { PartialResult } from '../errors/partial-result.js';
import type { Io } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import type { FormatName } from '../output/formats.js';
import type { ChosenZone } from '../time/chosen-zone.js';

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  /** May hold a password: never to be printed. */
  readonly redis?: string;
  readonly user?: string;
  readonly output?: FormatName;
  /** Comma-separated, as typed. */
  readonly fields?: string;
  /** Comma-separated, as typed. */
  readonly sort?: string;
  /** Each as typed. */
  readonly filter?: readonly string[];
  readonly limit?: number;
  readonly wide?: true;
  readonly safeCsv?: true;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly verbose?: true;
  /** False under --no-input. */
  readonly input: boolean;
  readonly demo?: true;
  /** As typed. */
  readonly demoTime?: string;
  readonly utc?: true;
  /** As typed. */
  readonly timeZone?: string;
  /** An expression for the JSON of the result. */
  readonly jq?: string;
  /** Nothing on stderr but errors and questions. */
  readonly quiet?: true;
  /** False under --no-headers. */
  readonly headers: boolean;
  /** False under --no-pager. */
  readonly pager: boolean;
}

export interface Context {
  readonly io: Io;
  /** The current time of this run: the machine's clock, or the time that --demo-time sets. */
  readonly clock: Clock;
  /** The zone in which times are read and shown to people. */
  readonly zone: ChosenZone;
  readonly globals: GlobalFlags;
  /** What the service left out of answers that are printed anyway. Reported when the command ends. */
  readonly partialResults: PartialResult[];
  /** Printed when the command ends, so that an error in JSON stays the only line on stderr. */
  readonly warnings: string[];
  /** Printed below the rows they are about. */
  readonly remarks: string[];
  /** The clock of the service, set when a client is opened; the last client counts. */
  readonly serviceClock: { now: (() => number) | null };
  /** The address of the service, set when a client is opened. */
  readonly remote: { baseUrl: string | null };
  /** While a pager owns the terminal, nothing else may write there. */
  readonly screen: { isPaged: boolean; wasPaged: boolean };
  /** Run when the command ends, whether it succeeds or fails. */
  readonly cleanups: (() => Promise<void>)[];
}

/** Whether a person can answer a prompt. */
export function canAsk(context: Context): boolean {
  return context.globals.input && context.io.stdin.isTTY === true && context.io.stderr.isTTY === true;
}

/** Why nobody can be asked, for error messages. */
export function cannotAskReason(context: Context): string {
  return context.globals.input ? 'this is not a terminal' : '--no-input forbids prompts';
}

/** The time of this machine, which the lifetimes of tokens and certificates are measured with. */
export function now(context: Context): number {
  return context.clock.now();
}

/** The time of the service as far as it is known, which the ages of its data are measured with. */
export function serviceNow(context: Context): number {
  return context.serviceClock.now?.() ?? now(context);
}

/** Prints one line for people on stderr, unless --quiet forbids it. */
export function note(context: Context, line: string): void {
  if (!context.globals.quiet) tell(context, line);
}

/** Prints one line on stderr that a question needs, under --quiet too. */
export function tell(context: Context, line: string): void {
  context.io.stderr.write(`${plainText(line)}\n`);
}
