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
    return toResponse(await untilAborted(answer(await toServiceRequest(request)), signal), signal);
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

/** Rejects when the caller aborts, and for a reset. The request continues, as on a server. */
export async function untilAborted(pending: Promise<HandledRequest>, signal: AbortSignal): Promise<HandledRequest> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    pending.then((handled) => {
      signal.removeEventListener('abort', abort);
      // Nobody reads this response, so the request is over.
      if (signal.aborted || handled.connectionFault === 'reset') handled.release();
      if (handled.connectionFault === 'reset') reject(connectionError('fetch failed'));
      else resolve(handled);
    }, reject);
  });
}

/** Returns the error that Node's fetch throws for a broken connection. */
function connectionError(message: string): TypeError {
  return new TypeError(message, {
    cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' }),
  });
}

function toResponse(handled: HandledRequest, signal: AbortSignal): Response {
  const { status, headers } = handled.response;
  if (status === 204 || status === 205 || status === 304) {
    handled.release();
    return new Response(null, { status, headers });
  }
  const bytes = bodyBytes(handled, signal);
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void bytes.return?.(),
    },
    // Creates nothing before the caller reads.
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, headers });
}

/** Returns the body. The request is active until it is read, given up or aborted. */
export function bodyBytes(
  { response: { body }, connectionFault, release }: HandledRequest,
  signal: AbortSignal,
): AsyncIterableIterator<Uint8Array> {
  if (connectionFault === 'truncate') {
    release();
    return firstHalf(body);
  }
  const chunks = (typeof body === 'string' ? [body] : body)[Symbol.iterator]();
  const encoder = new TextEncoder();
  const end = (): void => {
    signal.removeEventListener('abort', end);
    chunks.return?.(undefined);
    release();
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      signal.throwIfAborted();
      try {
        const text = nextText(chunks);
        if (text !== null) return { done: false, value: encoder.encode(text) };
      } catch (error) {
        end();
        throw error;
      }
      end();
      return { done: true, value: undefined };
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
  };
}

function nextText(chunks: Iterator<string>): string | null {
  let text = '';
  while (text.length < chunkLength) {
    const next = chunks.next();
    if (next.done === true) return text === '' ? null : text;
    text += next.value;
  }
  return text;
}

async function* firstHalf(body: ServiceResponse['body']): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : [...body].join(''));
  yield bytes.subarray(0, Math.floor(bytes.length / 2));
  throw connectionError('terminated');
}
