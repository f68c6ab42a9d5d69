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

/** Makes a call whose response can be asked for by what is returned. */
export function noted<Made extends object>(make: (noted: NotedAnswer) => Made): Made {
  const place: NotedAnswer = { answer: null };
  const made = make(place);
  answers.set(made, place);
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

/** @throws {InvalidInputError} when no client has returned this */
export async function withResponse(
  call: unknown,
): Promise<{ readonly data: unknown; readonly response: CallResponse }> {
  const place = typeof call === 'object' && call !== null ? answers.get(call) : undefined;
  if (place === undefined) {
    // Nobody else waits for a promise that is refused.
    Promise.resolve(call).catch(() => undefined);
    const takes = 'withResponse takes what a method, request() or a stream returned, not a promise that was made of it';
    throw refusedInput(`${takes}.`, 'withResponse');
  }
  // The first row of a stream is in one place only.
  if (isStream(call)) answers.delete(call);
  const data = isStream(call) ? await begun(call) : await call;
  const response = responseOf(place);
  if (response === null) throw refusedInput('withResponse: the stream ended before it sent anything.', 'withResponse');
  return { data, response };
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
