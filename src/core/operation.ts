// What the generated operation table says of one operation, and how a call's result follows from the answer.
import type { OperationName } from '../generated/operation-table.js';

/** One argument of an operation, as the contract has it. */
export interface OperationArgument {
  readonly name: string;
  /** GraphQL type, such as `UUID!`. */
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** One entry of the operation table. */
export interface Operation<Name extends OperationName = OperationName> {
  /** Name of the operation and of its only root field. */
  readonly name: Name;
  readonly kind: 'query' | 'mutation';
  readonly description: string;
  /** Why the operation is deprecated; null when it is not. */
  readonly deprecated: string | null;
  readonly args: readonly OperationArgument[];
  readonly returns: { readonly type: string; readonly list: boolean; readonly leaf: boolean };
  /** Whether the operation may travel in one document with others. */
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

/** A single record or value as the SDK returns it: null when the service gave none. */
export type Single<Value> = Exclude<Value, undefined>;

/** What a caller may say about one call. */
export interface CallOptions {
  /** Ends the wait for this call; the promise rejects with AbortError, or AmbiguousMutationError when a mutation was already sent. */
  readonly signal?: AbortSignal | undefined;
  /** Total time for this call in milliseconds, waiting for the turn included. Default: the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Return what arrived when some fields failed, instead of throwing. Default false. */
  readonly partial?: boolean | undefined;
  /** Says that a mutation may safely be sent again when its outcome is unknown. Default false. */
  readonly idempotent?: boolean | undefined;
}
