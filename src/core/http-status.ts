// Classifies HTTP statuses for all modules.

/**
 * True when the service, or a gateway before it, is down for the moment and the same request may
 * succeed soon. 408 and 425 are about the time of arrival; gateways send 520 to 529 for a service
 * that they cannot reach.
 */
export function isTransient(status: number): boolean {
  return status === 408 || status === 425 || (status >= 502 && status <= 504) || (status >= 520 && status <= 529);
}

/** True when another request, much later, may succeed. */
export function mayPassLater(status: number): boolean {
  return status >= 500 || isTransient(status) || isRateLimited(status);
}

/** True for 500: the service failed at this request, and the next one may succeed. */
export function isServerError(status: number): boolean {
  return status === 500;
}

/** True for 429: refused before running, because another request of the user is active. */
export function isRateLimited(status: number): boolean {
  return status === 429;
}
