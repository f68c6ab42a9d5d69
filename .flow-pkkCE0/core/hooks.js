import { eventSource } from "./event-source.js";
import { quietly } from "./quietly.js";
function notifierFor(hooks, source = eventSource("", Math.random)) {
  const { label } = source;
  const refresh = quietly(hooks.onSession);
  const warning = quietly(hooks.onWarning);
  return {
    ...source,
    watchesRequests: Boolean(hooks.onRequest || hooks.onResponse || hooks.onRetry || hooks.onCall),
    request: quietly(hooks.onRequest),
    response: quietly(hooks.onResponse),
    retry: quietly(hooks.onRetry),
    call: quietly(hooks.onCall),
    refresh: ({ how }) => refresh({ how, label }),
    // A copy that keeps hidden what is hidden.
    warning: (event) => warning(
      Object.create(Object.prototype, {
        ...Object.getOwnPropertyDescriptors(event),
        label: { value: label, enumerable: true }
      })
    )
  };
}
function notifierOfCall(notifier, onWarning) {
  return { ...notifier, warning: notifierFor({ onWarning }, notifier).warning };
}
export {
  notifierFor,
  notifierOfCall
};
