import { turnOfEventLoop } from "../core/real-time.js";
const chunkLength = 1024 * 1024;
const answersPerTurn = 20;
function createFetch(handle) {
  let answers = 0;
  const answer = async (request) => {
    const handled = await handle(request);
    answers += 1;
    if (answers % answersPerTurn === 0) await turnOfEventLoop();
    return handled;
  };
  return async (input, init) => {
    const request = input instanceof Request && init === void 0 ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const handled = await untilAborted(answer(await toServiceRequest(request)), signal);
    if (handled.connectionFault === "reset") {
      handled.release();
      throw connectionReset();
    }
    return handled.connectionFault === "truncate" ? truncate(handled) : deliver(handled, signal);
  };
}
async function toServiceRequest(request) {
  return {
    method: request.method.toUpperCase(),
    path: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? "" : new Uint8Array(await request.arrayBuffer())
  };
}
async function untilAborted(pending, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    pending.then((handled) => {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) handled.release();
      resolve(handled);
    }, reject);
  });
}
function connectionReset() {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", errno: -104, syscall: "read" })
  });
}
function toResponse(body, { status, headers }) {
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, headers });
}
function deliver(handled, signal) {
  const { body, status } = handled.response;
  const chunks = (typeof body === "string" ? [body] : body)[Symbol.iterator]();
  const encoder = new TextEncoder();
  let end = () => {
  };
  const stream = new ReadableStream(
    {
      start(controller) {
        const abort = () => {
          end();
          controller.error(signal.reason);
        };
        signal.addEventListener("abort", abort, { once: true });
        end = () => {
          signal.removeEventListener("abort", abort);
          chunks.return?.(void 0);
          handled.release();
        };
      },
      pull(controller) {
        const chunk = nextBytes(chunks);
        if (chunk !== null) return controller.enqueue(encoder.encode(chunk));
        end();
        controller.close();
      },
      cancel: () => end()
    },
    // Nothing is made before the caller reads.
    { highWaterMark: 0 }
  );
  if (status === 204 || status === 205 || status === 304) end();
  return toResponse(stream, handled.response);
}
function nextBytes(chunks) {
  let text = "";
  while (text.length < chunkLength) {
    const next = chunks.next();
    if (next.done === true) return text === "" ? null : text;
    text += next.value;
  }
  return text;
}
function truncate(handled) {
  handled.release();
  const { body } = handled.response;
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : [...body].join(""));
  let isSent = false;
  const stream = new ReadableStream({
    pull(controller) {
      if (isSent)
        return controller.error(Object.assign(new TypeError("terminated"), { cause: connectionReset().cause }));
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
    }
  });
  return toResponse(stream, handled.response);
}
export {
  connectionReset,
  createFetch,
  nextBytes,
  untilAborted
};
