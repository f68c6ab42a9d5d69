// Every number of the request path that a user may ask for, and the few that the contract gives.

/** Time for a call, waiting included. */
export const CALL_TIMEOUT_MS = 60_000;
/** Most root fields in one merged document. */
export const MERGE_MAX = 50;

/** Requests for a call at most; answers of 429 are not counted. */
export const RETRY_ATTEMPTS = 5;
/** Longest pause before the first retry; it doubles with each one. */
export const RETRY_BASE_DELAY_MS = 100;
/** Longest pause before any retry. */
export const RETRY_MAX_DELAY_MS = 5_000;

/** A server that has not accepted a connection by then counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** An idle socket is closed after this time, unless the server announces a shorter one. */
export const IDLE_SOCKET_MS = 4_000;
/** A request that is under way when its last caller leaves may end by itself for so long; then its socket is destroyed. */
export const GRACE_MS = 5_000;

/** A token is refreshed when this part of its lifetime has passed. */
export const REFRESH_FRACTION = 0.8;
/** When that fails while the token is still valid, the next refresh is due after this part of its lifetime. */
export const REFRESH_RETRY_FRACTION = 0.05;
/** Longest wait for a refresh while the old token is still valid. */
export const EARLY_REFRESH_TIMEOUT_MS = 5_000;
/** By contract an access token is valid for so long. */
export const ACCESS_TOKEN_LIFETIME_MS = 300_000;
/** By contract a refresh token works for so long after it was issued. */
export const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1_000;
