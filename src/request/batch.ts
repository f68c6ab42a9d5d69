// The calls that are sent as one request: a single call, or neighbouring queries as root fields of
// one document. Other calls may join until it is sent, and callers may leave at any time.
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { type ActingUser, turnKey } from '../auth/acting-user.js';
import { aliasOf, identityOf, mergedDocument } from '../contract/selection/merge.js';
import type { CallTrace } from '../core/channels.js';
import { AbortFlag, type CallDeadline, type EndReason, GroupDeadline } from '../core/deadline.js';
import { isSameJson } from '../core/json.js';
import type { Timers } from '../core/ports.js';
import type { Priority } from '../core/priority.js';
import type { ListRows, ListsOfRequest } from '../rows/list-rows.js';
import type { Call, CallAnswer, RequestAnswer } from './call.js';
import type { MergeTrial, Merging } from './merging.js';
import type { HeaderMap } from './request-headers.js';
import { CallProgress, type Repeatable } from './retry.js';
import type { RetryPolicy } from './retry-policy.js';
import type { Caller, Waiting } from './turn-order.js';

export interface Payload {
  readonly document: string;
  readonly variables: { readonly [name: string]: unknown };
  readonly operations: readonly string[];
  readonly calls: number;
  readonly isTraced: boolean;
  readonly lists: ListsOfRequest | null;
}

export interface WaitingCaller {
  readonly call: Call;
  readonly deadline: CallDeadline;
  /** The async context for all work on the call, so that tracers find the caller. */
  readonly asyncContext: AsyncResource;
  readonly trace: CallTrace | undefined;
  /** True when it counts against `maxWaiting`. */
  readonly isCounted: boolean;
  readonly resolve: (answer: CallAnswer) => void;
  readonly reject: (error: unknown) => void;
  /** The batch that it waits in; null when it no longer waits. */
  batch: MergedCalls | null;
  /** Requests sent before it joined this batch. */
  attemptsBefore: number;
}

export interface Field {
  readonly call: Call;
  readonly members: WaitingCaller[];
}

/** Time for an active request to end after its last caller left; then its socket is destroyed. */
const GRACE_MS = 5_000;

/** Limit for the expected bytes of all long lists in one document. */
const MERGED_BYTES = 64 * 1024 * 1024;

export interface BatchOptions {
  readonly user: UserRequests;
  readonly timers: Timers;
  /** The limit of root fields; null when no call may join. */
  readonly merging: Merging | null;
  /** True when the request depends on the async context of its callers. Default: false. */
  readonly dependsOnContext?: () => boolean;
  /** The trial of a merged document that failed and is sent again in parts; null otherwise. */
  readonly trial?: MergeTrial | null;
}

export class MergedCalls implements Waiting, Repeatable {
  /** The call that opened the batch, used where one call is enough. */
  readonly call: Call;
  readonly waitingSince: number;
  /** Time that `call` waited for the turn; set with the turn. */
  waitedMs = 0;
  readonly user: UserRequests;
  readonly deadline: GroupDeadline;
  readonly progress = new CallProgress();
  /** Ends the active request: at once before its first byte is sent, else after a grace period. */
  readonly giveUp = new AbortFlag();
  /** Cancels the timer of the grace period. */
  cancelGrace: (() => void) | null = null;
  readonly trial: MergeTrial | null;
  readonly priority: Priority;
  readonly isFence: boolean;
  place = 0;
  readonly fields: readonly Field[];
  /** The fields in the last request. */
  sentFields: readonly Field[];
  /** Number of waiting callers that count against `maxWaiting`. */
  countedCallers = 0;
  readonly #timers: Timers;
  readonly #merging: Merging | null;
  readonly #dependsOnContext: (() => boolean) | null;
  readonly #fields: Field[];
  #byIdentity: Map<string, Field> | null = null;
  #isOpen: boolean;
  #payload: Payload | null = null;

