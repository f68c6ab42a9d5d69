/** What a request is called. */
export interface RequestIds {
  /** By the client; null when nobody wanted to know of it. */
  readonly requestId: string | null;
  /** By the service; null without an answer, or one that does not say. */
  readonly responseId: string | null;
}

export const NO_IDS: RequestIds = { requestId: null, responseId: null };
