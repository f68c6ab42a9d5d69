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

/** A list as the SDK returns it: never null, and without null rows. */
export type Rows<List> = NonNullable<NonNullable<List> extends ReadonlyArray<infer Row> ? Row : never>[];

/** A single record or value as the SDK returns it: null when the service returned none. */
export type Single<Value> = Exclude<Value, undefined>;

/** The options of a call. */
export interface CallOptions {
  /** Ends the wait for this call: the promise rejects with AbortError, or AmbiguousMutationError when a mutation was already sent. */
  readonly signal?: AbortSignal | undefined;
  /** Total time for this call in milliseconds, waiting for the turn included. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Return the data that arrived when some fields failed, instead of throwing. Default false. */
  readonly partial?: boolean | undefined;
  /** A mutation may be sent again when its outcome is unknown. Default false. */
  readonly idempotent?: boolean | undefined;
}
