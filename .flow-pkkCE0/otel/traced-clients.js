import { callChannel, requestChannel, retryChannel } from "../core/channels.js";
import { quietly } from "../core/quietly.js";
const traced = /* @__PURE__ */ new WeakMap();
const open = /* @__PURE__ */ new Map();
let clients = 0;
function observeClient(source, observers) {
  source.isTraced = true;
  traced.set(source, observers);
  if (clients++ === 0 && open.size === 0) listen("subscribe");
  return () => {
    if (traced.get(source) !== observers) return;
    source.isTraced = false;
    traced.delete(source);
    clients--;
    stopWhenUnused();
  };
}
function stopWhenUnused() {
  if (clients === 0 && open.size === 0) listen("unsubscribe");
}
function listen(how) {
  callChannel.start[how](onCall);
  callChannel.asyncEnd[how](onEnd);
  requestChannel.start[how](onRequest);
  requestChannel.asyncEnd[how](onEnd);
  retryChannel[how](onRetry);
}
const onCall = (message) => {
  const call = message;
  start(call, (observer) => observer.startCall(call));
};
const onRequest = (message) => {
  const request = message;
  start(request, (observer) => observer.startRequest(request));
};
const onRetry = (message) => {
  const retry = message;
  inform(traced.get(retry.source), (observer) => observer.retry(retry));
};
const onEnd = (message) => {
  if (!open.has(message)) return;
  inform(open.get(message), (end) => end());
  open.delete(message);
  stopWhenUnused();
};
function start(message, task) {
  const ends = [];
  inform(traced.get(message.source), (observer) => {
    const end = task(observer);
    ends.push(() => end(message));
  });
  if (ends.length > 0) open.set(message, ends);
}
function inform(listeners = [], task) {
  listeners.forEach(quietly(task));
}
export {
  observeClient
};
