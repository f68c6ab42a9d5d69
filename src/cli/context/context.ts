// The context of one run of a command, in three parts: the run, its report and its service.

import type { Command } from 'commander';
import type { Clock } from '../../core/ports.js';
import type { Io } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { wrapFor } from '../io/wrap.js';
import type { FormatName } from '../output/formats.js';
import type { ChosenZone } from '../time/chosen-zone.js';
import type { OpenService } from './open-service.js';
import type { Report } from './report.js';

/** The global flags. Values without a note are as typed. */
export interface GlobalFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  /** May contain a password: never print it. */
  readonly redis?: string;
  readonly user?: string;
  readonly output?: FormatName;
  /** Comma-separated. */
  readonly fields?: string;
  /** Comma-separated. */
  readonly sort?: string;
  readonly filter?: readonly string[];
  readonly limit?: number;
  readonly wide?: true;
  readonly safeCsv?: true;
  /** Replaces stdout. */
  readonly outputFile?: string;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly verbose?: true;
  /** False under --no-input. */
  readonly input: boolean;
  readonly demo?: true;
  readonly demoTime?: string;
  readonly timeZone?: string;
  /** A jq expression for the JSON of the result. */
  readonly jq?: string;
  /** Limits stderr to errors and questions. */
  readonly quiet?: true;
  /** False under --no-headers. */
  readonly headers: boolean;
  /** False under --no-pager. */
  readonly pager: boolean;
}

export interface Run {
  readonly io: Io;
  /** The machine's clock, or the time of --demo-time. */
  readonly clock: Clock;
  /** For reading and showing times. */
  readonly zone: ChosenZone;
  readonly globals: GlobalFlags;
  /** Null during completion. */
  readonly command: Command | null;
}

/** A run that reports warnings and remarks. */
export interface ReportingRun extends Run {
  readonly report: Report;
}

/** A run with the time of the service. */
export interface ServiceRun extends Run {
  readonly service: OpenService;
}

/** The complete context, for functions that open clients and call the service. */
export interface Context extends ReportingRun, ServiceRun {
  /** Runs a command line inside this one and returns its exit code. Only servers do this. */
  readonly runCommand: (argv: readonly string[], io: Io, service: OpenService) => Promise<number>;
}

/** True when a person can answer a prompt. */
export function canAsk(run: Run): boolean {
  return run.globals.input && run.io.stdin.isTTY === true && run.io.stderr.isTTY === true;
}

/** Returns the reason why nobody can be asked, for error messages. */
export function cannotAskReason(run: Run): string {
  return run.globals.input ? 'this is not a terminal' : '--no-input forbids prompts';
}

/** Returns the time of this machine, for lifetimes of tokens and certificates. */
export function now(run: Run): number {
  return run.clock.now();
}

/** Returns the time of the service if available, for ages of its data. */
export function serviceNow(run: ServiceRun): number {
  return run.service.now() ?? now(run);
}

/** Prints one line for people on stderr, unless --quiet. */
export function note(run: Run, line: string): void {
  if (!run.globals.quiet) printLine(run, line);
}

/** Prints one line on stderr that a question needs, even under --quiet. */
export function printLine(run: Run, line: string): void {
  run.io.stderr.write(`${wrapFor(run.io.stderr, plainText(line))}\n`);
}
