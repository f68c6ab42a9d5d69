// Which outcomes are errors, by OpenTelemetry's conventions: what the program itself broke off is none.
import type { Attributes } from '@opentelemetry/api';
import type { CallEvent } from '../core/hooks.js';
import { attribute } from './names.js';
import type { EndedRequest } from './traced-clients.js';

/** `error.type` of a call; null when it is no error. */
export function errorOfCall({ outcome }: CallEvent): string | null {
  return outcome === 'ok' || outcome === 'ABORTED' ? null : outcome;
}

/** `error.type` of a request; null when it is no error. A status that means failure says it all. */
export function errorOfRequest({ status, error }: EndedRequest): string | null {
  if (status !== null && status >= 400) return String(status);
  return error === undefined || error.message === 'ABORTED' ? null : error.message;
}

export function errorAttributes(error: string | null): Attributes {
  return error === null ? {} : { [attribute.errorType]: error };
}
