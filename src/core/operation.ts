// The types of the generated operation table, and the options of a call.
import type { OperationName } from '../generated/operation-table.js';
import type { WarningEvent } from './hooks.js';
import type { Priority } from './priority.js';

export interface OperationArgument {
  readonly name: string;
  /** Such as `UUID!`. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface Operation<Name extends OperationName = OperationName> {
  /** Name of the operation and of its only root field. */
  readonly name: Name;
  readonly kind: 'query' | 'mutation';
  readonly description: string;
  /** Deprecation reason; null when not deprecated. */
  readonly deprecated: string | null;
  readonly args: readonly OperationArgument[];
  readonly returns: { readonly type: string; readonly list: boolean; readonly leaf: boolean };
  /** True when it may share a document with others. */
  readonly mergeable: boolean;
  /** Default selection on the root field; empty for a leaf. */
  readonly selection: string;
  readonly fragments: readonly string[];
  readonly document: string;
}

/** The limits for sending a failed request again. */
export interface RetryLimits {
  /**
   * Maximum requests per call, the first included; 429 answers and replaced tokens are not counted.
   * Default: 3 for 500, 5 for lost connections and for a service that never answered. While a
   * service is down for a moment, only `forMs` limits them.
   */
  readonly attempts?: number | undefined;
  /** Milliseconds of retries while the service is down. Default 40000. */
  readonly forMs?: number | undefined;
}

/** The options of a call. */
export interface CallOptions {
  /**
   * Ends the wait for this call; `cause` is the reason of the signal. The promise rejects with
   * AbortError, or with TimeoutError when the signal has a time limit such as
   * `AbortSignal.timeout`. It rejects with AmbiguousMutationError when a mutation was already sent.
   */
  readonly signal?: AbortSignal | undefined;
  /** Total milliseconds for this call, queueing included. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds without a byte after which a request is cancelled, and sent again where that is
   * safe. Only calls with the same limit are merged. Default: the client's `attemptTimeoutMs`.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** Replaces the client's retry limits. Only calls with the same limits are merged. */
  readonly retry?: RetryLimits | undefined;
  /**
   * Headers for the requests of this call, which replace the client's headers of the same names.
   * Logins do not get them. Only calls with the same headers are merged. Headers that the client
   * option `headers` refuses are refused here too.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the available data when some fields of a query failed. Default false. */
  readonly partial?: boolean | undefined;
  /** Gets the warnings of this call instead of the client's `hooks.onWarning`. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
  /**
   * Order of the calls that wait for a turn of the same user: `high`, `normal`, `low`. Default
   * `normal`; `low` for streams and trips.
   */
  readonly priority?: Priority | undefined;
}

/** The options of a call that may be a query or a mutation. */
export interface AnyCallOptions extends CallOptions {
  /** True when a mutation may be sent again although its outcome is unknown. Default false. */
  readonly idempotent?: boolean | undefined;
}

/** The options of a mutation. An error in the answer is always thrown, with its `data`. */
export interface MutationOptions extends AnyCallOptions {
  readonly partial?: undefined;
}
