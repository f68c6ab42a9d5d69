// The HTTP response to a call, for callers that ask for it with `withResponse`.
import type { FleetStream } from '../core/fleet-stream.js';
import type { ResponseHeaders } from '../core/ports.js';
import { refusedInput } from '../core/refused-input.js';
import { type AnswerHead, NO_IDS, type RequestIds } from '../core/request-ids.js';
import { allHeaders } from '../transport/response-headers.js';
import { readDate } from '../transport/service-clock.js';

/** The last HTTP response to a call. Calls that were merged have the same. */
export interface CallResponse {
  /** HTTP status. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The id of the request in events and errors; null when nothing observes the client. */
  readonly requestId: string | null;
  /** The id that the service gave the request, as in events; null without one. */
  readonly responseId: string | null;
  /** The `Date` of the response in milliseconds since 1970; null without one. */
  readonly serviceTime: number | null;
  /** Requests that were sent for the call. */
  readonly attempts: number;
}

/** Notes the response to a call until its caller asks for it. */
export class NotedResponse {
  #answer: { readonly attempts: number; readonly ids: RequestIds; readonly head: AnswerHead['head'] } | null = null;

  /** Notes the answer in place of an earlier one, without the request that `ids` refers to. */
  note({ attempts, ids, head }: AnswerHead): void {
    this.#answer = { attempts, ids: ids?.() ?? NO_IDS, head };
  }

  /** Notes the first answer of several. */
  noteFirst(answer: AnswerHead): void {
    if (this.#answer === null) this.note(answer);
  }

  /** Null before the answer. */
  response(): CallResponse | null {
    if (!this.#answer?.head) return null;
    const { attempts, ids, head } = this.#answer;
    const headers = allHeaders(head.headers);
    return { status: head.status, headers, ...ids, serviceTime: readDate(headers.get('date') ?? ''), attempts };
  }
}

/** The responses of the promises and streams that clients have returned. */
const responses = new WeakMap<object, NotedResponse>();

/** Makes a call whose response can be asked for by what is returned. */
export function noted<Made extends object>(make: (response: NotedResponse) => Made): Made {
  const response = new NotedResponse();
  const made = make(response);
  responses.set(made, response);
  return made;
}

/** @throws {InvalidInputError} when no client has returned this */
export async function withResponse(
  call: unknown,
): Promise<{ readonly data: unknown; readonly response: CallResponse }> {
  const response = typeof call === 'object' && call !== null ? responses.get(call) : undefined;
  if (response === undefined) {
    // Nobody else waits for a promise that is refused.
    Promise.resolve(call).catch(() => undefined);
    const takes = 'withResponse takes what a method, request() or a stream returned, not a promise that was made of it';
    throw refusedInput(`${takes}.`, 'withResponse');
  }
  // The first row of a stream is in one place only.
  if (isStream(call)) responses.delete(call);
  const data = isStream(call) ? await begun(call) : await call;
  const known = response.response();
  if (known === null) throw refusedInput('withResponse: the stream ended before it sent anything.', 'withResponse');
  return { data, response: known };
}

function isStream(call: unknown): call is FleetStream<unknown> {
  return typeof call === 'object' && call !== null && Symbol.asyncIterator in call;
}

/** Returns the stream with its first item asked for. */
async function begun<Item>(stream: FleetStream<Item>): Promise<FleetStream<Item>> {
  let first: IteratorResult<Item, undefined> | null = await stream.next();
  const rest: FleetStream<Item> = {
    [Symbol.asyncIterator]: () => rest,
    next() {
      const item = first;
      first = null;
      return item === null ? stream.next() : Promise.resolve(item);
    },
    return() {
      first = null;
      return stream.return();
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
  return rest;
}
