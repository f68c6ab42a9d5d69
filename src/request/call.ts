// A call: what one use of a method asks for, and what the service answers to it.
import type { ActingUser } from '../auth/acting-user.js';
import type { RootField } from '../contract/selection/merge.js';
import type { CallDeadline, OpenCalls } from '../core/deadline.js';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { RetryLimits } from '../core/operation.js';
import type { Priority } from '../core/priority.js';
import type { AnswerHead } from '../core/request-ids.js';
import type { ListRows, LongList } from '../rows/list-rows.js';
import type { Caller } from './turn-order.js';

/** The calls of a stream or a watch. Against `maxWaiting` they are one: counted, and perhaps refused, before the series has begun, not after that. */
export interface CallSeries {
  hasBegun: boolean;
}

/** What is asked for. */
export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
  /** The member of `data` that the contract promises; undefined for a document of the caller's own. */
  readonly member?: string | undefined;
  /** Default: normal. */
  readonly priority?: Priority | undefined;
  /** Who asks: what it asks for after a change waits for the change. */
  readonly caller?: Caller;
  /** The client gives up a request that brings no byte for this many milliseconds. */
  readonly attemptTimeoutMs?: number | undefined;
  /** The limits of its retries, in place of those of the client. */
  readonly retry?: RetryLimits | undefined;
  /** Added to its requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For a query that may be merged with others. */
  readonly field?: RootField | undefined;
  /** For a query whose answer is a long list: its rows are beside the answer, and the list in it is empty. */
  readonly list?: LongList | undefined;
  /** What it is a part of. */
  readonly series?: CallSeries | undefined;
}

/** What the service answered to a call. */
export interface CallAnswer extends AnswerHead {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
  /** Of a call with a `list`. Left out when the service answered no list. */
  readonly rows?: ListRows;
}

/** What the service answered to a request. */
export interface RequestAnswer extends Pick<CallAnswer, 'data' | 'errors' | 'ids' | 'head'> {
  /** The rows of its long lists, by their names in `data`. */
  readonly lists?: ReadonlyMap<string, ListRows>;
}

/** Who a call is made for: known from the start, or chosen when the first call needs it. */
export interface UserOfCall {
  /** Null while it is not known. */
  readonly known: ActingUser | null;
  /** How many tasks wait until it is known, of those that count. */
  readonly waiting: number;
  /** Runs the task with the user; at once when the user is known. `isCounted`: default true. */
  withUser<T>(deadline: CallDeadline, task: (user: ActingUser) => Promise<T>, isCounted?: boolean): Promise<T>;
}

/** A call with what its steps need: for whom it is made, how long its caller waits, and what it makes of the answer. */
export interface CallRequest<Value = unknown> {
  readonly call: Call;
  readonly user: UserOfCall;
  /** Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The open calls of the client that asks. Default: those of the login. */
  readonly calls?: OpenCalls | undefined;
  /** Its time does not count before it is sent. */
  readonly fromSending?: boolean | undefined;
  /** A watch asks, so there is nothing to finish when the client closes. */
  readonly isOfWatch?: boolean | undefined;
  /** Takes the result from the answer. What it throws is an error of the call like any other. */
  readonly read: (answer: CallAnswer) => Value;
}
