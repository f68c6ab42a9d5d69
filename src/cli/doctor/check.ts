// Checks of `fleet doctor` and their findings. Failures have the same texts as in other commands.
import { FleetError, type FleetErrorCode, HttpError } from '../../core/errors.js';
import { CliError, type CliErrorCode } from '../errors/cli-error.js';
import { commandFailureOf } from '../errors/exit-codes.js';
import type { CheckRow } from '../views/doctor.js';

export type CheckFinding = Pick<CheckRow, 'status' | 'detail'> & {
  readonly next?: string | undefined;
  /** Error code of a failure; sets the exit code. */
  readonly code?: CliErrorCode | FleetErrorCode | undefined;
  /** For code HTTP. */
  readonly httpStatus?: number | undefined;
};

export interface DoctorCheck {
  readonly name: string;
  /** True for a check that runs after a failure too. */
  readonly isIndependent?: true;
  readonly run: () => Promise<CheckFinding>;
}

export const ok = (detail: string): CheckFinding => ({ status: 'ok', detail });
export const skipped = (detail: string): CheckFinding => ({ status: 'skipped', detail });
export const warning = (detail: string, next: string): CheckFinding => ({ status: 'warn', detail, next });
export const failed = (code: CliErrorCode | FleetErrorCode, detail: string, next: string): CheckFinding => ({
  status: 'fail',
  detail,
  next,
  code,
});

export function findingOf(error: unknown, timeoutMs: number | undefined): CheckFinding {
  const { message, details, hint, choices, error: failureError } = commandFailureOf(error, false, timeoutMs);
  const code =
    failureError instanceof CliError || failureError instanceof FleetError ? failureError.code : 'UNEXPECTED';
  const choiceTexts = choices?.map((choice) => Object.values(choice).filter(Boolean).join(' · ')) ?? [];
  const detail = [
    message,
    ...details,
    ...(choiceTexts.length > 0 ? [`They are: ${choiceTexts.join('; ')}.`] : []),
  ].join(' ');
  const httpStatus = error instanceof HttpError ? error.status : undefined;
  return { status: 'fail', detail, next: hint ?? undefined, code, httpStatus };
}