  constructor(
    fields: readonly [Field, ...Field[]],
    { user, timers, merging, dependsOnContext, trial = null }: BatchOptions,
  ) {
    const [{ call, members }] = fields;
    this.call = call;
    this.priority = call.priority ?? 'normal';
    this.isFence = call.kind === 'mutation';
    this.user = user;
    this.waitingSince = members[0]?.deadline.startedAt ?? timers.now();
    this.trial = trial;
    this.#merging = merging;
    this.#dependsOnContext = dependsOnContext ?? null;
    this.#isOpen = merging !== null && call.field !== undefined;
    this.#fields = [...fields];
    this.fields = this.#fields;
    this.sentFields = this.#fields;
    this.#timers = timers;
    this.deadline = new GroupDeadline(() => this.#deadlines(), timers);
    for (const { members } of fields) {
      for (const member of members) {
        member.batch = this;
        if (member.isCounted) this.countedCallers++;
      }
    }
  }

  tryJoin(member: WaitingCaller): boolean {
    const { field, variables } = member.call;
    if (!this.#isOpen || !this.#merging || !field) return false;
    const { max } = this.#merging;
    if (max === 0 || !this.#isCompatible(member)) return false;
    this.#byIdentity ??= new Map(this.#fields.map((existing) => [identity(existing.call), existing]));
    const key = identityOf({ field, variables });
    const same = this.#byIdentity.get(key);
    // The rows of a list can be read once, so each caller requests its own.
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
    if (member.isCounted) this.countedCallers++;
    return true;
  }

  /** True when the call has equal limits and headers, so no call changes the outcome of another. */
  #isCompatible({ call, asyncContext }: WaitingCaller): boolean {
    const { attemptTimeoutMs, retry, headers } = this.call;
    if (call.attemptTimeoutMs !== attemptTimeoutMs) return false;
    if (!isSameJson(call.retry, retry) || !isSameJson(call.headers, headers)) return false;
    if (this.#dependsOnContext?.() !== true) return true;
    const [first] = this.#fields.flatMap(({ members }) => members);
    return first !== undefined && isSameContext(first.asyncContext, asyncContext);
  }

  leave(member: WaitingCaller, reason: EndReason): void {
    member.batch = null;
    for (const [index, field] of this.#fields.entries()) {
      const place = field.members.indexOf(member);
      if (place < 0) continue;
      field.members.splice(place, 1);
      if (member.isCounted) this.countedCallers--;
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

  /** Notifies list readers that other calls wait. `isUrgent`: one of them has a higher priority. */
  notifyWaitingCalls(isUrgent: boolean): void {
    for (const { members } of this.#fields) for (const { call } of members) call.list?.onWaitingCalls?.(isUrgent);
  }

  get #expectedBytes(): number {
    return this.#fields.reduce((sum, { call }) => sum + (call.list?.expectedBytes ?? 0), 0);
  }

  *callers(): Iterable<Caller> {
    for (const { members } of this.#fields) for (const { call } of members) yield call.caller;
  }

  inContext<Result>(task: () => Result): Result {
    for (const { members } of this.#fields) {
      for (const { asyncContext } of members) return asyncContext.runInAsyncScope(task);
    }
    return task();
  }

  /** Records the request in the traces of its calls, and returns their ids. */
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

  close(): void {
    this.#isOpen = false;
  }

  /** Closes the batch, starts the time of its callers, and returns their request. */
  payload(): Payload {
    this.#isOpen = false;
    for (const { members } of this.#fields) for (const { deadline } of members) deadline.begin();
    // A closed batch only loses fields, so an equal length means an unchanged request.
    if (this.#payload && this.sentFields.length === this.#fields.length) return this.#payload;
    this.sentFields = [...this.#fields];
    this.#payload = payloadOf(this.sentFields);
    return this.#payload;
  }

  *#deadlines(): Iterable<CallDeadline> {
    for (const { members } of this.#fields) for (const { deadline } of members) yield deadline;
  }
}

/** Gives each caller of a field its own copy of the answer; a long list has one caller. */
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

// Node has no public API to compare async contexts, but each AsyncResource holds its context. Node
// 20 and 22 have one member for each AsyncLocalStorage, Node 24 has one for all.

const IDS: readonly (string | undefined)[] = ['async_id_symbol', 'trigger_async_id_symbol'];

let isVisible: boolean | null = null;

/** True when both have equal values in every AsyncLocalStorage; false when it cannot be seen. */
function isSameContext(one: AsyncResource, other: AsyncResource): boolean {
  isVisible ??= showsContexts();
  return isVisible && haveSameStores(one, other);
}

function haveSameStores(one: AsyncResource, other: AsyncResource): boolean {
  const members = new Set([...Object.getOwnPropertySymbols(one), ...Object.getOwnPropertySymbols(other)]);
  return [...members].every(
    (member) => IDS.includes(member.description) || Object.is(Reflect.get(one, member), Reflect.get(other, member)),
  );
}

function showsContexts(): boolean {
  const storage = new AsyncLocalStorage<number>();
  const resource = () => new AsyncResource('FleetCall');
  const shows = !haveSameStores(storage.run(1, resource), storage.run(2, resource));
  storage.disable();
  return shows;
}

/** State shared by all requests of a user. */
export class UserRequests {
  /** The user in events: an id of the contract, never another text given by mistake. */
  readonly displayId: string | null;
  readonly gateKey: string;
  readonly header: ActingUser['header'];
  /** The last request's headers, cached by token. `ofContract` excludes those of the program. */
  headers: { readonly token: string; readonly ofContract: HeaderMap; readonly all: HeaderMap } | null = null;
  /** End of the pause after a 429, on the timers' clock. It applies to all calls of the user. */
  pausedUntil = 0;
  readonly counts = { requests: 0, mergedCalls: 0, refusals: 0, bytes: 0 };

  constructor(baseUrl: string, user: ActingUser) {
    this.displayId = /^(fleet:)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(user.key) ? user.key : null;
    this.gateKey = turnKey(baseUrl, user);
    this.header = user.header;
  }
}
