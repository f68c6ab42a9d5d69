// The messages of the SDK's errors, built from their facts: what happened, what it means, what to
// do next. They are written for programmers and name options and properties. They contain no text
// of the service and nothing that was sent.
import {
  type ActionNotTaken,
  adviceOf,
  type ErrorFacts,
  type FactsOf,
  type OffContract,
  type TimeLimit,
  type Turns,
} from './error-facts.js';
import { AmbiguousMutationError, type FailedCall } from './errors.js';
import { isServerError, isTransient } from './http-status.js';
import { trustProblem, unreachableReason } from './network-errors.js';

export interface MessageContext {
  readonly operation?: string | null | undefined;
  readonly attempts?: number | undefined;
  readonly responseId?: string | null | undefined;
}

/** The facts that a message can be built from. */
export type MessageFacts = Exclude<ErrorFacts, FactsOf<'oddAnswer' | 'other'>>;

export function messageOf(facts: MessageFacts, call: MessageContext): string {
  return withResponseId(messageText(facts, call), call.responseId ?? null);
}

/** Returns the error of this class for the facts, with their message. */
export function errorOf<Failure>(
  errorClass: new (message: string, call: FailedCall) => Failure,
  facts: MessageFacts,
  call: FailedCall = {},
): Failure {
  return new errorClass(messageOf(facts, call), { ...call, facts });
}

/** Returns the error of a mutation that may have been made. `because`: why that is unknown. */
export function inDoubtError(
  because: ErrorFacts | null,
  call: FailedCall & { readonly status: number | null },
): AmbiguousMutationError {
  return errorOf(AmbiguousMutationError, { kind: 'inDoubt', status: call.status, because }, call);
}

/** Appends the service's request id, if any. It contains only letters, digits and a few signs. */
export function withResponseId(message: string, responseId: string | null): string {
  return responseId === null ? message : `${message} Request id: ${responseId}.`;
}

