// One thing that `fleet doctor` looks at, and how its failure is told: in the same words as any other command's.
import { FleetError, type FleetErrorCode } from '../../core/errors.js';
import { CliError, type CliErrorCode } from '../errors/cli-error.js';
import { failureOf } from '../errors/exit-codes.js';
import type { CheckRow } from '../views/doctor.js';

export type Finding = Pick<CheckRow, 'status' | 'detail'> & {
  readonly next?: string | undefined;
  /** Why it failed: what decides on the exit code. */
  readonly code?: CliErrorCode | FleetErrorCode | undefined;
};

export interface Check {
  readonly name: string;
  readonly look: () => Promise<Finding>;
}

export const fine = (detail: string): Finding => ({ status: 'ok', detail });
export const skipped = (detail: string): Finding => ({ status: 'skipped', detail });
export const warning = (detail: string, next: string): Finding => ({ status: 'warn', detail, next });
export const broken = (code: CliErrorCode | FleetErrorCode, detail: string, next: string): Finding => ({
  status: 'fail',
  detail,
  next,
  code,
});

/** What an error means for a check. */
export function findingOf(error: unknown, timeoutMs: number | undefined): Finding {
  const { message, details, hint, choices } = failureOf(error, false, timeoutMs);
  const code = error instanceof CliError || error instanceof FleetError ? error.code : 'UNEXPECTED';
  const named = choices?.map((choice) => Object.values(choice).filter(Boolean).join(' · ')) ?? [];
  const detail = [message, ...details, ...(named.length > 0 ? [`They are: ${named.join('; ')}.`] : [])].join(' ');
  return { status: 'fail', detail, next: hint ?? undefined, code };
}
