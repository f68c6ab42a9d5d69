// What HTTP statuses mean for a request, decided once.

/** The service, or a gateway before it, is in trouble for the moment: the same request may succeed soon. */
export function isTransient(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** Another request, much later, may be answered: trouble of any kind, or a request that arrived too slowly. */
export function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || isRateLimited(status);
}

/** The service failed at this request; the next one may succeed. */
export function isServerError(status: number): boolean {
  return status === 500;
}

/** Another request of the same user is active. The request was refused before it ran. */
export function isRateLimited(status: number): boolean {
  return status === 429;
}