function messageText(facts: MessageFacts, { operation = null, attempts = 0 }: MessageContext): string {
  const name = nameOf(operation);
  const after = attempts > 1 ? ` after ${attempts} requests` : '';
  switch (facts.kind) {
    case 'loginRefused':
      return `The service refused the login (HTTP ${facts.status}): username or password is wrong. Check the credentials and that the base URL is right.`;
    case 'notLoggedIn':
      return 'Not logged in: the client has no credentials, and the token store holds no session for this base URL. Give the client credentials, or log in first.';
    case 'severalSessions':
      return `The token store holds ${facts.count} sessions for this base URL. Choose one with sessionKey (the username), or give credentials.`;
    case 'notRenewed':
      return `The session was not refreshed, because the token store cannot be written: the new tokens would have been lost. ${nothingDoneSentence('sent')} Make the place of the session writable, or give the client credentials.`;
    case 'tokenRefused':
      return facts.status === null
        ? `The service refused the token of ${name}, and a new one too. The login may lack the right for this operation, or was withdrawn: log in again, then ask the administrator of the account.`
        : `The service refused the token of ${name} (HTTP ${facts.status}), and a new one too. Log in again; if it happens again, ask the administrator of the account.`;
    case 'sessionEnded':
      return `${facts.wasInterrupted ? interruptedRefresh : oldSession}, and the client has no credentials. Log in again, or give the client credentials.`;
    case 'userNotChosen':
      return facts.users === 0
        ? 'The login may act for no user: the service lists none. Ask the administrator of the account.'
        : `The login may act for ${facts.users} users. Choose one with user: { userId }, { fleetId } or { fleetName }; error.choices lists them.`;
    case 'fleetNotFound':
      return facts.matches === 0
        ? 'No user of the login has a fleet with that name; error.choices lists the users.'
        : `${facts.matches} users of the login have a fleet with that name. Choose one with user: { userId }; error.choices lists them.`;
    case 'unreachable':
      return `The service could not be reached for ${name}${after}${whyUnreachable(facts)}. Check the base URL, the network and any proxy.`;
    case 'refusedByProxy':
      return `The proxy refused the request for ${name} (HTTP ${facts.status})${after}, so it did not reach the service. ${proxyAdvice(facts)}`;
    case 'unsendable':
      return `The request for ${name} could not be built (${reasonOf(facts)}), so nothing was sent. Check the base URL, any proxy and the user's id.`;
    case 'untrusted': {
      const { what, next, isUnknownAuthority } = trustProblem(facts.reason ?? '');
      const option = isUnknownAuthority ? ' Or give the client tls: { ca }.' : '';
      return `No trusted connection could be made for ${name}: ${what} (${reasonOf(facts)}). ${next}${option}`;
    }
    case 'notHttp':
      return `What answered ${name}${after} does not speak HTTP (${facts.reason}). Check the port, and ${httpsHint}.`;
    case 'connectionLost':
      return `The connection was lost before the answer to ${name} arrived${after} (${reasonOf(facts)}). Try again; if it happens again, check the network and any proxy${facts.isPlainHttp ? `, and ${httpsHint}` : ''}.`;
    case 'cutAnswer':
      return `The answer to ${name} ended too early${after}. Try again; if it happens again, check any proxy in between.`;
    case 'exception':
      return `An exception that is no network failure ended the request for ${name}: error.cause says where it was thrown, without its message, which may quote the request. Nothing was repeated. Check the fetch that the client was given; a bundler must leave undici and the modules of node: external.`;
    case 'silence':
      return `No byte of the answer to ${name} arrived for so long that the request was given up${after} (attemptTimeoutMs). Try again later, or allow more time.`;
    case 'timeRanOut':
      return isLoginStep(operation)
        ? `The service did not answer ${name} in time (timeoutMs). Try again later.`
        : `${timeOf(facts.limit, name)} ran out before the answer arrived. Allow more time, or ask for less.`;
    case 'notSentInTime':
      return `${timeOf(facts.limit, name)} ran out before it could be ${sentOrResent(facts)}: ${facts.waitedFor}. Allow more time, or make fewer calls at once.`;
    case 'status':
      return isLoginStep(operation) && !isTransient(facts.status) && !isServerError(facts.status)
        ? `The service answered ${name} with HTTP ${facts.status}. ${wrongServerHint}`
        : `The service answered ${name} with HTTP ${facts.status}${after}. ${statusAdvice(facts)}`;
    case 'rateLimited':
      return `The service still refused ${name} with 429${after}: another request of the same user is active. ${facts.turns === null ? '' : `${adviceOnTurns(facts.turns)} `}Or allow more time.`;
    case 'graphqlErrors': {
      const count = facts.count === 1 ? 'a GraphQL error' : `${facts.count} GraphQL errors`;
      return `The service answered ${name} with ${count}: see error.serviceErrors for its messages and error.data for the data that arrived.${facts.mayBeDrift ? ` ${contractChangeHint}` : ''}`;
    }
    case 'notGraphQL':
      return `The answer to ${name} (HTTP ${facts.status}) is not a GraphQL answer. ${wrongServerHint}`;
    case 'tooLarge':
      return `The answer to ${name} is larger than ${facts.limitBytes} bytes, decompressed, so it was given up; it was not asked for again. Ask for less: a shorter period, fewer fields (select), or read the rows one by one (stream, streamSnapshots). If it must be so large, raise maxResponseBytes.`;
    case 'redirected':
      return `The fetch given to the client followed a redirect of ${name} to ${facts.origin ?? 'another address'}, although it gets redirect: 'manual': the password or the token of the request may have gone along. Its answer was not used. Make the fetch stop at redirects, and give the service's own address as base URL.`;
    case 'offContract':
      return offContract(facts.what, operation ?? 'the request');
    case 'nullList':
      return `The service left the list out of its answer to ${name}, which does not say that the list is empty. Try again later.`;
    case 'unreadable':
      return `${unreadableText(facts)} ${schemaCheckHint}`;
    case 'inDoubt':
      return ambiguousMutationMessage(facts, name, attempts);
    case 'aborted':
      if (facts.waitedFor !== null)
        return `${capitalised(name)} was aborted before it was ${sentOrResent(facts)}: ${facts.waitedFor}.`;
      return `${capitalised(name)} was aborted.`;
    case 'closed':
      if (facts.waitedFor !== null)
        return `The client was closed before ${name} was ${sentOrResent(facts)}: ${facts.waitedFor}.`;
      return attempts === 0
        ? `The client is closed, so ${name} was not sent. Make a new client.`
        : `The client was closed before the answer to ${name} arrived.`;
    case 'queueFull':
      return `${capitalised(name)} was refused at once: ${facts.waiting === 1 ? '1 call of the client waits' : `${facts.waiting} calls of the client wait`} already, and maxWaiting is ${facts.maxWaiting}. ${nothingDoneSentence('sent')} Make the call again later, or make fewer calls at once.`;
    case 'refusedInput':
      return facts.undone === null ? facts.problem : `${facts.problem} ${nothingDoneSentence(facts.undone)}`;
  }
}

