import { isRateLimited } from "../core/http-status.js";
import { RowBodies, rowsFetch } from "../rows/rows-fetch.js";
import { withAttemptTimeout } from "../transport/attempt-timeout.js";
import { responseIdOf } from "../transport/response-id.js";
import { readResponse } from "./answer.js";
import { failureOf } from "./failure.js";
import { sendThrough } from "./http-steps.js";
import { programHeaders } from "./request-headers.js";
const waitingForStep = () => ({ text: "a step of use() had not called next" });
const waitingForConnection = () => ({ text: "the connection to the service was not open yet" });
function sendOnce(options) {
  const { http, timers, notifier, addedHeaders, steps, serviceClock, responseLimit: limit } = options;
  const endpoint = `${options.baseUrl}/graphql`;
  const target = { method: "POST", url: endpoint, path: "/graphql" };
  const plainFetch = http.fetch.bind(http);
  const bodyText = bodyWriter();
  const rowBodies = new RowBodies(limit);
  return (batch) => {
    const { deadline, progress } = batch;
    deadline.throwIfExceeded();
    progress.waitedFor = steps.length > 0 ? waitingForStep : waitingForConnection;
    const payload = batch.payload();
    if (payload.lists) for (const list of payload.lists.byName.values()) list.onSent?.(payload.calls);
    return batch.inContext(() => sendPayload(batch, payload));
  };
  async function sendPayload(batch, payload) {
    const { progress, user } = batch;
    const { counts } = user;
    const isKnown = payload.isTraced || addedHeaders.ofRequest !== null || steps.length > 0;
    const event = isKnown ? eventOf(batch, payload) : null;
    progress.event = event;
    const headers = headersOf(batch);
    const outcome = event === null && batch.call.headers === void 0 ? await exchange(batch, payload, headers.all) : await sendThrough(
      options,
      {
        event,
        target,
        deadline: batch.deadline,
        added: programHeaders(addedHeaders, event, batch.call.headers),
        contract: headers.ofContract
      },
      (all) => exchange(batch, payload, all)
    );
    counts.bytes += outcome.bytes ?? 0;
    const { response, responseId } = outcome;
    if ("failure" in outcome) {
      if (response && isRateLimited(response.status)) counts.refusals++;
      return outcome;
    }
    const ids = () => ({ requestId: event?.requestId ?? null, responseId: responseId?.() ?? null });
    const head = response && { status: response.status, headers: response.headers };
    return { ...outcome, value: { ...outcome.value, ids, head } };
  }
  function eventOf(batch, { operations, calls }) {
    const requestId = notifier.newId();
    return {
      requestId,
      label: notifier.label,
      user: batch.user.shown,
      callIds: batch.noteRequest(requestId, timers.now()),
      operations,
      kind: batch.call.kind,
      attempt: batch.progress.attempts + 1,
      merged: calls,
      waitMs: batch.waitedMs
    };
  }
  function headersOf({ user, progress: { token } }) {
    if (user.headers?.token !== token) {
      const json = { "content-type": "application/json", accept: "application/json" };
      const ofContract = { ...addedHeaders.agent, ...json, authorization: `Bearer ${token}`, ...user.header };
      user.headers = { token, ofContract, all: { ...addedHeaders.constant, ...ofContract } };
    }
    return user.headers;
  }
  async function exchange({ call, deadline, progress, giveUp, user: { counts } }, { document, variables, lists, calls }, headers) {
    counts.requests++;
    if (progress.attempts === 0 && calls > 1) counts.mergedCalls += calls;
    const rows = lists && rowBodies.bodyOf(lists);
    let fetch = plainFetch;
    if (call.attemptTimeoutMs !== void 0) fetch = withAttemptTimeout(fetch, timers, call.attemptTimeoutMs);
    if (rows) fetch = rowsFetch(fetch, rows, deadline);
    const body = bodyText(document, variables);
    let sentAt = 0;
    const beforeSend = () => {
      progress.leaves(deadline, timers.now());
      sentAt = serviceClock.localNow();
    };
    let response = null;
    let outcome;
    const onHead = (head) => {
      const ids = {
        requestId: progress.event?.requestId ?? null,
        responseId: responseIdOf(head, [body, progress.token])
      };
      for (const list of lists?.byName.values() ?? [])
        list.onHead?.({ head, ids: () => ids, attempts: progress.attempts });
    };
    try {
      response = await fetch(endpoint, {
        method: "POST",
        headers,
        body,
        signal: giveUp,
        beforeSend,
        limit,
        ...lists && { onHead }
      });
      serviceClock.observe(response, sentAt);
      outcome = await readResponse(response, call.kind === "mutation" ? call.member : void 0);
    } catch (error) {
      const failure = failureOf(error, response?.status ?? null);
      outcome = { failure, response, bytes: response?.bytes ?? null };
    }
    const { token } = progress;
    const headersOfAnswer = response?.headers;
    const responseId = () => headersOfAnswer ? responseIdOf({ headers: headersOfAnswer }, [body, token]) : null;
    const named = { ...outcome, responseId };
    return rows ? withRows(named, rows) : named;
  }
}
function withRows(outcome, rows) {
  if ("value" in outcome) return { ...outcome, value: { ...outcome.value, lists: rows.lists ?? /* @__PURE__ */ new Map() } };
  rows.discard();
  return { ...outcome, isPartlyRead: rows.wasRead };
}
function bodyWriter() {
  let last = "";
  let start = "";
  return (document, variables) => {
    if (document !== last) {
      last = document;
      start = `{"query":${JSON.stringify(document)},"variables":`;
    }
    return `${start}${JSON.stringify(variables)}}`;
  };
}
export {
  bodyWriter,
  sendOnce
};
