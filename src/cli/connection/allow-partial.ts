// Makes calls whose answer may be incomplete: what arrived is used, and the command fails only when nothing did.

import type { Undone } from '../../core/error-facts.js';
import type { CallOptions, WarningEvent } from '../../index.js';
import type { ReportingRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { type PartialResult, partialResultOf } from '../errors/partial-result.js';
import { handleWarning } from './handle-warning.js';

export interface Answer<T> {
  readonly value: T;
  /** Whether the service left nothing out of it. */
  readonly isWhole: boolean;
}

/** Keeps an incomplete answer; `run` then ends the command with exit code 6. @throws CliError when nothing arrived. */
export async function allowPartial<T>(run: ReportingRun, call: (options: CallOptions) => Promise<T>): Promise<T> {
  return (await partialAnswerOf(run, call)).value;
}

/** The same, for a command that must know what it has. */
export async function partialAnswerOf<T>(
  run: ReportingRun,
  call: (options: CallOptions) => Promise<T>,
): Promise<Answer<T>> {
  const missing = missingOf(run);
  const value = await call({ partial: true, signal: run.io.signal, onWarning: missing.onWarning });
  if (isNothing(value)) missing.refuse();
  missing.report();
  return { value, isWhole: missing.part() === null };
}

/**
 * The whole answer, for a change that would do harm with a part of it. `undone`: what has not been done when it is not whole.
 * @throws CliError GRAPHQL that names the operation
 */
export async function wholeOf<T>(
  run: ReportingRun,
  call: (options: CallOptions) => Promise<T>,
  undone?: Undone,
): Promise<T> {
  const missing = missingOf(run);
  const value = await call({ partial: true, signal: run.io.signal, onWarning: missing.onWarning });
  if (isNothing(value)) missing.refuse();
  const part = missing.part();
  if (part !== null) {
    const { operation = 'a request', messages: details } = part;
    throw new CliError('GRAPHQL', `The service answered ${operation} only in part.`, {
      undone,
      operation,
      details,
      hint: 'Try again later.',
    });
  }
  missing.report();
  return value;
}

/** What the service leaves out of the answer to one call. */
export interface Missing {
  readonly onWarning: (warning: WarningEvent) => void;
  /** What is missing; null when nothing is. */
  readonly part: () => PartialResult | null;
  /** For an answer without any data. @throws CliError when errors are the reason */
  readonly refuse: () => void;
  /** Makes the command end with exit code 6 when something is missing. */
  readonly report: () => void;
}

export function missingOf(run: ReportingRun): Missing {
  const warnings: WarningEvent[] = [];
  const part = () => {
    const partial = warnings.find(({ code }) => code === 'PARTIAL_DATA');
    return partial === undefined ? null : partialResultOf(partial);
  };
  return {
    part,
    onWarning: (warning) => {
      warnings.push(warning);
    },
    refuse() {
      const missing = part();
      if (missing !== null) throw failureOf(missing);
    },
    report() {
      for (const warning of warnings) handleWarning(run, warning);
    },
  };
}

function failureOf({ operation, messages, reason, isNotFound }: PartialResult): CliError {
  const what = operation === undefined || operation === 'request' ? '' : ` ${operation}`;
  return new CliError(isNotFound ? 'NOT_FOUND' : 'GRAPHQL', `The service answered${what} with an error.`, {
    operation,
    details: messages,
    reason,
  });
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every((member) => member === null);
}
