// Numbers of the request path that a user may ask for, and a few that the contract gives.

/** Time for a call, waiting included. */
export const CALL_TIMEOUT_MS = 60_000;
/** Most root fields in one merged document. */
export const MERGE_MAX = 50;

/** How long after its first failure a call is sent again while the service is down for a moment: a rolling restart takes about 30 s. */
export const RETRY_FOR_MS = 40_000;
/** Requests for a call whose connection is lost, and for one to a service that never answered. */
export const LOST_CONNECTION_ATTEMPTS = 5;
/** Requests for a call that the service answers with 500. */
export const SERVER_ERROR_ATTEMPTS = 3;
/** Longest pause before the first retry; it doubles with each one. */
export const RETRY_BASE_DELAY_MS = 100;
/** Longest pause before any retry. */
export const RETRY_MAX_DELAY_MS = 5_000;

/** A login request that brings no byte for this long is sent again on a new connection. */
export const LOGIN_ATTEMPT_TIMEOUT_MS = 10_000;
/** Most bytes of a response that is read as a whole, decompressed. */
export const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
/** A request that is under way when its last caller leaves may take this long to end by itself; then its socket is destroyed. */
export const GRACE_MS = 5_000;

/** A token is refreshed when this part of its lifetime has passed. */
export const REFRESH_FRACTION = 0.8;
/** When that fails while the token is still valid, the next refresh is due after this part of its lifetime. */
export const REFRESH_RETRY_FRACTION = 0.05;
/** Time for a refresh, however short the calls' own deadlines are: a refresh that was sent may have spent the refresh token. */
export const REFRESH_TIMEOUT_MS = 30_000;
/** A refresh of which no byte was answered for this long is given up and sent again: longer than a login, because it may have run. */
export const REFRESH_ATTEMPT_TIMEOUT_MS = 25_000;
/** A refresh under way when the client is closed, or its time is over, has this much longer to be answered and stored. */
export const LEFT_REFRESH_MS = 8_000;
/** Closing a client waits for such a refresh, the storing included, for no longer than this. */
export const CLOSE_TIMEOUT_MS = 10_000;
/** By contract a refresh token works for this long after it was issued. */
export const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1_000;
