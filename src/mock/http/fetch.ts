// The service as a fetch function, without network.
import type { Handle, HandledRequest, ServiceRequest, ServiceResponse } from '../core/messages.js';
import { yieldToEventLoop } from '../core/real-time.js';

const chunkLength = 1024 * 1024;

// Lets the event loop turn: a program that only awaits the service would starve its own timers.
const answersPerTurn = 20;

export function createFetch(handle: Handle): typeof globalThis.fetch {
  let answers = 0;
  const answer = async (request: ServiceRequest): Promise<HandledRequest> => {
    const handled = await handle(request);
    answers += 1;
    if (answers % answersPerTurn === 0) await yieldToEventLoop();
    return handled;
  };
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const handled = await untilAborted(answer(await toServiceRequest(request)), signal);
    if (handled.connectionFault === 'reset') {
      handled.release();
      throw connectionReset();
    }
    return handled.connectionFault === 'truncate' ? truncate(handled) : deliver(handled, signal);
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

/** Rejects when the caller aborts. The request continues, as on a server. */
export async function untilAborted(pending: Promise<HandledRequest>, signal: AbortSignal): Promise<HandledRequest> {
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

/** Returns the error that Node's fetch throws for a broken connection. */
export function connectionReset(): TypeError {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  });
}

function toResponse(body: ReadableStream<Uint8Array> | null, { status, headers }: ServiceResponse): Response {
  const hasNoBody = status === 204 || status === 205 || status === 304;
  return new Response(hasNoBody ? null : body, { status, headers });
}

/** Keeps the request active until the body is read, cancelled or aborted, as over a network. */
function deliver(handled: HandledRequest, signal: AbortSignal): Response {
  const { body, status } = handled.response;
  const chunks = (typeof body === 'string' ? [body] : body)[Symbol.iterator]();
  const encoder = new TextEncoder();
  let end = (): void => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          end();
          controller.error(signal.reason);
        };
        signal.addEventListener('abort', abort, { once: true });
        end = () => {
          signal.removeEventListener('abort', abort);
          chunks.return?.(undefined);
          handled.release();
        };
      },
      pull(controller) {
        const chunk = nextBytes(chunks);
        if (chunk !== null) return controller.enqueue(encoder.encode(chunk));
        end();
        controller.close();
      },
      cancel: () => end(),
    },
    // Creates nothing before the caller reads.
    { highWaterMark: 0 },
  );
  if (status === 204 || status === 205 || status === 304) end();
  return toResponse(stream, handled.response);
}

export function nextBytes(chunks: Iterator<string>): string | null {
  let text = '';
  while (text.length < chunkLength) {
    const next = chunks.next();
    if (next.done === true) return text === '' ? null : text;
    text += next.value;
  }
  return text;
}

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
