// The HTTP response to a call, for callers of `withResponse`.
import type { FleetStream } from '../core/generator-stream.js';
import type { ResponseHeaders } from '../core/ports.js';
import { refusedInput } from '../core/refused-input.js';
import { type AnswerHead, NO_IDS } from '../core/request-ids.js';
import { allHeaders } from '../transport/response-headers.js';
import { readDate } from '../transport/service-clock.js';

/** The last HTTP response to a call. Merged calls share it. */
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
  /** Number of requests sent for the call. */
  readonly attempts: number;
}

export interface AnswerHolder {
  answer: AnswerHead | null;
}

const answers = new WeakMap<object, AnswerHolder>();

/** The calls made by the current function of `withResponse`; null outside of one. */
let callsOfFunction: AnswerHolder[] | null = null;

/** Makes a call and links the returned object with its response. */
export function trackAnswer<Made extends object>(make: (trackAnswer: AnswerHolder) => Made): Made {
  const place: AnswerHolder = { answer: null };
  const made = make(place);
  answers.set(made, place);
  callsOfFunction?.push(place);
  return made;
}

export function storeHead(place: AnswerHolder, { attempts, ids, head }: AnswerHead): void {
  place.answer = { attempts, ids, head };
}

function responseOf({ answer }: AnswerHolder): CallResponse | null {
  if (!answer?.head) return null;
  const { status, headers: source } = answer.head;
  const headers = allHeaders(source);
  const serviceTime = readDate(headers.get('date') ?? '');
  return { status, headers, ...(answer.ids?.() ?? NO_IDS), serviceTime, attempts: answer.attempts };
}

/**
 * Returns the data of a call together with its last HTTP response.
 * @param source A promise or stream that a client returned, or a function that makes one call.
 * @throws {InvalidInputError} when it is neither
 */
export async function withResponse(
  source: unknown,
): Promise<{ readonly data: unknown; readonly response: CallResponse }> {
  const { call, place } =
    typeof source === 'function' ? captureCall(() => source()) : { call: source, place: holderOf(source) };
  if (place === undefined) {
    // The call's own error comes first. A request that was sent cannot be undone.
    const isPromise = (await call) !== call;
    const takes = 'withResponse takes what a method, request() or a stream returned, or a function that makes one call';
    const problem = isPromise ? `${takes}. The call that was passed here was made anyway.` : `${takes}.`;
    throw refusedInput(problem, 'withResponse', isPromise ? null : 'sent');
  }
  // The first row of a stream can be read once only.
  if (isStream(call)) answers.delete(call);
  const data = isStream(call) ? await readFirstItem(call) : await call;
  const response = responseOf(place);
  if (response !== null) return { data, response };
  if (isStream(call)) throw refusedInput('withResponse: the stream ended before it sent anything.', 'withResponse');
  const problem = 'The function of withResponse ended before its call was answered. It must return or await the call.';
  throw refusedInput(`${problem} Its calls continue.`, 'withResponse', null);
}

function holderOf(call: unknown): AnswerHolder | undefined {
  return typeof call === 'object' && call !== null ? answers.get(call) : undefined;
}

/** Runs a function that may be async: its call must be made before its first `await` ends. */
function captureCall(make: () => unknown): { readonly call: unknown; readonly place: AnswerHolder | undefined } {
  const outer = callsOfFunction;
  const calls: AnswerHolder[] = [];
  callsOfFunction = calls;
  try {
    const call = make();
    return { call, place: holderOf(call) ?? (calls.length === 1 ? calls[0] : undefined) };
  } finally {
    callsOfFunction = outer;
  }
}

function isStream(call: unknown): call is FleetStream<unknown> {
  return typeof call === 'object' && call !== null && Symbol.asyncIterator in call;
}

/** Returns the stream after reading its first item, which stays readable. */
async function readFirstItem<Item>(stream: FleetStream<Item>): Promise<FleetStream<Item>> {
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
