import { callChannel, requestChannel, retryChannel } from "../core/channels.js";
import { FleetError } from "../core/errors.js";
import { reasonOf } from "./failure-error.js";
const run = (task) => task();
function observe(notifier, timers) {
  return (request, next) => {
    const { name: operation, kind, priority = "normal" } = request.call;
    const { label, source } = notifier;
    const known = { callId: notifier.newId(), label, source, user: null, operation, kind, priority };
    const trace = { ...known, outcome: null, requestIds: [], waitMs: null, durationMs: null, run };
    return reportedCall(notifier, timers, trace, () => next({ ...request, trace }));
  };
}
function reportedCall(notifier, timers, trace, make) {
  const isTraced = callChannel.hasSubscribers;
  const startedAt = timers.now();
  const finish = (outcome) => {
    const durationMs = timers.now() - startedAt;
    const waitMs = trace.waitMs ?? durationMs;
    Object.assign(trace, { outcome, waitMs, durationMs });
    const { callId, label, user, operation, kind, priority } = trace;
    const requestIds = [...trace.requestIds];
    const event = { callId, label, user, operation, kind, priority, outcome, requestIds, waitMs, durationMs };
    notifier.call(event);
    if (!isTraced) return;
    callChannel.asyncStart.publish(trace);
    callChannel.asyncEnd.publish(trace);
  };
  const made = async () => {
    try {
      const value = await make();
      finish("ok");
      return value;
    } catch (error) {
      if (isTraced) {
        trace.error = error;
        callChannel.error.publish(trace);
      }
      finish(error instanceof FleetError ? error.code : "PROTOCOL");
      throw error;
    }
  };
  if (!isTraced) return made();
  const making = callChannel.start.runStores(trace, () => trace.run(made));
  callChannel.end.publish(trace);
  return making;
}
const NO_HEADERS = {};
function reported(notifier, timers, event, target, send) {
  const unknown = { status: null, durationMs: null, bytes: null, responseId: null };
  const trace = requestChannel.hasSubscribers ? { ...event, ...target, ...unknown, source: notifier.source, run } : null;
  const startedAt = timers.now();
  notifier.request(event);
  const sent = async (headers = NO_HEADERS) => {
    const outcome = await send(headers);
    const { response, bytes } = outcome;
    const status = response?.status ?? null;
    const responseId = outcome.responseId?.() ?? null;
    const over = { status, durationMs: timers.now() - startedAt, bytes, responseId };
    notifier.response({ ...event, ...over });
    if (trace) {
      Object.assign(trace, over);
      if ("failure" in outcome) {
        trace.error = new Error(reasonOf(outcome.failure));
        requestChannel.error.publish(trace);
      }
      requestChannel.asyncStart.publish(trace);
      requestChannel.asyncEnd.publish(trace);
    }
    return outcome;
  };
  if (trace === null) return sent();
  const sending = requestChannel.start.runStores(trace, () => trace.run(sent));
  requestChannel.end.publish(trace);
  return sending;
}
function reportRetry(notifier, event) {
  notifier.retry(event);
  const { source } = notifier;
  if (retryChannel.hasSubscribers) retryChannel.publish({ ...event, source });
}
export {
  observe,
  reportRetry,
  reported
};
