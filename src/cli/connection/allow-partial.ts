// Calls with answers that may be incomplete. They fail when nothing arrived, or a list is null.

import type { ActionNotTaken } from '../../core/error-facts.js';
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
  /** True when the answer is complete. */
  readonly isWhole: boolean;
}

/** Returns an answer that may be incomplete; the command then ends with exit code 6. */
export async function allowPartial<T>(run: ReportingRun, call: (options: CallOptions) => Promise<T>): Promise<T> {
  return (await partialAnswerOf(run, call)).value;
}

/** Returns an answer that may be incomplete, and whether it is. */
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

/** Returns the data of a change that was made despite errors (exit code 6), else throws. */
export function dataDespiteErrors(run: ReportingRun, error: unknown): object {
  if (!FleetError.is(error) || error.code !== 'GRAPHQL' || !isObject(error.data) || isEmptyData(error.data))
    throw error;
  const { operation, serviceErrors: errors, message } = error;
  run.report.partial(partialResultOf({ code: 'PARTIAL_DATA', ...(operation && { operation }), errors, message }));
  return error.data;
}

/** Returns a complete answer or throws CliError GRAPHQL, for changes that must not use a part. */
export async function wholeOf<T>(
  run: ReportingRun,
  call: (options: CallOptions) => Promise<T>,
  undone?: ActionNotTaken,
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

/** Collects the missing parts of an answer. */
export interface Missing {
  readonly onWarning: (warning: WarningEvent) => void;
  /** Null when the answer is complete. */
  readonly part: () => PartialResult | null;
  /** @throws CliError for null instead of a list */
  readonly refuse: () => void;
  /** Ends the command with exit code 6 when something is missing. */
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
