// The times of connections, the same over undici and over node:http.

/** A server that has not accepted a connection by then counts as unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** A socket that was idle for this long, sleep of the machine included, is not used again. */
export const IDLE_SOCKET_MS = 4_000;
/** TCP begins to ask after this time whether the other end of a silent connection is still there. */
export const TCP_KEEP_ALIVE_MS = 5_000;
