// Tells an outage, which a watch outlives, from an error that ends it: for the watches of the SDK and for --watch.
import { isPassing } from '../../core/http-status.js';

/**
 * Some failures count as an outage only after a good answer: before one, the request, the address or a certificate is probably wrong.
 * The error is a FleetError, or one of the command line with the same codes.
 */
export function isOutage(error: unknown, hasAnswered: boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code, retryable, status }: Error & { code?: unknown; retryable?: unknown; status?: unknown } = error;
  if (retryable === true) return true;
  if (code === 'HTTP') return typeof status === 'number' && isPassing(status);
  if (code === 'NETWORK') return hasAnswered || retryable === undefined;
  return hasAnswered && (code === 'GRAPHQL' || code === 'PROTOCOL');
}
