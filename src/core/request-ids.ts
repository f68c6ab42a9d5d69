import type { FetchResponse } from './ports.js';

export interface RequestIds {
  /** The client's id; null when nothing observes requests. */
  readonly requestId: string | null;
  /** The service's id; null when unknown. */
  readonly responseId: string | null;
}

export const NO_IDS: RequestIds = { requestId: null, responseId: null };

export interface AnswerHead {
  readonly attempts: number;
  readonly ids?: (() => RequestIds) | undefined;
  /** Null without a response. */
  readonly head?: Pick<FetchResponse, 'status' | 'headers'> | null | undefined;
}
