const LOCK_OF_SESSION = "another process or client held the lock of the session";
function waitingForToken(session, pending) {
  return () => session.isWaitingForLock ? { text: LOCK_OF_SESSION } : pending.waitedFor();
}
function prepare(baseUrl, http, session, waitedFor) {
  return (batch, next) => {
    const { deadline, progress } = batch;
    const loading = http.prepare?.(baseUrl)?.catch(() => void 0) ?? null;
    const isTokenThere = session.validToken() !== null;
    if (isTokenThere && loading === null) return next(batch);
    if (!isTokenThere) progress.waitedFor = waitedFor;
    const ready = Promise.all([isTokenThere ? null : session.token(deadline), loading]);
    return deadline.within(ready).then(() => next(batch));
  };
}
function token(session, waitedFor) {
  return (batch, next) => {
    const { progress } = batch;
    const valid = progress.refusedToken === null ? session.validToken() : null;
    if (valid === null) return withNewToken(batch, next);
    progress.token = valid;
    return next(batch);
  };
  async function withNewToken(batch, next) {
    const { deadline, progress } = batch;
    progress.waitedFor = waitedFor;
    if (progress.refusedToken !== null) await deadline.within(session.replace(progress.refusedToken, deadline));
    progress.refusedToken = null;
    progress.token = session.validToken() ?? await deadline.within(session.token(deadline));
    return next(batch);
  }
}
export {
  prepare,
  token,
  waitingForToken
};
