// Whether a service refused a period because it is too long: some allow 7 days, some one. The contract gives neither a limit nor the words.
import { type FleetError, GraphQLResponseError, HttpError } from '../core/errors.js';

const STATUSES: readonly number[] = [400, 413, 422];
const CLASSIFICATIONS: readonly string[] = ['BAD_REQUEST', 'BAD_USER_INPUT', 'VALIDATIONERROR'];
/** Words of a message about a length of time; errors that pass by themselves do not use them. */
const ABOUT_LENGTH =
  /\b(periods?|ranges?|intervals?|windows?|spans?|durations?|days?|hours?|too (long|large|big)|exceeds?|maximum)\b/i;

/** Whether a shorter period is worth a try. */
export function mayBeTooLong(error: unknown): error is FleetError {
  if (error instanceof HttpError) return STATUSES.includes(error.status);
  if (!(error instanceof GraphQLResponseError)) return false;
  if (CLASSIFICATIONS.includes(error.classification?.toUpperCase() ?? '')) return true;
  return error.serviceErrors.some(({ message }) => ABOUT_LENGTH.test(message));
}