function nothingDoneSentence(undone: ActionNotTaken): string {
  return `Nothing was ${undone}.`;
}

type LoginStep = 'login' | 'refresh' | 'userinfo';

export function isLoginStep(operation: string | null): operation is LoginStep {
  return operation === 'login' || operation === 'refresh' || operation === 'userinfo';
}

function nameOf(operation: string | null): string {
  if (operation === null) return 'the request';
  return isLoginStep(operation) ? `the ${operation} request` : operation;
}

/** Names of operations keep their lower-case first letter. */
function capitalised(name: string): string {
  return name.startsWith('the ') ? `T${name.slice(1)}` : name;
}

const interruptedRefresh =
  'The session has ended: an earlier refresh was interrupted before its tokens could be stored, and the service does not accept the old ones any more';
const oldSession =
  'The service no longer accepts the session (sessions end 12 hours after the login, or when the service ends them)';
const httpsHint = 'whether the base URL must begin with https:// instead of http://';
const wrongServerHint = 'Check that the base URL is right and that no proxy answers instead of the service.';
export const schemaCheckHint = '`fleet schema check` shows how the service differs from the contract.';
const contractChangeHint =
  "If the service's contract has changed, `fleet schema check` (checkSchema) shows what no longer fits.";

/** Returns the code of a network failure, or a word in its place. */
function reasonOf(facts: ErrorFacts | null): string {
  const reason = facts !== null && 'reason' in facts ? facts.reason : null;
  if (reason !== null) return reason;
  if (facts?.kind === 'connectionLost') return 'connection lost';
  return facts?.kind === 'exception' ? 'exception' : 'unreachable';
}

function whyUnreachable(facts: FactsOf<'unreachable'>): string {
  const why = facts.reason === null ? null : unreachableReason(facts.reason);
  return why === null ? ` (${reasonOf(facts)})` : `: ${why} (${facts.reason})`;
}

function timeOf(limit: TimeLimit, name: string): string {
  return limit === 'signal'
    ? `The time limit of the signal that was given to ${name} (not timeoutMs)`
    : `The time for ${name} (timeoutMs)`;
}

function sentOrResent({ isSentBefore }: { readonly isSentBefore: boolean }): string {
  return isSentBefore ? 'sent with a new token' : 'sent';
}

function proxyAdvice(facts: FactsOf<'refusedByProxy' | 'status'>): string {
  switch (adviceOf(facts)) {
    case 'PROXY_LOGIN':
      return 'It demands a login: put user name and password into HTTPS_PROXY or HTTP_PROXY, as in http://user:password@host:3128.';
    case 'PROXY_RULES':
      return "It does not allow this address: ask the proxy's administrator, or list the host in NO_PROXY.";
    default:
      return 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.';
  }
}

