// The service behind the signature of the global fetch: for a client that can be given one, no network at all.
import type { Exchange, Handler, ServiceRequest, ServiceResponse } from './messages.js';

// Answers below this size are handed over whole; larger ones are streamed while they are made.
const wholeUpTo = 1024 * 1024;

export function createFetch(handle: Handler): typeof globalThis.fetch {
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const handled = Promise.resolve(handle(await translated(request)));
    const exchange = await untilAborted(handled, signal);
    if (exchange.spoil === 'reset') {
      exchange.done();
      throw connectionReset();
    }
    return exchange.spoil === 'truncate' ? truncated(exchange) : delivered(exchange);
  };
}

async function translated(request: Request): Promise<ServiceRequest> {
  return {
    method: request.method.toUpperCase(),
    path: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? '' : new Uint8Array(await request.arrayBuffer()),
  };
}

/** What a caller's abort rejects; the work goes on, as it would in a server. */
async function untilAborted(handled: Promise<Exchange>, signal: AbortSignal): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    handled.then((exchange) => {
      signal.removeEventListener('abort', abort);
      // Nobody will read this answer, so it has left.
      if (signal.aborted) exchange.done();
      resolve(exchange);
    }, reject);
  });
}

/** The error Node's own fetch gives for a connection that broke. */
function connectionReset(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  });
}

function response(body: string | ReadableStream<Uint8Array> | null, { status, headers }: ServiceResponse): Response {
  const bodiless = status === 204 || status === 205 || status === 304;
  return new Response(bodiless ? null : body, { status, headers });
}

function delivered(exchange: Exchange): Response {
  const { body } = exchange.response;
  if (typeof body === 'string') {
    exchange.done();
    return response(body, exchange.response);
  }
  const chunks = endingWith(body, exchange.done)[Symbol.iterator]();
  let begun = '';
  while (begun.length < wholeUpTo) {
    const next = chunks.next();
    if (next.done === true) return response(begun, exchange.response);
    begun += next.value;
  }
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(begun)),
    pull(controller) {
      const next = chunks.next();
      if (next.done !== true) return controller.enqueue(encoder.encode(next.value));
      controller.close();
    },
    cancel: () => {
      chunks.return?.(undefined);
    },
  });
  return response(stream, exchange.response);
}

/** The same pieces; says when they have come to an end, have failed, or are no longer wanted. */
function* endingWith(pieces: Iterable<string>, ended: () => void): Generator<string> {
  try {
    yield* pieces;
  } finally {
    ended();
  }
}

/** Half the body, then the error of a connection that broke. */
function truncated(exchange: Exchange): Response {
  exchange.done();
  const { body } = exchange.response;
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : [...body].join(''));
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return controller.error(Object.assign(new TypeError('terminated'), { cause: connectionReset().cause }));
      sent = true;
      controller.enqueue(bytes.subarray(0, Math.floor(bytes.length / 2)));
    },
  });
  return response(stream, exchange.response);
}
