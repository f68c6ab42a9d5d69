// What one run of a command carries, in three parts: the run itself, its report and its service. A function takes what it uses.

import type { Command } from 'commander';
import type { Clock } from '../../core/ports.js';
import type { Io } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { wrapFor } from '../io/wrap.js';
import type { FormatName } from '../output/formats.js';
import type { ChosenZone } from '../time/chosen-zone.js';
import type { OpenService } from './open-service.js';
import type { Report } from './report.js';

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
  /** In place of stdout. */
  readonly outputFile?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly verbose?: true;
  /** False under --no-input. */
  readonly input: boolean;
  readonly demo?: true;
  /** As typed. */
  readonly demoTime?: string;
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

/** One run of the program: fixed from its beginning to its end. */
export interface Run {
  readonly io: Io;
  /** The current time of this run: the machine's clock, or the time that --demo-time sets. */
  readonly clock: Clock;
  /** The zone in which times are read and shown to people. */
  readonly zone: ChosenZone;
  readonly globals: GlobalFlags;
  /** The command that runs; null for what completes one. */
  readonly command: Command | null;
}

/** A run that has something to say beside its result. */
export interface ReportingRun extends Run {
  readonly report: Report;
}

/** A run that knows the time of the service. */
export interface ServiceRun extends Run {
  readonly service: OpenService;
}

/** All of it, for what opens clients and calls the service. */
export interface Context extends ReportingRun, ServiceRun {
  /** Runs another command line inside this one, and returns its exit code. Only servers do. */
  readonly runCommand: (argv: readonly string[], io: Io, service: OpenService) => Promise<number>;
}

/** Whether a person can answer a prompt. */
export function canAsk(run: Run): boolean {
  return run.globals.input && run.io.stdin.isTTY === true && run.io.stderr.isTTY === true;
}

/** Why nobody can be asked, for error messages. */
export function cannotAskReason(run: Run): string {
  return run.globals.input ? 'this is not a terminal' : '--no-input forbids prompts';
}

/** The time of this machine, which the lifetimes of tokens and certificates are measured with. */
export function now(run: Run): number {
  return run.clock.now();
}

/** The time of the service as far as it is known, which the ages of its data are measured with. */
export function serviceNow(run: ServiceRun): number {
  return run.service.now() ?? now(run);
}

/** Prints one line for people on stderr, unless --quiet forbids it. */
export function note(run: Run, line: string): void {
  if (!run.globals.quiet) tell(run, line);
}

/** Prints one line on stderr that a question needs, under --quiet too. */
export function tell(run: Run, line: string): void {
  run.io.stderr.write(`${wrapFor(run.io.stderr, plainText(line))}\n`);
}
