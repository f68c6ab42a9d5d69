// Every number of the request path that a user may ask for, and the few that the contract gives.

/** Time for a call, waiting included. */
export const CALL_TIMEOUT_MS = 60_000;
/** Most root fields in one merged document. */
export const MERGE_MAX = 50;
/** While calls of a lower priority wait, one of this many turns is for them. */
export const FAIR_TURNS = 8;

/** When the service refuses merged documents, merging is tried again after this time; each time that fails the time doubles. */
export const MERGE_QUIET_MS = 10 * 60_000;
/** Longest time without merging. */
export const MERGE_QUIET_MAX_MS = 24 * 60 * 60_000;

/** All users of a login take turns until the service has answered no 429 for this long; each time they have to again, the time doubles. */
export const SHARED_LOGIN_QUIET_MS = 60_000;
/** Longest such time. */
export const SHARED_LOGIN_QUIET_MAX_MS = 60 * 60_000;

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
/** Retries of a client at once; each request that succeeds gives one back. */
export const RETRY_BUDGET = 30;
/** One more after this time. */
export const RETRY_BUDGET_REFILL_MS = 1_000;

/** A server that has not accepted a connection by then counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** A socket that was idle for this long, sleep of the machine included, is not used again. */
export const IDLE_SOCKET_MS = 4_000;
/** TCP begins to ask after this time whether the other end of a silent connection is still there. */
export const TCP_KEEP_ALIVE_MS = 5_000;
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
/** By contract an access token is valid for this long. */
export const ACCESS_TOKEN_LIFETIME_MS = 300_000;
/** By contract a refresh token works for this long after it was issued. */
export const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1_000;

/** How late snapshots may arrive at the service, for a copy of a fleet; and the least, so that trips that went on are found. */
export const DEFAULT_LATE_MS = 2 * 3_600_000;
export const MIN_LATE_MS = 600_000;
