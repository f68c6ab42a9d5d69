// What HTTP statuses mean for a request, decided once.

/**
 * Returns true where the service, or a gateway before it, is in trouble for the moment: the same
 * request may succeed soon. 408 and 425 are about when the request arrived; 520 to 529 are those of
 * gateways for a service that they cannot reach.
 */
export function isTransient(status: number): boolean {
  return status === 408 || status === 425 || (status >= 502 && status <= 504) || (status >= 520 && status <= 529);
}

/** Returns true where another request, much later, may be answered. */
export function isPassing(status: number): boolean {
  return status >= 500 || isTransient(status) || isRateLimited(status);
}

/** The service failed at this request; the next one may succeed. */
export function isServerError(status: number): boolean {
  return status === 500;
}

/** Another request of the same user is active. The request was refused before it ran. */
export function isRateLimited(status: number): boolean {
  return status === 429;
}
