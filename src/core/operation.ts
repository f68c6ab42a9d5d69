// An operation as the generated operation table describes it, and the options of a call.
import type { OperationName } from '../generated/operation-table.js';

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

/** Which of a user's waiting calls goes first. */
export type Priority = 'high' | 'normal' | 'low';

/** The options of a call. */
export interface CallOptions {
  /** Ends the wait for this call: the promise rejects with AbortError, or AmbiguousMutationError when a mutation was already sent. */
  readonly signal?: AbortSignal | undefined;
  /** Total time for this call in milliseconds, waiting for the turn included. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * A request of this call that brings no byte for so many milliseconds is given up, and sent again where that is safe. A merged request
   * has the longest limit of its calls. Default: the client's `attemptTimeoutMs`.
   */
  readonly attemptTimeoutMs?: number | undefined;
  /** Return the data that arrived when some fields failed, instead of throwing. Default false. */
  readonly partial?: boolean | undefined;
  /** A mutation may be sent again when its outcome is unknown. Default false. */
  readonly idempotent?: boolean | undefined;
  /**
   * Which of the calls that wait for a turn of the same user goes first: `high` before `normal` before `low`. Default `normal`; `low` for
   * streams and trips.
   */
  readonly priority?: Priority | undefined;
}
