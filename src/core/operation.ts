// An operation as the generated operation table describes it, and the options of a call.
import type { OperationName } from '../generated/operation-table.js';
import type { WarningEvent } from './hooks.js';
import type { Priority } from './priority.js';

/** An argument of an operation in the contract. */
export interface OperationArgument {
  readonly name: string;
  /** GraphQL type, such as `UUID!`. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** An entry of the operation table. */
export interface Operation<Name extends OperationName = OperationName> {
  /** Name of the operation and of its only root field. */
  readonly name: Name;
  readonly kind: 'query' | 'mutation';
  readonly description: string;
  /** Why the operation is deprecated; null when it is not. */
  readonly deprecated: string | null;
  readonly args: readonly OperationArgument[];
  readonly returns: { readonly type: string; readonly list: boolean; readonly leaf: boolean };
  /** Whether the operation may be merged into one document with others. */
  readonly mergeable: boolean;
  /** Default selection on the root field; empty for a leaf. */
  readonly selection: string;
  /** Names of the fragments that the selection uses. */
  readonly fragments: readonly string[];
  /** The whole document: the operation and its fragments. */
  readonly document: string;
}

/** The limits for sending a failed request again. */
export interface RetryLimits {
  /**
   * Requests per call at most, the first included; answers of 429 and a token that is replaced are
   * not counted. Default: 3 for 500, 5 for lost connections and for a service that never answered,
   * no limit but `forMs` for a service that is down for a moment.
   */
  readonly attempts?: number | undefined;
  /** Milliseconds in which a call is sent again while the service is down. Default 40000. */
  readonly forMs?: number | undefined;
}

/** The options of a call. */
export interface CallOptions {
  /**
   * Ends the wait for this call. The promise rejects with AbortError; with TimeoutError when the signal has a time limit, as
   * `AbortSignal.timeout` has; or with AmbiguousMutationError when a mutation was already sent. `cause` is the reason of the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /** Total time for this call in milliseconds, waiting for the turn included. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * A request of this call that brings no byte for this many milliseconds is given up, and sent again where that is safe. Only calls
   * with the same limit are merged. Default: the client's `attemptTimeoutMs`.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** The limits of this call in place of the client's. Only calls with the same ones are merged. */
  readonly retry?: RetryLimits | undefined;
  /**
   * Headers to add to the requests of this call, in place of the client's headers of these names.
   * Only calls with the same headers are merged. Logins do not get them. The headers that the
   * option `headers` of a client refuses are refused here too.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Return the data that arrived when some fields of a query failed, instead of throwing. Default false. */
  readonly partial?: boolean | undefined;
  /** Gets the warnings about this call, in place of the client's `hooks.onWarning`: which data is missing under `partial`, for example. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
  /**
   * Which of the calls that wait for a turn of the same user goes first: `high` before `normal` before `low`. Default `normal`; `low` for
   * streams and trips.
   */
  readonly priority?: Priority | undefined;
}

/** The options of a call that may be a query or a mutation. */
export interface AnyCallOptions extends CallOptions {
  /** A mutation may be sent again when its outcome is unknown. Default false. */
  readonly idempotent?: boolean | undefined;
}

/** The options of a mutation. Its result is whole: an error in the answer is thrown, with `data` that says what was made. */
export interface MutationOptions extends AnyCallOptions {
  readonly partial?: undefined;
}