function statusAdvice(facts: FactsOf<'status'>): string {
  switch (adviceOf(facts)) {
    case 'CHECK_RIGHTS':
      return 'The login may not act for this user, or lacks the right for this operation.';
    case 'CHECK_ADDRESS':
      return 'Check that the base URL is right.';
    case 'TRY_LATER':
      return 'The service is in trouble; try again later.';
    case 'CHECK_INPUT':
      return 'The service does not accept the request; its explanation, if any, is in error.serviceErrors.';
    default:
      return proxyAdvice(facts);
  }
}

/** Returns advice after a 429: others may use the login without taking turns with this client. */
export function adviceOnTurns(turns: Turns): string {
  switch (turns) {
    case 'process':
      return "If other processes use the login, share: 'machine' lets those of this machine take turns too.";
    case 'machine':
      return 'All programs of this machine that share turns do so already: look for one on another machine, or one that sends requests without turns.';
    case 'custom':
      return 'Check that everything that uses the login takes turns by the gate that was given to the client.';
  }
}

function offContract(what: OffContract, operation: string): string {
  switch (what) {
    case 'noMember':
      return `The answer has no member ${operation} in data, which the contract promises. Check that the base URL is right. ${contractChangeHint}`;
    case 'noList':
      return `The answer to ${operation} is not a list, which the contract promises. ${contractChangeHint}`;
    case 'notTrue':
      return `The answer to ${operation} is not true, which the contract promises for a change that was made. Check the current state before you send it again.`;
    case 'noJson':
      return `The answer to ${nameOf(operation)} is not JSON. ${wrongServerHint}`;
    case 'noUsers':
      return 'The answer to /login/userinfo is not a JSON array. Check that the base URL is right.';
    case 'noToken':
      return `The answer to /login/${operation === 'login' ? 'token' : operation} holds no usable access_token.`;
  }
}

/** Describes which values could not be read and why, for both message modules and for warnings. */
export function unreadableText({ values, member, snapshots }: Omit<FactsOf<'unreadable'>, 'kind'>): string {
  const all = snapshots === 1 ? '1 snapshot' : `${snapshots} snapshots`;
  return `Cannot read the ${values} of ${all}: ${member} has a form that this package does not know.`;
}

function ambiguousMutationMessage({ status, because }: FactsOf<'inDoubt'>, name: string, attempts: number): string {
  const end = describeWaitEnd(because);
  if (end !== null) {
    const what =
      status === null
        ? `was sent, but ${end} before the answer arrived`
        : `was answered with HTTP ${status}, and ${end} before it could be sent again`;
    return `${capitalised(name)} ${what}: the change may or may not have been made. Check whether it was before you send it again.`;
  }
  return `${capitalised(name)} ${describeAnswer(status, because, attempts)}, so it is not known whether the change was made. Check before you send it again; { idempotent: true } lets a call that may be repeated be sent again.`;
}

/** Returns why the wait for a mutation's answer ended; null when it did not end early. */
function describeWaitEnd(because: ErrorFacts | null): string | null {
  switch (because?.kind) {
    case 'aborted':
      return 'it was aborted';
    case 'closed':
      return 'the client was closed';
    case 'timeRanOut':
      return because.limit === 'signal' ? `the time limit of its signal ran out` : 'its time (timeoutMs) ran out';
    default:
      return null;
  }
}

function describeAnswer(status: number | null, because: ErrorFacts | null, attempts: number): string {
  switch (because?.kind) {
    case 'notGraphQL':
      return `was answered with HTTP ${because.status}, but not with a GraphQL answer`;
    case 'cutAnswer':
      return 'was answered, but the answer ended too early';
    case 'tooLarge':
      return 'was answered, but the answer was too large and was given up';
    case 'redirected':
      return 'was answered from another address, after a redirect';
  }
  if (status !== null) return `was answered with HTTP ${status}`;
  if (because?.kind === 'tokenRefused') {
    return attempts > 1
      ? 'was sent more than once, and at last its token was refused'
      : 'was answered with an error about its token that does not rule out that it ran';
  }
  return `was sent, but no answer arrived (${reasonOf(because)})`;
}
