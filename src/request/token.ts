// The steps that give a request its token. One is taken before the turn, so that nobody waits for a login while it has the turn; in the turn
// it is only looked up again, unless it has expired or was refused meanwhile.
import type { Session } from '../auth/session.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { MergedCalls } from './batch.js';
import type { RequestAnswer } from './call.js';
import type { TransportOutcome } from './failure.js';
import type { PendingLogins } from './pending-logins.js';
import type { WaitedFor } from './retry.js';
import type { Next, RequestStep } from './steps.js';

type TokenSource = Pick<Session, 'validToken' | 'token' | 'replace'>;

const LOCK_OF_SESSION = 'another process or client held the lock of the session';

/** Says what a call is waiting for while it waits for a token. */
export function waitingForToken(session: Pick<Session, 'isWaitingForLock'>, pending: PendingLogins): () => WaitedFor {
  return () => (session.isWaitingForLock ? { text: LOCK_OF_SESSION } : pending.waitedFor());
}

/** Gets what a request needs before its turn: a token, and the code of the transport. */
export function prepare(
  baseUrl: string,
  http: Pick<HttpTransport, 'prepare'>,
  session: TokenSource,
  waitedFor: () => WaitedFor,
): RequestStep<MergedCalls, RequestAnswer> {
  return (batch, next) => {
    const { deadline, progress } = batch;
    // When something cannot be loaded, the request that needs it fails and says so.
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined) ?? null;
    const isTokenThere = session.validToken() !== null;
    if (isTokenThere && loading === null) return next(batch);
    if (!isTokenThere) progress.waitedFor = waitedFor;
    const ready = Promise.all([isTokenThere ? null : session.token(deadline), loading]);
    return deadline.within(ready).then(() => next(batch));
  };
}

/** Gives each request a token that is valid, and another one than the service refused. */
export function token(
  session: TokenSource,
  waitedFor: () => WaitedFor,
): RequestStep<MergedCalls, TransportOutcome<RequestAnswer>> {
  return (batch, next) => {
    const { progress } = batch;
    const valid = progress.refusedToken === null ? session.validToken() : null;
    if (valid === null) return withNewToken(batch, next);
    progress.token = valid;
    return next(batch);
  };

  async function withNewToken(batch: MergedCalls, next: Next<MergedCalls, TransportOutcome<RequestAnswer>>) {
    const { deadline, progress } = batch;
    progress.waitedFor = waitedFor;
    if (progress.refusedToken !== null) await deadline.within(session.replace(progress.refusedToken, deadline));
    progress.refusedToken = null;
    progress.token = session.validToken() ?? (await deadline.within(session.token(deadline)));
    return next(batch);
  }
}
