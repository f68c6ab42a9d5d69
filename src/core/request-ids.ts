import type { FetchResponse } from './ports.js';

/** What a request is called. */
export interface RequestIds {
  /** By the client; null when nobody wanted to know of it. */
  readonly requestId: string | null;
  /** By the service; null without an answer, or one that does not say. */
  readonly responseId: string | null;
}

export const NO_IDS: RequestIds = { requestId: null, responseId: null };

/** The part of an answer that tells of its HTTP response. */
export interface AnswerHead {
  readonly attempts: number;
  readonly ids?: (() => RequestIds) | undefined;
  /** Null without a response. */
  readonly head?: Pick<FetchResponse, 'status' | 'headers'> | null | undefined;
}
