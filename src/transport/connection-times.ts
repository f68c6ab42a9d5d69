/** A server that accepts no connection in this time is unreachable. */
export const CONNECT_TIMEOUT_MS = 10_000;
/** A socket that was idle for this long, sleep of the machine included, is not reused. */
export const IDLE_SOCKET_MS = 4_000;
/** TCP keep-alive probes start after this idle time. */
export const TCP_KEEP_ALIVE_MS = 5_000;
