// The calls that are sent as one request: a single call, or neighbouring queries as the root fields of one document. Others may join
// until it is sent, and callers may leave at any time.
import type { AsyncResource } from 'node:async_hooks';
import { aliasOf, identityOf, mergedDocument } from '../contract/selection/merge.js';
import { AbortFlag } from '../core/abort-flag.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import type { ListRows, ListsOfRequest } from '../rows/list-rows.js';
import type { Call, CallAnswer, RequestAnswer } from './call.js';
import { type CallDeadline, type EndReason, GroupDeadline } from './deadline.js';
import type { MergeTrial, Merging } from './merging.js';
import type { CallTrace } from './observe.js';
import { Progress, type Repeatable } from './progress.js';
import type { RetryPolicy } from './retry-policy.js';
import type { Caller, Waiting } from './turn-order.js';
import type { UserRequests } from './user-requests.js';

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
  /** Requests at most: the most of its calls; Infinity when one of them has no limit. */
  readonly maxAttempts: number;
  /** Null when it has no long lists. */
  readonly lists: ListsOfRequest | null;
}

/** A caller and its call. */
export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  /** Whatever is done for the call runs in it, whoever wakes the queue: so a tracer or a logger finds the caller. */
  readonly asyncContext: AsyncResource;
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

/** Most bytes that the long lists of one document should have together. */
const MERGED_BYTES = 64 * 1024 * 1024;

/** What a batch needs of its queue. */
export interface BatchOptions {
  readonly user: UserRequests;
  readonly timers: Timers;
  /** How many different root fields it may hold; null when no call may join. */
  readonly merging: Merging | null;
  /** The outcome of a merged document that failed and whose parts are sent again; null when it is no such part. */
  readonly trial?: MergeTrial | null;
}

export class Batch implements Waiting, Repeatable {
  /** The call that opened the batch; it stands for all of them where one is enough. */
  readonly call: Call;
  /** When that call was made, on the timers' clock. */
  readonly waitingSince: number;
  /** How long that one waited for the turn; set when it has the turn. */
  waitedMs = 0;
  readonly user: UserRequests;
  readonly deadline: GroupDeadline;
  readonly progress = new Progress();
  /** Ends the request that is under way: at once when its first byte has not left, else after a grace period. */
  readonly giveUp = new AbortFlag();
  readonly trial: MergeTrial | null;
  place = 0;
  readonly #merging: Merging | null;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #isOpen: boolean;
  #sent: { readonly fields: readonly Field[]; readonly payload: Payload } | null = null;

  constructor(fields: readonly [Field, ...Field[]], { user, timers, merging, trial = null }: BatchOptions) {
    const [{ call, members }] = fields;
    this.call = call;
    this.user = user;
    this.waitingSince = members[0]?.deadline.startedAt ?? timers.now();
    this.trial = trial;
    this.#merging = merging;
    this.#isOpen = merging !== null && call.field !== undefined;
    this.#fields = [...fields];
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
    if (!this.#isOpen || !this.#merging || !field) return false;
    const { max } = this.#merging;
    if (max === 0) return false;
    this.#byIdentity ??= new Map(this.#fields.map((known) => [identity(known.call), known]));
    const key = identityOf({ field, variables });
    const same = this.#byIdentity.get(key);
    // Rows are handed over once, so each caller asks for its own.
    if (same && (same.call.list || member.call.list)) return false;
    if (member.call.list && this.#expectedBytes + member.call.list.expectedBytes > MERGED_BYTES) return false;
    if (same) same.members.push(member);
    else if (this.#fields.length >= max) return false;
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
    return this.call.priority ?? 'normal';
  }

  get isFence(): boolean {
    return this.call.kind === 'mutation';
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
    for (const { members } of this.#fields) {
      for (const { asyncContext } of members) return asyncContext.runInAsyncScope(task);
    }
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

  policy(ofClient: RetryPolicy): RetryPolicy {
    const most = this.#sent?.payload.maxAttempts ?? Number.POSITIVE_INFINITY;
    return most < ofClient.attempts ? { ...ofClient, attempts: most } : ofClient;
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

/**
 * Gives the callers of a field its part of the answer. Each gets a copy of its own, so that none sees what another does to its rows. A long
 * list has one caller.
 */
export function answerField(
  { members }: Field,
  part: RequestAnswer,
  rows: ListRows | undefined,
  attempts: number,
): void {
  for (const [index, { resolve, attemptsBefore }] of members.entries()) {
    const { data, errors } = index === 0 ? part : copyOf({ data: part.data, errors: part.errors });
    const answer = { data, errors, attempts: attemptsBefore + attempts };
    resolve(rows ? { ...answer, rows } : answer);
  }
}

/** It was read from JSON, so it can be copied as JSON. */
function copyOf<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part)) as Part;
}

function payloadOf(fields: readonly Field[]): Payload {
  const calls = fields.reduce((sum, { members }) => sum + members.length, 0);
  const limits = { attemptTimeoutMs: longestAttempt(fields), maxAttempts: mostAttempts(fields) };
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
    for (const { call } of members) most = Math.max(most, call.maxAttempts ?? Number.POSITIVE_INFINITY);
  }
  return most;
}

function identity({ field, variables, document }: Call): string {
  return field ? identityOf({ field, variables }) : document;
}
