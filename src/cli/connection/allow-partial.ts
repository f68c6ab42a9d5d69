// Makes calls whose answer may be incomplete: what arrived is used, and the command fails only when nothing did, a null list included.

import type { Undone } from '../../core/error-facts.js';
import { messageOf } from '../../core/error-messages.js';
import { FleetError } from '../../core/errors.js';
import { isEmptyData, isObject } from '../../core/json.js';
import type { CallOptions, WarningEvent } from '../../index.js';
import type { ReportingRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { isOfMissing, type PartialResult, partialResultOf } from '../errors/partial-result.js';
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
  missing.refuse();
  missing.report();
  return { value, isWhole: missing.part() === null };
}

/** Returns what a change answered beside errors: it was made. The command ends with exit code 6. @throws the error of a change without an answer */
export function answerBeside(run: ReportingRun, error: unknown): object {
  if (!FleetError.is(error) || error.code !== 'GRAPHQL' || !isObject(error.data) || isEmptyData(error.data))
    throw error;
  const { operation, serviceErrors: errors, message } = error;
  run.report.partial(partialResultOf({ code: 'PARTIAL_DATA', ...(operation && { operation }), errors, message }));
  return error.data;
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
  missing.refuse();
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
  /** @throws CliError when the answer was null in place of a list */
  readonly refuse: () => void;
  /** Makes the command end with exit code 6 when something is missing. */
  readonly report: () => void;
}

export function missingOf(run: ReportingRun): Missing {
  const warnings: WarningEvent[] = [];
  const part = () => {
    const partial = warnings.find(isOfMissing);
    return partial === undefined ? null : partialResultOf(partial);
  };
  return {
    part,
    onWarning: (warning) => {
      warnings.push(warning);
    },
    refuse() {
      const nullList = warnings.find(({ code }) => code === 'NULL_LIST');
      if (nullList === undefined) return;
      const { operation } = nullList;
      throw new CliError('PROTOCOL', messageOf({ kind: 'nullList' }, { operation }), { operation });
    },
    report() {
      for (const warning of warnings) handleWarning(run, warning);
    },
  };
}
