// From the outcome of a request to the outcome of each call in it. What cannot be told of a merged document is asked again, field
// by field, so that every caller ends as it would have ended alone.

import { areAllNamed, splitAnswer } from '../contract/selection/merge.js';
import { bareCause, FleetError, NetworkError } from '../core/errors.js';
import type { Failure } from '../transport/failure.js';
import type { Batch, CallAnswer, Field, WaitingCaller } from './batch.js';
import { FailedRequest } from './failure-error.js';

/** Fields to be sent again, each alone. `suspect`: merging itself may be what the service refused. */
export interface Resend {
  readonly fields: readonly Field[];
  readonly suspect: boolean;
}

const NOTHING_AGAIN: Resend = { fields: [], suspect: false };

/** Gives every caller of the batch its part of the answer. */
export function demultiplexAnswer(batch: Batch, answer: Pick<CallAnswer, 'data' | 'errors'>): Resend {
  const fields = batch.sent;
  const { attempts } = batch.progress;
  const [only] = fields;
  if (only && fields.length === 1) {
    give(only, answer, attempts);
    if (answer.errors.length === 0) batch.onSuccess?.();
    return NOTHING_AGAIN;
  }
  const parts = splitAnswer(rootFields(fields), answer);
  if (!parts) return { fields, suspect: true };
  const again: Field[] = [];
  for (const [at, field] of fields.entries()) {
    const part = parts[at];
    if (part === undefined || part === 'alone') again.push(field);
    else give(field, part, attempts);
  }
  return { fields: again, suspect: false };
}

/** Tells every caller of the batch that it failed. */
export function demultiplexFailure(batch: Batch, error: unknown): Resend {
  const fields = batch.sent;
  if (fields.length > 1 && error instanceof FailedRequest && isUnclear(error.failure, fields.length)) {
    return { fields, suspect: true };
  }
  // All who lost patience were told when it happened, and nobody is left here then.
  for (const { members } of fields) for (const member of members) member.reject(errorFor(error, member));
  return NOTHING_AGAIN;
}

function errorFor(error: unknown, { call: { name }, attemptsBefore }: WaitingCaller): unknown {
  if (error instanceof FailedRequest) return error.errorFor(name, attemptsBefore);
  if (error instanceof FleetError) return error;
  // Nothing of ours throws anything else.
  return new NetworkError(`The gate given to the client failed, so ${name} was not sent. Look there.`, {
    operation: name,
    cause: bareCause(error),
  });
}

/** Whether a failure of a merged document may be the fault of one of its fields, or of their being merged. */
function isUnclear(failure: Failure, count: number): boolean {
  switch (failure.what) {
    case 'status':
      return failure.status !== 401 && failure.status !== 429 && !(failure.status >= 502 && failure.status <= 504);
    case 'garbled':
      return true;
    case 'unauthorized':
      return !areAllNamed(count, failure.errors);
    case 'broken':
    case 'cut':
    case 'unreachable':
      return false;
  }
}

/** Each caller gets a copy of its own: what one does to its rows is not another's to see. */
function give({ members }: Field, part: Pick<CallAnswer, 'data' | 'errors'>, attempts: number): void {
  for (const [at, { resolve, attemptsBefore }] of members.entries()) {
    const own = at === 0 ? part : copy(part);
    resolve({ data: own.data, errors: own.errors, attempts: attemptsBefore + attempts });
  }
}

/** It came as JSON, so JSON is all there is to it. */
function copy<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part)) as Part;
}

function rootFields(fields: readonly Field[]) {
  return fields.flatMap(({ call: { field } }) => (field ? [field] : []));
}
