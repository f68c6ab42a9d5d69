// What HTTP statuses mean for a request, decided once.

/** The service, or a gateway before it, is in trouble for the moment. */
export function isTransient(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** The service failed at this request; the next one may succeed. */
export function isServerError(status: number): boolean {
  return status === 500;
}

/** Another request of the same user is active. The request was refused before it ran. */
export function isRateLimited(status: number): boolean {
  return status === 429;
}
