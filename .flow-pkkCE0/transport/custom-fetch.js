import { AbortFlag } from "../core/deadline.js";
import { readableThrown } from "../core/odd-values.js";
import { readBody } from "./fetch-body.js";
import { refuseFollowedRedirect } from "./followed-redirect.js";
import { readableHeaders } from "./response-headers.js";
import { DEFAULT_LIMIT } from "./response-limits.js";
function customFetchTransport(fetch) {
  return {
    async fetch(url, init) {
      const {
        method,
        headers: given,
        body,
        signal,
        beforeSend,
        onData,
        onHead,
        onActivity,
        limit = DEFAULT_LIMIT
      } = init;
      const own = signal instanceof AbortFlag ? signal.signal : signal;
      const headers = onData ? withoutEncodings(given) : given;
      const sent = { method, headers, redirect: "manual", ...body === void 0 ? {} : { body } };
      const send = () => {
        beforeSend?.();
        return fetch(url, own ? { ...sent, signal: own } : sent);
      };
      const response = await abortable(own, send);
      refuseFollowedRedirect(url, response);
      onActivity?.();
      onHead?.({ status: response.status, headers: readableHeaders(response) });
      return complete(response, own, { limit, onData, onActivity });
    },
    close: async () => void 0
  };
}
function withoutEncodings({ "accept-encoding": _, ...headers }) {
  return headers;
}
async function complete(response, signal, reading) {
  const { ok, status } = response;
  const headers = readableHeaders(response);
  const reader = abortable(signal, () => readBody(response, signal, reading));
  await reader.catch(() => void 0);
  if (signal?.aborted) throw signal.reason;
  const text = () => reader;
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) };
}
function abortable(signal, work) {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const working = (async () => work())();
    working.then(resolve, (error) => reject(readableThrown(error))).finally(() => signal?.removeEventListener("abort", onAbort));
  });
}
export {
  customFetchTransport
};
