// Distinguishes outages, which a watch survives, from errors that end it.
import { isPassing } from '../../core/http-status.js';

/**
 * Returns true for an outage. Some failures are one only after a good answer: before it, the
 * request, the address or a certificate is probably wrong. The error is a FleetError, or one of the
 * command line with the same codes.
 */
export function isOutage(error: unknown, hasAnswered: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, retryable, status }: Error & { code?: unknown; retryable?: unknown; status?: unknown } = error;
  if (retryable === true) return true;
  if (code === 'HTTP') return typeof status === 'number' && isPassing(status);
  if (code === 'NETWORK') return hasAnswered || retryable === undefined;
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}
