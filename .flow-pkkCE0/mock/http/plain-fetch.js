import { connectionReset, nextBytes, untilAborted } from "./fetch.js";
function createPlainFetch(handle) {
  return async (url, { method, headers, body = "", signal = new AbortController().signal }) => {
    signal.throwIfAborted();
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const request = { method, path: new URL(url).pathname, headers: Object.fromEntries(names), body };
    const handled = await untilAborted(Promise.resolve(handle(request)), signal);
    if (handled.connectionFault === "reset") {
      handled.release();
      throw connectionReset();
    }
    return toResponse(handled, signal);
  };
}
function toResponse(handled, signal) {
  const { status, headers } = handled.response;
  const body = bytesOf(handled, signal);
  const text = async () => {
    const decoder = new TextDecoder();
    let whole = "";
    for await (const bytes of body) whole += decoder.decode(bytes, { stream: true });
    return whole + decoder.decode();
  };
  return {
    ok: status >= 200 && status <= 299,
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    body,
    text,
    json: async () => JSON.parse(await text())
  };
}
async function* chunksOf(chunks, signal, end) {
  try {
    const encoder = new TextEncoder();
    for (let text = nextBytes(chunks); text !== null; text = nextBytes(chunks)) {
      signal.throwIfAborted();
      yield encoder.encode(text);
    }
  } finally {
    end();
  }
}
function bytesOf({ response, connectionFault, release }, signal) {
  if (connectionFault === "truncate") {
    release();
    return halfOf(response.body);
  }
  const chunks = (typeof response.body === "string" ? [response.body] : response.body)[Symbol.iterator]();
  const end = () => {
    signal.removeEventListener("abort", end);
    chunks.return?.(void 0);
    release();
  };
  signal.addEventListener("abort", end, { once: true });
  return chunksOf(chunks, signal, end);
}
async function* halfOf(body) {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : [...body].join(""));
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw connectionReset();
}
export {
  createPlainFetch
};
