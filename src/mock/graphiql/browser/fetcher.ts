// How GraphiQL's requests travel: as one user, and one after the other, because the service answers 429 to a user's second
// request while the first is active and GraphiQL asks for the schema and for data whenever it likes.
import type { Fetcher } from './dom.js';
import { type Session, SessionEnded } from './session.js';

/** A line in which tasks wait: each starts when the one before has settled. */
export function oneAtATime(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}

export interface FetcherOptions {
  readonly session: Session;
  readonly userId: string;
  /** Of the GraphQL endpoint, relative to the page. */
  readonly path: string;
  /** Shared by all fetchers of the page: a switched user's last request may still be on its way. */
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly onSessionEnded: (reason: SessionEnded) => void;
}

export function createFetcher({ session, userId, path, inTurn, onSessionEnded }: FetcherOptions): Fetcher {
  return (request) =>
    inTurn(async () => {
      try {
        const headers = { userId, 'content-type': 'application/json' };
        const response = await session.send(path, headers, { method: 'POST', body: JSON.stringify(request) });
        // Read to the end within the turn: until then the request counts as active.
        return readAnswer(response.status, await response.text());
      } catch (error) {
        if (error instanceof SessionEnded) onSessionEnded(error);
        throw error;
      }
    });
}

/** Answers that are no JSON come from somebody else, a proxy say; GraphiQL shows this error in their place. */
function readAnswer(status: number, text: string): unknown {
  try {
    const answer: unknown = JSON.parse(text);
    return answer;
  } catch {
    return { errors: [{ message: `The service answered HTTP ${status} with something that is no JSON.` }] };
  }
}
