// The HTTP response to a call, for callers that ask for it with `withResponse`.
import type { FleetStream } from '../core/fleet-stream.js';
import type { ResponseHeaders } from '../core/ports.js';
import { refusedInput } from '../core/refused-input.js';
import { type AnswerHead, NO_IDS } from '../core/request-ids.js';
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

/** The place where the answer to a call is kept until its caller asks for the response. */
export interface NotedAnswer {
  /** Null before the answer. */
  answer: AnswerHead | null;
}

/** The answers to the promises and streams that clients have returned. */
const answers = new WeakMap<object, NotedAnswer>();

/** The calls that the function of `withResponse` has made which runs now; null outside of one. */
let callsOfFunction: NotedAnswer[] | null = null;

/** Makes a call whose response can be asked for by what is returned. */
export function noted<Made extends object>(make: (noted: NotedAnswer) => Made): Made {
  const place: NotedAnswer = { answer: null };
  const made = make(place);
  answers.set(made, place);
  callsOfFunction?.push(place);
  return made;
}

/** Keeps the head of an answer in place of an earlier one, without its data. */
export function keepHead(place: NotedAnswer, { attempts, ids, head }: AnswerHead): void {
  place.answer = { attempts, ids, head };
}

function responseOf({ answer }: NotedAnswer): CallResponse | null {
  if (!answer?.head) return null;
  const { status, headers: given } = answer.head;
  const headers = allHeaders(given);
  const serviceTime = readDate(headers.get('date') ?? '');
  return { status, headers, ...(answer.ids?.() ?? NO_IDS), serviceTime, attempts: answer.attempts };
}

/**
 * @param given What a client has returned, or a function that makes one call.
 * @throws {InvalidInputError} when it is neither
 */
export async function withResponse(
  given: unknown,
): Promise<{ readonly data: unknown; readonly response: CallResponse }> {
  const { call, place } = typeof given === 'function' ? callIn(() => given()) : { call: given, place: placeOf(given) };
  if (place === undefined) {
    // Its own error comes first, and what was sent cannot be called back.
    const isPromise = (await call) !== call;
    const takes = 'withResponse takes what a method, request() or a stream returned, or a function that makes one call';
    const problem = isPromise ? `${takes}. What was given here has run all the same.` : `${takes}.`;
    throw refusedInput(problem, 'withResponse', isPromise ? null : 'sent');
  }
  // The first row of a stream is in one place only.
  if (isStream(call)) answers.delete(call);
  const data = isStream(call) ? await begun(call) : await call;
  const response = responseOf(place);
  if (response !== null) return { data, response };
  if (isStream(call)) throw refusedInput('withResponse: the stream ended before it sent anything.', 'withResponse');
  const problem = 'The function of withResponse ended before its call was answered. It must return or await the call.';
  throw refusedInput(`${problem} What it has called goes on.`, 'withResponse', null);
}

function placeOf(call: unknown): NotedAnswer | undefined {
  return typeof call === 'object' && call !== null ? answers.get(call) : undefined;
}

/** Runs a function, which may be async: its call is made before the first `await` is over. */
function callIn(make: () => unknown): { readonly call: unknown; readonly place: NotedAnswer | undefined } {
  const outer = callsOfFunction;
  const calls: NotedAnswer[] = [];
  callsOfFunction = calls;
  try {
    const call = make();
    return { call, place: placeOf(call) ?? (calls.length === 1 ? calls[0] : undefined) };
  } finally {
    callsOfFunction = outer;
  }
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
