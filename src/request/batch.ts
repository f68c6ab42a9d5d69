// The calls that leave the lane together: one call alone, or neighbouring queries as the root fields of one document. Others may
// join until it is sent, and callers may leave at any time.

import { identityOf, mergedDocument, type RootField } from '../contract/selection/merge.js';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import type { RowSink } from '../rows/row-transport.js';
import { type CallDeadline, type EndReason, GroupDeadline } from './deadline.js';
import type { CallProgress } from './retry.js';

/** One call as it waits in the lane. */
export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
  /** For a query that may travel with others. */
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

/** What goes over the wire. */
export interface Payload {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  /** The operations in it, each once. */
  readonly operations: readonly string[];
  /** How many calls it answers. */
  readonly calls: number;
}

/** One caller. */
export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** Where it waits; null when it no longer does. */
  batch: Batch | null;
  /** Requests sent for it before it came into its batch. */
  attemptsBefore: number;
}

/** A root field and those who asked for it. */
export interface Field {
  readonly call: Call;
  readonly members: WaitingCaller[];
}

export class Batch {
  /** The call that came first: it stands for all of them where one is enough. */
  readonly first: Call;
  /** When that one's caller began to wait, on the timers' clock. */
  readonly waitingSince: number;
  readonly deadline: GroupDeadline;
  readonly progress: CallProgress = { attempts: 0, inDoubt: false, isOnWire: false, lastFailure: null };
  /** Told when it succeeds: for a field sent alone because the document it was merged into failed. */
  readonly onSuccess: (() => void) | null;
  readonly #max: number;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #open: boolean;
  #loaded: { readonly fields: readonly Field[]; readonly load: Payload } | null = null;

  /** `max`: how many different root fields it may hold; 0 when nothing may join. */
  constructor(first: Field, max: number, timers: Timers, onSuccess: (() => void) | null = null) {
    this.first = first.call;
    this.waitingSince = first.members[0]?.deadline.startedAt ?? timers.now();
    this.#max = max;
    this.#open = max > 0 && first.call.field !== undefined;
    this.#fields = [first];
    this.onSuccess = onSuccess;
    this.deadline = new GroupDeadline(() => this.#patiences(), timers);
    for (const member of first.members) member.batch = this;
  }

  get fields(): readonly Field[] {
    return this.#fields;
  }

  /** The fields in what was sent last. */
  get sent(): readonly Field[] {
    return this.#loaded?.fields ?? this.#fields;
  }

  /** Takes another caller in, if there is room and it is not too late. */
  tryJoin(member: WaitingCaller): boolean {
    const { field, variables } = member.call;
    if (!this.#open || !field) return false;
    this.#byIdentity ??= new Map(this.#fields.map((one) => [identity(one.call), one]));
    const key = identityOf({ field, variables });
    const same = this.#byIdentity.get(key);
    if (same) same.members.push(member);
    else if (this.#fields.length >= this.#max) return false;
    else {
      const added = { call: member.call, members: [member] };
      this.#fields.push(added);
      this.#byIdentity.set(key, added);
    }
    member.batch = this;
    return true;
  }

  /** A caller leaves: what was not sent yet is not sent for it. */
  leave(member: WaitingCaller, reason: EndReason): void {
    member.batch = null;
    for (const [at, field] of this.#fields.entries()) {
      const place = field.members.indexOf(member);
      if (place < 0) continue;
      field.members.splice(place, 1);
      if (field.members.length === 0 && this.#fields.length > 1) {
        this.#fields.splice(at, 1);
        this.#byIdentity?.delete(identity(field.call));
      }
      break;
    }
    if (this.isAbandoned) {
      this.#open = false;
      this.deadline.abandon(reason);
    }
  }

  get isAbandoned(): boolean {
    return this.#fields.every(({ members }) => members.length === 0);
  }

  /** From now on no call may join. */
  close(): void {
    this.#open = false;
  }

  /** What to send now, for the callers that still wait. Closes the batch. */
  payload(): Payload {
    this.close();
    const fields = [...this.#fields];
    if (this.#loaded?.fields.length === fields.length) return this.#loaded.load;
    this.#loaded = { fields, load: loadOf(fields) };
    return this.#loaded.load;
  }

  *#patiences(): Iterable<CallDeadline> {
    for (const { members } of this.#fields) for (const { deadline: patience } of members) yield patience;
  }
}

function loadOf(fields: readonly Field[]): Payload {
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
