// Classifies outcomes as errors by OpenTelemetry's conventions: a cancellation by the program is no
// error.
import type { Attributes } from '@opentelemetry/api';
import type { CallEvent } from '../core/hooks.js';
import { attribute } from './names.js';
import type { EndedRequest } from './traced-clients.js';

/** Returns `error.type` of a call; null when it is no error. */
export function errorOfCall({ outcome }: CallEvent): string | null {
  return outcome === 'ok' || outcome === 'ABORTED' ? null : outcome;
}

/** Returns `error.type` of a request; null without an error. An error status comes first. */
export function errorOfRequest({ status, error }: EndedRequest): string | null {
  if (status !== null && status >= 400) return String(status);
  return error === undefined || error.message === 'ABORTED' ? null : error.message;
}

export function errorAttributes(error: string | null): Attributes {
  return error === null ? {} : { [attribute.errorType]: error };
}
