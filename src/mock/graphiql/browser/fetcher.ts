// Sends GraphiQL's requests for one user, one at a time. The service answers 429 to a second active
// request, and GraphiQL sends its schema query and the user's queries independently.
import type { Fetcher } from './dom.js';
import { type PageSession, SessionEnded } from './session.js';

/** Returns a queue of tasks: each starts when the previous one has settled. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

/** The HTTP facts of a response, shown above the editors. */
export interface ResponseSummary {
  readonly status: number;
  /** Such as `503 Service Unavailable`. */
  readonly statusText: string;
  /** Seconds, or a date. */
  readonly retryAfter: string | null;
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface FetcherOptions {
  readonly session: PageSession;
  readonly userId: string;
  readonly path: string;
  readonly now: () => number;
  /** Shared by all fetchers of the page: the previous user's last request may still be active. */
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly onAnswer: (summary: ResponseSummary) => void;
  readonly onSessionEnded: (reason: SessionEnded) => void;
}

export function requestHeaders(userId: string): Readonly<Record<string, string>> {
  return { userId, 'content-type': 'application/json', accept: 'application/json' };
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { session, userId, path, inTurn, now, onAnswer, onSessionEnded } = options;
  return (request) =>
    inTurn(async () => {
      try {
        const body = JSON.stringify(request);
        const sentAt = now();
        const response = await session.send(path, requestHeaders(userId), { method: 'POST', body });
        // The request stays active until its body is read completely.
        const text = await response.text();
        const summary = {
          status: response.status,
          statusText: `${response.status} ${response.statusText}`.trim(),
          retryAfter: response.headers.get('retry-after'),
          milliseconds: now() - sentAt,
          bytes: new TextEncoder().encode(text).length,
        };
        onAnswer(summary);
        return readAnswer(summary, text);
      } catch (error) {
        if (error instanceof SessionEnded) onSessionEnded(error);
        throw error;
      }
    });
}

/** Returns the answer for GraphiQL: with the status unless it is 200, as text if it is not JSON. */
function readAnswer({ status, statusText, retryAfter }: ResponseSummary, text: string): unknown {
  const http = status === 200 ? {} : { http: statusText, ...(retryAfter === null ? {} : { retryAfter }) };
  try {
    const answer: unknown = JSON.parse(text);
    return status === 200 ? answer : { ...http, ...(isObject(answer) ? answer : { answer }) };
  } catch {
    return {
      http: statusText,
      ...http,
      problem: 'The answer is not JSON, so something other than the service may have sent it.',
      text,
    };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
