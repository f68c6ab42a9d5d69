// The types of a call and of the answer to it.
import type { ActingUser } from '../auth/acting-user.js';
import type { RootField } from '../contract/selection/merge.js';
import type { CallDeadline, OpenCalls } from '../core/deadline.js';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { RetryLimits } from '../core/operation.js';
import type { Priority } from '../core/priority.js';
import type { AnswerHead } from '../core/request-ids.js';
import type { ListRows, LongList } from '../rows/list-rows.js';
import type { Caller } from './turn-order.js';

/** The calls of a stream or a watch: only the first counts against `maxWaiting`. */
export interface CallSeries {
  hasBegun: boolean;
}

export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
  /** The member of `data` that the contract promises; undefined for a document of the caller. */
  readonly member?: string | undefined;
  readonly priority?: Priority | undefined;
  /** The caller whose later calls wait for its mutations. */
  readonly caller?: Caller;
  /** Timeout in milliseconds for a request that receives no byte. */
  readonly attemptTimeoutMs?: number | undefined;
  readonly retry?: RetryLimits | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly field?: RootField | undefined;
  /** Set for a query with a long list, whose rows are delivered apart from the answer. */
  readonly list?: LongList | undefined;
  readonly series?: CallSeries | undefined;
}

export interface CallAnswer extends AnswerHead {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
  /** Set for a call with a `list`; missing when the service returned no list. */
  readonly rows?: ListRows;
}

export interface RequestAnswer extends Pick<CallAnswer, 'data' | 'errors' | 'ids' | 'head'> {
  /** Rows of long lists by their name in `data`. */
  readonly lists?: ReadonlyMap<string, ListRows>;
}

/** The user that a call acts for: known from the start, or chosen when the first call needs it. */
export interface CallUser {
  readonly actingUser: ActingUser | null;
  /** Number of waiting tasks that count against `maxWaiting`. */
  readonly waiting: number;
  /** Runs the task with the user, at once when the user is known. `isCounted`: default true. */
  withUser<T>(deadline: CallDeadline, task: (user: ActingUser) => Promise<T>, isCounted?: boolean): Promise<T>;
}

export interface CallRequest<Value = unknown> {
  readonly call: Call;
  readonly user: CallUser;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly calls?: OpenCalls | undefined;
  /** True when its time starts with its first request. */
  readonly fromSending?: boolean | undefined;
  /** True for a call of a watch, which need not finish when the client closes. */
  readonly isOfWatch?: boolean | undefined;
  /** Returns the result from the answer. Its exception becomes an error of the call. */
  readonly read: (answer: CallAnswer) => Value;
}
