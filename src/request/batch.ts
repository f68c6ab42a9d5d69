// The calls that are sent as one request: a single call, or neighbouring queries as the root fields of one document. Others may join
// until it is sent, and callers may leave at any time.
import { aliasOf, identityOf, mergedDocument, type RootField } from '../contract/selection/merge.js';
import type { GraphQLErrorEntry } from '../core/errors.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import type { ListRows, ListsOfRequest, LongList } from '../rows/list-rows.js';
import type { CallerContext } from './caller-context.js';
import { type CallDeadline, type EndReason, GroupDeadline } from './deadline.js';
import type { CallTrace } from './instrumentation.js';
import { type CallProgress, newProgress } from './retry.js';
import type { Caller, Waiting } from './turn-order.js';

/** A call as the user's queue takes it. */
export interface Call {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly idempotent: boolean;
  /** Default: normal. */
  readonly priority?: Priority | undefined;
  /** Who asks: what it asks for after a change waits for the change. */
  readonly caller?: Caller;
  /** A request that brings no byte for so many milliseconds is given up. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Requests at most, answers of 429 not counted. */
  readonly attempts?: number | undefined;
  /** For a query that may be merged with others. */
  readonly field?: RootField | undefined;
  /** For a query whose answer is a long list: its rows are beside the answer, and the list in it is empty. */
  readonly list?: LongList | undefined;
}

/** What the service answered to a call. */
export interface CallAnswer {
  readonly data: unknown;
  readonly errors: readonly GraphQLErrorEntry[];
  readonly attempts: number;
  /** Of a call with a `list`. Left out when the service answered no list. */
  readonly rows?: ListRows;
}

/** What the service answered to a request. */
export interface RequestAnswer extends Pick<CallAnswer, 'data' | 'errors'> {
  /** The rows of its long lists, by their names in `data`. */
  readonly lists?: ReadonlyMap<string, ListRows>;
}

/** What a request holds. */
export interface Payload {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  /** The operations in it, each once. */
  readonly operations: readonly string[];
  /** How many calls it answers. */
  readonly calls: number;
  /** The longest of its calls; undefined when one of them has none. */
  readonly attemptTimeoutMs: number | undefined;
  /** The most of its calls; Infinity when one of them has none. */
  readonly attempts: number;
  /** Null when it has no long lists. */
  readonly lists: ListsOfRequest | null;
}

/** A caller and its call. */
export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  readonly context: CallerContext;
  /** What is reported of the call; null when nobody wants to know. */
  readonly trace: CallTrace | null;
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

/** Learns from the outcome of a batch whether the service accepts merged documents. */
export interface MergeObserver {
  succeeded(fields: number): void;
}

/** Most bytes that the long lists of one document should have together. */
const MERGED_BYTES = 64 * 1024 * 1024;

export class Batch implements Waiting {
  /** The call that opened the batch; it stands for all of them where one is enough. */
  readonly first: Call;
  /** When that call was made, on the timers' clock. */
  readonly waitingSince: number;
  readonly deadline: GroupDeadline;
  readonly progress: CallProgress = newProgress();
  place = 0;
  /** Told how many fields succeeded together. */
  readonly observer: MergeObserver;
  readonly #maxFields: number;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #isOpen: boolean;
  #sent: { readonly fields: readonly Field[]; readonly payload: Payload } | null = null;

  /** `maxFields`: how many different root fields it may hold; 0 when no call may join. */
  constructor(fields: readonly [Field, ...Field[]], maxFields: number, timers: Timers, observer: MergeObserver) {
    const [{ call, members }] = fields;
    this.first = call;
    this.waitingSince = members[0]?.deadline.startedAt ?? timers.now();
    this.#maxFields = maxFields;
    this.#isOpen = maxFields > 0 && call.field !== undefined;
    this.#fields = [...fields];
    this.observer = observer;
    this.deadline = new GroupDeadline(() => this.#deadlines(), timers);
    for (const field of fields) for (const member of field.members) member.batch = this;
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
    // Rows are handed over once, so each caller asks for its own.
    if (same && (same.call.list || member.call.list)) return false;
    if (member.call.list && this.#expectedBytes + member.call.list.expectedBytes > MERGED_BYTES) return false;
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

  get priority(): Priority {
    return this.first.priority ?? 'normal';
  }

  get isFence(): boolean {
    return this.first.kind === 'mutation';
  }

  /** Other calls wait for the turn of this one. `isUrgent`: one of a higher priority does. */
  tellWaitingCalls(isUrgent: boolean): void {
    for (const { members } of this.#fields) for (const { call } of members) call.list?.onWaitingCalls?.(isUrgent);
  }

  get #expectedBytes(): number {
    return this.#fields.reduce((sum, { call }) => sum + (call.list?.expectedBytes ?? 0), 0);
  }

  *callers(): Iterable<Caller> {
    for (const { members } of this.#fields) for (const { call } of members) yield call.caller;
  }

  /** Runs a task in the async context of the first caller that still waits: the batch belongs to that one. */
  inContext<Result>(task: () => Result): Result {
    for (const { members } of this.#fields) for (const { context } of members) return context(task);
    return task();
  }

  /** Notes the request in what is reported of its calls, and returns their ids. */
  noteRequest(requestId: string, now: number): readonly string[] {
    const callIds: string[] = [];
    for (const { members } of this.#fields) {
      for (const { trace, deadline } of members) {
        if (!trace) continue;
        trace.requestIds.push(requestId);
        trace.waitMs ??= now - deadline.startedAt;
        callIds.push(trace.callId);
      }
    }
    return callIds;
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
  const limits = { attemptTimeoutMs: longestAttempt(fields), attempts: mostAttempts(fields) };
  const [only, ...others] = fields;
  if (only && others.length === 0) {
    const { document, variables, name } = only.call;
    return { document, variables, operations: [name], calls, ...limits, lists: listsOf(fields, () => name) };
  }
  const merged = mergedDocument(
    fields.flatMap(({ call: { field, variables } }) => (field ? [{ field, variables }] : [])),
  );
  const operations = [...new Set(fields.map(({ call }) => call.name))];
  return { ...merged, operations, calls, ...limits, lists: listsOf(fields, aliasOf) };
}

function listsOf(fields: readonly Field[], nameOf: (at: number) => string): ListsOfRequest | null {
  if (fields.every(({ call }) => call.list === undefined)) return null;
  const byName = new Map(fields.flatMap(({ call: { list } }, at) => (list ? [[nameOf(at), list] as const] : [])));
  return { byName, isOnly: fields.length === 1 };
}

function longestAttempt(fields: readonly Field[]): number | undefined {
  let longest = 0;
  for (const { members } of fields) {
    for (const { call } of members) longest = Math.max(longest, call.attemptTimeoutMs ?? Number.POSITIVE_INFINITY);
  }
  return longest > 0 && Number.isFinite(longest) ? longest : undefined;
}

function mostAttempts(fields: readonly Field[]): number {
  let most = 0;
  for (const { members } of fields) {
    for (const { call } of members) most = Math.max(most, call.attempts ?? Number.POSITIVE_INFINITY);
  }
  return most;
}

function identity({ field, variables, document }: Call): string {
  return field ? identityOf({ field, variables }) : document;
}
