// The calls that are sent as one request: a single call, or neighbouring queries as the root fields of one document. Others may join
// until it is sent, and callers may leave at any time.
import type { AsyncResource } from 'node:async_hooks';
import { aliasOf, identityOf, mergedDocument } from '../contract/selection/merge.js';
import type { CallTrace } from '../core/channels.js';
import { AbortFlag, type CallDeadline, type EndReason, GroupDeadline } from '../core/deadline.js';
import { isSameJson } from '../core/json.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import type { ListRows, ListsOfRequest } from '../rows/list-rows.js';
import { isSameContext } from './async-context.js';
import type { Call, CallAnswer, RequestAnswer } from './call.js';
import type { MergeTrial, Merging } from './merging.js';
import { CallProgress, type Repeatable } from './retry.js';
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
  /** Somebody wants to know of one of its calls. */
  readonly isTraced: boolean;
  /** Null when it has no long lists. */
  readonly lists: ListsOfRequest | null;
}

/** A caller and its call. */
export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  /** The client does everything for the call in this context, whatever wakes the queue, so that tracers and loggers find the caller. */
  readonly asyncContext: AsyncResource;
  /** What is reported of the call, when somebody wants to know. */
  readonly trace: CallTrace | undefined;
  /** Whether it counts against `maxWaiting`. */
  readonly isCounted: boolean;
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** The batch that it waits in; null when it waits no longer. */
  batch: MergedCalls | null;
  /** Requests that were sent for it before it came into this batch. */
  attemptsBefore: number;
}

/** A root field and the callers that asked for it. */
export interface Field {
  readonly call: Call;
  readonly members: WaitingCaller[];
}

/** A request that is under way when its last caller leaves may take this long to end by itself; then its socket is destroyed. */
const GRACE_MS = 5_000;

/** Most bytes that the long lists of one document should have together. */
const MERGED_BYTES = 64 * 1024 * 1024;

/** What a batch needs of its queue. */
export interface BatchOptions {
  readonly user: UserRequests;
  readonly timers: Timers;
  /** How many different root fields it may hold; null when no call may join. */
  readonly merging: Merging | null;
  /** The request depends on the async context of its callers. Default: false. */
  readonly isOfContext?: () => boolean;
  /** The outcome of a merged document that failed and whose parts are sent again; null when it is no such part. */
  readonly trial?: MergeTrial | null;
}

export class MergedCalls implements Waiting, Repeatable {
  /** The call that opened the batch; it stands for all of them where one is enough. */
  readonly call: Call;
  /** When that call was made, on the timers' clock. */
  readonly waitingSince: number;
  /** How long that one waited for the turn; set when it has the turn. */
  waitedMs = 0;
  readonly user: UserRequests;
  readonly deadline: GroupDeadline;
  readonly progress = new CallProgress();
  /** Ends the request that is under way: at once when its first byte has not left, else after a grace period. */
  readonly giveUp = new AbortFlag();
  /** Ends the grace period, when the request is over. */
  cancelGrace: (() => void) | null = null;
  readonly trial: MergeTrial | null;
  readonly priority: Priority;
  /** A change. */
  readonly isFence: boolean;
  place = 0;
  readonly fields: readonly Field[];
  /** The fields in the last request. */
  sent: readonly Field[];
  /** How many of those that wait for it count against `maxWaiting`. */
  counted = 0;
  readonly #timers: Timers;
  readonly #merging: Merging | null;
  readonly #isOfContext: (() => boolean) | null;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #isOpen: boolean;
  #payload: Payload | null = null;

