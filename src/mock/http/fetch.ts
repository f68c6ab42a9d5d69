// The service with the signature of the global fetch, for clients that take a fetch. Nothing goes over the network.
import type { HandledRequest, Handler, ServiceRequest, ServiceResponse } from '../core/messages.js';

// A response up to this length is buffered; a longer one is streamed while it is made.
const maxBufferedLength = 1024 * 1024;

export function createFetch(handle: Handler): typeof globalThis.fetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const pending = Promise.resolve(handle(await toServiceRequest(request)));
    const handled = await untilAborted(pending, signal);
    if (handled.connectionFault === 'reset') {
      handled.release();
      throw connectionReset();
    }
    return handled.connectionFault === 'truncate' ? truncate(handled) : deliver(handled);
  };
}

async function toServiceRequest(request: Request): Promise<ServiceRequest> {
  return {
    method: request.method.toUpperCase(),
    path: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? '' : new Uint8Array(await request.arrayBuffer()),
  };
}

/** Rejects when the caller aborts. The request runs on, as it would in a server. */
async function untilAborted(pending: Promise<HandledRequest>, signal: AbortSignal): Promise<HandledRequest> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    pending.then((handled) => {
      signal.removeEventListener('abort', abort);
      // Nobody reads this response, so the request is over.
      if (signal.aborted) handled.release();
      resolve(handled);
    }, reject);
  });
}

/** The error that Node's own fetch throws for a broken connection. */
function connectionReset(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  });
}

function toResponse(body: string | ReadableStream<Uint8Array> | null, { status, headers }: ServiceResponse): Response {
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, headers });
}

function deliver(handled: HandledRequest): Response {
  const { body } = handled.response;
  if (typeof body === 'string') {
    handled.release();
    return toResponse(body, handled.response);
  }
  const chunks = withCleanup(body, handled.release)[Symbol.iterator]();
  let buffered = '';
  while (buffered.length < maxBufferedLength) {
    const next = chunks.next();
    if (next.done === true) return toResponse(buffered, handled.response);
    buffered += next.value;
  }
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(buffered)),
    pull(controller) {
      const next = chunks.next();
      if (next.done !== true) return controller.enqueue(encoder.encode(next.value));
      controller.close();
    },
    cancel: () => {
      chunks.return?.(undefined);
    },
  });
  return toResponse(stream, handled.response);
}

/** The same chunks. Calls `cleanup` when they end, fail or are cancelled. */
function* withCleanup(chunks: Iterable<string>, cleanup: () => void): Generator<string> {
  try {
    yield* chunks;
  } finally {
    cleanup();
  }
}

/** Delivers half of the body and then the error of a broken connection. */
function truncate(handled: HandledRequest): Response {
  handled.release();
  const { body } = handled.response;
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : [...body].join(''));
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent)
        return controller.error(Object.assign(new TypeError('terminated'), { cause: connectionReset().cause }));
      isSent = true;
      controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  });
  return toResponse(stream, handled.response);
}
