// The steps that give a request its token. It is requested before the turn, so that no login blocks
// the turn. Within the turn it is only read again, unless it has expired or was refused meanwhile.
import type { Session } from '../auth/session.js';
import type { HttpTransport } from '../transport/http-transport.js';
import type { MergedCalls } from './batch.js';
import type { RequestAnswer } from './call.js';
import type { TransportOutcome } from './failure.js';
import type { PendingLogins } from './login-requests.js';
import type { WaitedFor } from './retry.js';
import type { Next, RequestStep } from './steps.js';

type TokenSource = Pick<Session, 'validToken' | 'token' | 'replace'>;

const LOCK_OF_SESSION = 'another process or client held the lock of the session';

export function waitingForToken(session: Pick<Session, 'isWaitingForLock'>, pending: PendingLogins): () => WaitedFor {
  return () => (session.isWaitingForLock ? { text: LOCK_OF_SESSION } : pending.waitedFor());
}

/** Prepares a request before its turn: a token, and the code of the transport. */
export function prepare(
  baseUrl: string,
  http: Pick<HttpTransport, 'prepare'>,
  session: TokenSource,
  waitedFor: () => WaitedFor,
): RequestStep<MergedCalls, RequestAnswer> {
  return (batch, next) => {
    const { deadline, progress } = batch;
    // When a part cannot be loaded, the request that needs it fails and reports it.
    const loading = http.prepare?.(baseUrl)?.catch(() => undefined) ?? null;
    const isTokenThere = session.validToken() !== null;
    if (isTokenThere && loading === null) return next(batch);
    if (!isTokenThere) progress.waitedFor = waitedFor;
    const ready = Promise.all([isTokenThere ? null : session.token(deadline), loading]);
    return deadline.within(ready).then(() => next(batch));
  };
}

/** Gives each request a valid token other than the refused one. */
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