  constructor(
    fields: readonly [Field, ...Field[]],
    { user, timers, merging, isOfContext, trial = null }: BatchOptions,
  ) {
    const [{ call, members }] = fields;
    this.call = call;
    this.priority = call.priority ?? 'normal';
    this.isFence = call.kind === 'mutation';
    this.user = user;
    this.waitingSince = members[0]?.deadline.startedAt ?? timers.now();
    this.trial = trial;
    this.#merging = merging;
    this.#isOfContext = isOfContext ?? null;
    this.#isOpen = merging !== null && call.field !== undefined;
    this.#fields = [...fields];
    this.fields = this.#fields;
    this.sent = this.#fields;
    this.#timers = timers;
    this.deadline = new GroupDeadline(() => this.#deadlines(), timers);
    for (const { members } of fields) {
      for (const member of members) {
        member.batch = this;
        if (member.isCounted) this.counted++;
      }
    }
  }

  /** Adds a caller; false when there is no room or it is too late. */
  tryJoin(member: WaitingCaller): boolean {
    const { field, variables } = member.call;
    if (!this.#isOpen || !this.#merging || !field) return false;
    const { max } = this.#merging;
    if (max === 0 || !this.#isLike(member)) return false;
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
    if (member.isCounted) this.counted++;
    return true;
  }

  /** Returns true where the call alone would have the same limits and headers: no call changes the outcome of another. */
  #isLike({ call, asyncContext }: WaitingCaller): boolean {
    const { attemptTimeoutMs, retry, headers } = this.call;
    if (call.attemptTimeoutMs !== attemptTimeoutMs) return false;
    if (!isSameJson(call.retry, retry) || !isSameJson(call.headers, headers)) return false;
    if (this.#isOfContext?.() !== true) return true;
    const [first] = this.#fields.flatMap(({ members }) => members);
    return first !== undefined && isSameContext(first.asyncContext, asyncContext);
  }

  /** Removes a caller. A field that nobody else asked for is left out of requests that have not been sent yet. */
  leave(member: WaitingCaller, reason: EndReason): void {
    member.batch = null;
    for (const [index, field] of this.#fields.entries()) {
      const place = field.members.indexOf(member);
      if (place < 0) continue;
      field.members.splice(place, 1);
      if (member.isCounted) this.counted--;
      if (field.members.length === 0 && this.#fields.length > 1) {
        this.#fields.splice(index, 1);
        this.#byIdentity?.delete(identity(field.call));
      }
      break;
    }
    if (!this.isAbandoned) return;
    this.close();
    this.deadline.abandon(reason);
    const giveUp = () => this.giveUp.abort(this.deadline.reason);
    if (this.progress.isOnWire) this.cancelGrace = this.#timers.after(GRACE_MS, giveUp, { inRealTime: true });
    else giveUp();
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
    const { retry } = this.call;
    if (retry === undefined) return ofClient;
    const { attempts = ofClient.attempts, forMs = ofClient.forMs } = retry;
    return { ...ofClient, attempts, forMs, enabled: true };
  }

  get isAbandoned(): boolean {
    for (const { members } of this.#fields) if (members.length > 0) return false;
    return true;
  }

  /** From now on no call may join. */
  close(): void {
    this.#isOpen = false;
  }

  /**
   * Returns the request for the callers that still wait. Their time begins, if it has not. Closes
   * the batch.
   */
  payload(): Payload {
    this.#isOpen = false;
    for (const { members } of this.#fields) for (const { deadline } of members) deadline.begin();
    // Fields are only ever removed now, when their callers leave.
    if (this.#payload && this.sent.length === this.#fields.length) return this.#payload;
    this.sent = [...this.#fields];
    this.#payload = payloadOf(this.sent);
    return this.#payload;
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
  part: Pick<RequestAnswer, 'data' | 'errors'>,
  { ids, head }: RequestAnswer,
  rows: ListRows | undefined,
  attempts: number,
): void {
  for (const [index, { resolve, attemptsBefore }] of members.entries()) {
    const { data, errors } = index === 0 ? part : copyOf({ data: part.data, errors: part.errors });
    const answer = { data, errors, attempts: attemptsBefore + attempts, ids, head };
    resolve(rows ? { ...answer, rows } : answer);
  }
}

/** It was read from JSON, so it can be copied as JSON. */
function copyOf<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part)) as Part;
}

function payloadOf(fields: readonly Field[]): Payload {
  const calls = callsOf(fields);
  const [only] = fields;
  if (only && fields.length === 1) {
    const { document, variables, name, list } = only.call;
    const lists = list ? { byName: new Map([[name, list]]), isOnly: true } : null;
    return { document, variables, operations: [name], ...calls, lists };
  }
  const merged = mergedDocument(
    fields.flatMap(({ call: { field, variables } }) => (field ? [{ field, variables }] : [])),
  );
  const operations = [...new Set(fields.map(({ call }) => call.name))];
  const byName = new Map(fields.flatMap(({ call: { list } }, at) => (list ? [[aliasOf(at), list] as const] : [])));
  return { ...merged, operations, ...calls, lists: byName.size > 0 ? { byName, isOnly: false } : null };
}

function callsOf(fields: readonly Field[]): Pick<Payload, 'calls' | 'isTraced'> {
  let calls = 0;
  let isTraced = false;
  for (const { members } of fields) {
    calls += members.length;
    for (const { trace } of members) isTraced ||= trace !== undefined;
  }
  return { calls, isTraced };
}

function identity({ field, variables, document }: Call): string {
  return field ? identityOf({ field, variables }) : document;
}
