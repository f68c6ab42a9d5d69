// Sends GraphiQL's requests for one user, one at a time: the service answers 429 to a second request of a user while the first is active,
// and GraphiQL sends its schema query and the user's queries independently.
import type { Fetcher } from './dom.js';
import { type Session, SessionEnded } from './session.js';

/** A queue of tasks: each starts when the previous one has settled. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

export interface FetcherOptions {
  readonly session: Session;
  readonly userId: string;
  /** The path of the GraphQL endpoint, relative to the page. */
  readonly path: string;
  /** Shared by all fetchers of the page, because the last request of the previous user may still be active. */
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly onSessionEnded: (reason: SessionEnded) => void;
}

export function createFetcher({ session, userId, path, inTurn, onSessionEnded }: FetcherOptions): Fetcher {
  return (request) =>
    inTurn(async () => {
      try {
        const headers = { userId, 'content-type': 'application/json' };
        const response = await session.send(path, headers, { method: 'POST', body: JSON.stringify(request) });
        // The request is active until its answer has been read completely.
        return readAnswer(response.status, await response.text());
      } catch (error) {
        if (error instanceof SessionEnded) onSessionEnded(error);
        throw error;
      }
    });
}

/** An answer that is not JSON comes from something else, such as a proxy; GraphiQL then shows this error. */
function readAnswer(status: number, text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return answer;
  } catch {
    return { errors: [{ message: `The service answered HTTP ${status} with something that is not JSON.` }] };
  }
}
