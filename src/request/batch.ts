// The calls that are sent as one request: a single call, or neighbouring queries as the root fields of one document. Others may join
// until it is sent, and callers may leave at any time.
import { identityOf, mergedDocument, type RootField } from '../contract/selection/merge.js';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import type { RowSink } from '../rows/row-transport.js';
import { type CallDeadline, type EndReason, GroupDeadline } from './deadline.js';
import { type CallProgress, newProgress } from './retry.js';

/** A call as the user's queue takes it. */
export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
  /** For a query that may be merged with others. */
  readonly field?: RootField | undefined;
  /** For a query whose answer is a long list: its rows go here, and the list in its answer is empty. */
  readonly rows?: RowSink | undefined;
}

/** What the service answered to a call. */
export interface CallAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
  readonly attempts: number;
}

/** What a request holds. */
export interface Payload {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  /** The operations in it, each once. */
  readonly operations: readonly string[];
  /** How many calls it answers. */
  readonly calls: number;
}

/** A caller and its call. */
export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** The batch that it waits in; null when it waits no longer. */
  batch: Batch | null;
  /** Requests that were sent for it before it came into this batch. */
  attemptsBefore: number;
}

/** A root field and the callers that asked for it. */
export interface Field {
  readonly call: Call;
  readonly members: WaitingCaller[];
}

export class Batch {
  /** The call that opened the batch; it stands for all of them where one is enough. */
  readonly first: Call;
  /** When that call was made, on the timers' clock. */
  readonly waitingSince: number;
  readonly deadline: GroupDeadline;
  readonly progress: CallProgress = newProgress();
  /** Called when it succeeds: for a field that is sent alone because the merged document failed. */
  readonly onSuccess: (() => void) | null;
  readonly #maxFields: number;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #isOpen: boolean;
  #sent: { readonly fields: readonly Field[]; readonly payload: Payload } | null = null;

  /** `maxFields`: how many different root fields it may hold; 0 when no call may join. */
  constructor(first: Field, maxFields: number, timers: Timers, onSuccess: (() => void) | null = null) {
    this.first = first.call;
    this.waitingSince = first.members[0]?.deadline.startedAt ?? timers.now();
    this.#maxFields = maxFields;
    this.#isOpen = maxFields > 0 && first.call.field !== undefined;
    this.#fields = [first];
    this.onSuccess = onSuccess;
    this.deadline = new GroupDeadline(() => this.#deadlines(), timers);
    for (const member of first.members) member.batch = this;
  }

  get fields(): readonly Field[] {
    return this.#fields;
  }

  /** The fields in the last request. */
  get sent(): readonly Field[] {
    return this.#sent?.fields ?? this.#fields;
  }

  /** Adds a caller; false when there is no room or it is too late. */
  tryJoin(member: WaitingCaller): boolean {
    const { field, variables } = member.call;
    if (!this.#isOpen || !field) return false;
    this.#byIdentity ??= new Map(this.#fields.map((known) => [identity(known.call), known]));
    const key = identityOf({ field, variables });
    const same = this.#byIdentity.get(key);
    if (same) same.members.push(member);
    else if (this.#fields.length >= this.#maxFields) return false;
    else {
      const added = { call: member.call, members: [member] };
      this.#fields.push(added);
      this.#byIdentity.set(key, added);
    }
    member.batch = this;
    return true;
  }

  /** Removes a caller. A field that nobody else asked for is left out of requests that have not been sent yet. */
  leave(member: WaitingCaller, reason: EndReason): void {
    member.batch = null;
    for (const [index, field] of this.#fields.entries()) {
      const place = field.members.indexOf(member);
      if (place < 0) continue;
      field.members.splice(place, 1);
      if (field.members.length === 0 && this.#fields.length > 1) {
        this.#fields.splice(index, 1);
        this.#byIdentity?.delete(identity(field.call));
      }
      break;
    }
    if (this.isAbandoned) {
      this.close();
      this.deadline.abandon(reason);
    }
  }

  get isAbandoned(): boolean {
    return this.#fields.every(({ members }) => members.length === 0);
  }

  /** From now on no call may join. */
  close(): void {
    this.#isOpen = false;
  }

  /** What to send now, for the callers that still wait. Closes the batch. */
  payload(): Payload {
    this.close();
    const fields = [...this.#fields];
    if (this.#sent?.fields.length === fields.length) return this.#sent.payload;
    this.#sent = { fields, payload: payloadOf(fields) };
    return this.#sent.payload;
  }

  *#deadlines(): Iterable<CallDeadline> {
    for (const { members } of this.#fields) for (const { deadline } of members) yield deadline;
  }
}

function payloadOf(fields: readonly Field[]): Payload {
  const calls = fields.reduce((sum, { members }) => sum + members.length, 0);
  const [only, ...others] = fields;
  if (only && others.length === 0) {
    const { document, variables, name } = only.call;
    return { document, variables, operations: [name], calls };
  }
  const merged = mergedDocument(
    fields.flatMap(({ call: { field, variables } }) => (field ? [{ field, variables }] : [])),
  );
  return { ...merged, operations: [...new Set(fields.map(({ call }) => call.name))], calls };
}

function identity({ field, variables, document }: Call): string {
  return field ? identityOf({ field, variables }) : document;
}
