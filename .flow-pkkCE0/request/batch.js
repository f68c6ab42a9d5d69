import { aliasOf, identityOf, mergedDocument } from "../contract/selection/merge.js";
import { AbortFlag, GroupDeadline } from "../core/deadline.js";
import { isSameJson } from "../core/json.js";
import { isSameContext } from "./async-context.js";
import { CallProgress } from "./retry.js";
const GRACE_MS = 5e3;
const MERGED_BYTES = 64 * 1024 * 1024;
class MergedCalls {
  /** The call that opened the batch; it stands for all of them where one is enough. */
  call;
  /** When that call was made, on the timers' clock. */
  waitingSince;
  /** How long that one waited for the turn; set when it has the turn. */
  waitedMs = 0;
  user;
  deadline;
  progress = new CallProgress();
  /** Ends the request that is under way: at once when its first byte has not left, else after a grace period. */
  giveUp = new AbortFlag();
  /** Ends the grace period, when the request is over. */
  cancelGrace = null;
  trial;
  priority;
  /** A change. */
  isFence;
  place = 0;
  fields;
  /** The fields in the last request. */
  sent;
  /** How many of those that wait for it count against `maxWaiting`. */
  counted = 0;
  #timers;
  #merging;
  #isOfContext;
  #fields;
  #byIdentity = null;
  #isOpen;
  #payload = null;
  constructor(fields, { user, timers, merging, isOfContext, trial = null }) {
    const [{ call, members }] = fields;
    this.call = call;
    this.priority = call.priority ?? "normal";
    this.isFence = call.kind === "mutation";
    this.user = user;
    this.waitingSince = members[0]?.deadline.startedAt ?? timers.now();
    this.trial = trial;
    this.#merging = merging;
    this.#isOfContext = isOfContext ?? null;
    this.#isOpen = merging !== null && call.field !== void 0;
    this.#fields = [...fields];
    this.fields = this.#fields;
    this.sent = this.#fields;
    this.#timers = timers;
    this.deadline = new GroupDeadline(() => this.#deadlines(), timers);
    for (const { members: members2 } of fields) {
      for (const member of members2) {
        member.batch = this;
        if (member.isCounted) this.counted++;
      }
    }
  }
  /** Adds a caller; false when there is no room or it is too late. */
  tryJoin(member) {
    const { field, variables } = member.call;
    if (!this.#isOpen || !this.#merging || !field) return false;
    const { max } = this.#merging;
    if (max === 0 || !this.#isLike(member)) return false;
    this.#byIdentity ??= new Map(this.#fields.map((known) => [identity(known.call), known]));
    const key = identityOf({ field, variables });
    const same = this.#byIdentity.get(key);
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
  #isLike({ call, asyncContext }) {
    const { attemptTimeoutMs, retry, headers } = this.call;
    if (call.attemptTimeoutMs !== attemptTimeoutMs) return false;
    if (!isSameJson(call.retry, retry) || !isSameJson(call.headers, headers)) return false;
    if (this.#isOfContext?.() !== true) return true;
    const [first] = this.#fields.flatMap(({ members }) => members);
    return first !== void 0 && isSameContext(first.asyncContext, asyncContext);
  }
  /** Removes a caller. A field that nobody else asked for is left out of requests that have not been sent yet. */
  leave(member, reason) {
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
  tellWaitingCalls(isUrgent) {
    for (const { members } of this.#fields) for (const { call } of members) call.list?.onWaitingCalls?.(isUrgent);
  }
  get #expectedBytes() {
    return this.#fields.reduce((sum, { call }) => sum + (call.list?.expectedBytes ?? 0), 0);
  }
  *callers() {
    for (const { members } of this.#fields) for (const { call } of members) yield call.caller;
  }
  /** Runs a task in the async context of the first caller that still waits: the batch belongs to that one. */
  inContext(task) {
    for (const { members } of this.#fields) {
      for (const { asyncContext } of members) return asyncContext.runInAsyncScope(task);
    }
    return task();
  }
  /** Notes the request in what is reported of its calls, and returns their ids. */
  noteRequest(requestId, now) {
    const callIds = [];
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
  policy(ofClient) {
    const { retry } = this.call;
    if (retry === void 0) return ofClient;
    const { attempts = ofClient.attempts, forMs = ofClient.forMs } = retry;
    return { ...ofClient, attempts, forMs, enabled: true };
  }
  get isAbandoned() {
    for (const { members } of this.#fields) if (members.length > 0) return false;
    return true;
  }
  /** From now on no call may join. */
  close() {
    this.#isOpen = false;
  }
  /** What to send now, for the callers that still wait: their time begins, if it has not. Closes the batch. */
  payload() {
    this.#isOpen = false;
    for (const { members } of this.#fields) for (const { deadline } of members) deadline.begin();
    if (this.#payload && this.sent.length === this.#fields.length) return this.#payload;
    this.sent = [...this.#fields];
    this.#payload = payloadOf(this.sent);
    return this.#payload;
  }
  *#deadlines() {
    for (const { members } of this.#fields) for (const { deadline } of members) yield deadline;
  }
}
function answerField({ members }, part, { ids, head }, rows, attempts) {
  for (const [index, { resolve, attemptsBefore }] of members.entries()) {
    const { data, errors } = index === 0 ? part : copyOf({ data: part.data, errors: part.errors });
    const answer = { data, errors, attempts: attemptsBefore + attempts, ids, head };
    resolve(rows ? { ...answer, rows } : answer);
  }
}
function copyOf(part) {
  return JSON.parse(JSON.stringify(part));
}
function payloadOf(fields) {
  const calls = callsOf(fields);
  const [only] = fields;
  if (only && fields.length === 1) {
    const { document, variables, name, list } = only.call;
    const lists = list ? { byName: /* @__PURE__ */ new Map([[name, list]]), isOnly: true } : null;
    return { document, variables, operations: [name], ...calls, lists };
  }
  const merged = mergedDocument(
    fields.flatMap(({ call: { field, variables } }) => field ? [{ field, variables }] : [])
  );
  const operations = [...new Set(fields.map(({ call }) => call.name))];
  const byName = new Map(fields.flatMap(({ call: { list } }, at) => list ? [[aliasOf(at), list]] : []));
  return { ...merged, operations, ...calls, lists: byName.size > 0 ? { byName, isOnly: false } : null };
}
function callsOf(fields) {
  let calls = 0;
  let isTraced = false;
  for (const { members } of fields) {
    calls += members.length;
    for (const { trace } of members) isTraced ||= trace !== void 0;
  }
  return { calls, isTraced };
}
function identity({ field, variables, document }) {
  return field ? identityOf({ field, variables }) : document;
}
export {
  MergedCalls,
  answerField
};
