// Splits the outcome of a request into the outcomes of its calls. A field without a clear outcome
// is sent again in a smaller document, and finally alone, so that each call ends as it would have
// ended alone.
import { aliasOf, areAllNamed, splitAnswer } from '../contract/selection/merge.js';
import { inDoubtError } from '../core/error-messages.js';
import { errorForCaller, FleetError, GateError, HeadersError } from '../core/errors.js';
import { isRateLimited, isTransient } from '../core/http-status.js';
import { answerField, type Field, type MergedCalls, type WaitingCaller } from './batch.js';
import type { RequestAnswer } from './call.js';
import type { Failure } from './failure.js';
import { FailedRequest } from './failure-error.js';
import { lastRequestOf } from './retry.js';

export interface Resend {
  readonly fields: readonly Field[];
  /**
   * The reason why the document failed. `field`: each of these fields has to be sent alone.
   * `refused`: the service refused the document, because of one field or because it was merged.
   * `trouble`: a refusal, or a failure that can happen to any request.
   */
  readonly why: 'field' | 'refused' | 'trouble';
}

export const NO_RESEND: Resend = { fields: [], why: 'field' };

interface MergeLearner {
  succeeded(fields: number): void;
}

/** Gives every caller of a merged batch its part of the answer. */
export function demultiplexAnswer(batch: MergedCalls, answer: RequestAnswer, learner: MergeLearner): Resend {
  const fields = batch.sentFields;
  const parts = splitAnswer(rootFields(fields), answer);
  if (!parts) return { fields, why: 'refused' };
  const resend: Field[] = [];
  let succeeded = 0;
  for (const [index, field] of fields.entries()) {
    const part = parts[index];
    if (part === undefined || part === 'alone') resend.push(field);
    else {
      if (part.errors.length === 0) succeeded++;
      answerField(field, part, answer, answer.lists?.get(aliasOf(index)), batch.progress.attempts);
    }
  }
  if (succeeded > 0) learner.succeeded(succeeded);
  return { fields: resend, why: 'field' };
}

export function demultiplexFailure(batch: MergedCalls, error: unknown): Resend {
  const fields = batch.sentFields;
  if (fields.length > 1 && error instanceof FailedRequest && mayBeOfOneField(error.failure, fields.length)) {
    return { fields, why: isRefusalOfDocument(error.failure) ? 'refused' : 'trouble' };
  }
  // Callers whose deadline was exceeded already got their error and have left the batch.
  for (const { members } of fields) for (const member of members) member.reject(errorOfCaller(error, batch, member));
  return NO_RESEND;
}

function errorOfCaller(
  error: unknown,
  { progress }: MergedCalls,
  { call, attemptsBefore, trace }: WaitingCaller,
): unknown {
  const { name, kind } = call;
  if (error instanceof FailedRequest) return error.errorFor(name, attemptsBefore);
  const details = { operation: name, attempts: attemptsBefore + progress.attempts, ...lastRequestOf(progress, trace) };
  if (kind === 'mutation' && progress.inDoubt) {
    // It was sent, but the retry was not possible, or the gate lost its answer.
    const because = error instanceof FleetError ? error.facts : null;
    return inDoubtError(because, { ...details, status: progress.lastFailure?.status ?? null, cause: error });
  }
  // The functions of the program are called once for a whole request.
  if (error instanceof GateError || error instanceof HeadersError) {
    return error.operation === null ? Object.assign(errorForCaller(error), details) : error;
  }
  if (error instanceof FleetError) return error;
  // Only a gate of the program throws anything else.
  return new GateError(
    `The gate of the client failed, so ${name} ${details.attempts === 0 ? 'was not sent' : 'has no answer'}: error.cause is what it threw. Make the call again when the gate works.`,
    { ...details, cause: error },
  );
}

/** True when a merged document may have failed because of one field, or because it was merged. */
function mayBeOfOneField(failure: Failure, fields: number): boolean {
  switch (failure.kind) {
    case 'status':
      return failure.status !== 401 && !isRateLimited(failure.status) && !isTransient(failure.status);
    case 'malformed':
    case 'tooLarge':
      return true;
    case 'unauthorized':
      return !areAllNamed(fields, failure.errors);
    case 'disconnected':
    case 'truncated':
    case 'unreachable':
    case 'redirected':
    case 'fault':
      return false;
  }
}

/** Other statuses may come from a proxy or a failing service, and prove nothing about merging. */
function isRefusalOfDocument(failure: Failure): boolean {
  return (
    failure.kind === 'unauthorized' || (failure.kind === 'status' && REFUSALS_OF_DOCUMENT.includes(failure.status))
  );
}

const REFUSALS_OF_DOCUMENT: readonly number[] = [400, 413, 414, 422];

function rootFields(fields: readonly Field[]) {
  return fields.flatMap(({ call: { field } }) => (field ? [field] : []));
}
