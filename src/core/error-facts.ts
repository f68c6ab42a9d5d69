// The facts of a failure, without wording. Two modules turn them into messages: error-messages.ts
// here for programs, and cli/errors for people at a terminal.

export type ActionNotTaken = 'sent' | 'read' | 'written' | 'changed' | 'run';

/** The facts of a failure. `reason`: a code of the system, TLS or HTTP parser; null without one. */
export type ErrorFacts =
  | { readonly kind: 'loginRefused'; readonly status: number | null }
  | { readonly kind: 'notLoggedIn' }
  | { readonly kind: 'severalSessions'; readonly count: number }
  /** The token store cannot store new tokens, so no refresh was sent. */
  | { readonly kind: 'notRenewed' }
  /** A new token was refused too. `status` is null when a GraphQL answer refused it. */
  | { readonly kind: 'tokenRefused'; readonly status: 401 | null }
  /** `wasInterrupted`: a process ended between sending a refresh and storing its tokens. */
  | { readonly kind: 'sessionEnded'; readonly wasInterrupted: boolean }
  | { readonly kind: 'userNotChosen'; readonly users: number }
  | { readonly kind: 'fleetNotFound'; readonly matches: number; readonly users: number }
  | { readonly kind: 'unreachable'; readonly reason: string | null }
  | { readonly kind: 'refusedByProxy'; readonly reason: string; readonly status: number }
  | { readonly kind: 'unsendable'; readonly reason: string | null }
  | { readonly kind: 'untrusted'; readonly reason: string | null }
  | { readonly kind: 'notHttp'; readonly reason: string }
  /** Over plain http, a service that expects https closes connections like this. */
  | { readonly kind: 'connectionLost'; readonly reason: string | null; readonly isPlainHttp: boolean }
  | { readonly kind: 'cutAnswer' }
  | { readonly kind: 'exception'; readonly reason: string | null }
  /** No byte of an answer arrived within the time of one attempt. */
  | { readonly kind: 'silence'; readonly reason: string }
  | { readonly kind: 'timeRanOut'; readonly limit: TimeLimit }
  /** `isSentBefore`: it was sent with a token that was refused. */
  | {
      readonly kind: 'notSentInTime';
      readonly waitedFor: string;
      readonly isSentBefore: boolean;
      readonly limit: TimeLimit;
    }
  // Answers of the service. `mayBeDrift`: a service with another contract would answer like this.
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'rateLimited'; readonly turns: Turns | null }
  | { readonly kind: 'graphqlErrors'; readonly count: number; readonly mayBeDrift: boolean }
  | { readonly kind: 'notGraphQL'; readonly status: number }
  | { readonly kind: 'tooLarge'; readonly limitBytes: number }
  | { readonly kind: 'redirected'; readonly origin: string | null }
  | { readonly kind: 'offContract'; readonly what: OffContract }
  | { readonly kind: 'nullList' }
  /** A change that may have been made. `status` is null when no complete answer arrived. */
  | { readonly kind: 'inDoubt'; readonly status: number | null; readonly because: ErrorFacts | null }
  | { readonly kind: 'aborted'; readonly waitedFor: string | null; readonly isSentBefore: boolean }
  /** The client was closed. `waitedFor` is null when the call was sent, or made after the close. */
  | { readonly kind: 'closed'; readonly waitedFor: string | null; readonly isSentBefore: boolean }
  | { readonly kind: 'queueFull'; readonly waiting: number; readonly maxWaiting: number }
  | { readonly kind: 'refusedInput'; readonly problem: string; readonly undone: ActionNotTaken | null }
  /** `values` (such as `ignition`) in `member` of this many snapshots could not be read. */
  | { readonly kind: 'unreadable'; readonly values: string; readonly member: string; readonly snapshots: number }
  // Errors whose message is complete: the facts add nothing.
  | { readonly kind: 'oddAnswer' }
  | { readonly kind: 'other' };

export type FactsOf<Kind extends ErrorFacts['kind']> = Extract<ErrorFacts, { readonly kind: Kind }>;

/** The time limit that ran out: the option, or the caller's own signal. */
export type TimeLimit = 'timeoutMs' | 'signal';

/** The scope in which requests take turns; `custom` for a gate of the user. */
export type Turns = 'process' | 'machine' | 'custom';

/** A part of the contract that the answer breaks. */
export type OffContract = 'noMember' | 'noList' | 'notTrue' | 'noJson' | 'noUsers' | 'noToken';

export type Advice =
  | 'CHECK_CREDENTIALS'
  | 'LOG_IN'
  | 'LOG_IN_AGAIN'
  | 'KEEP_SESSION'
  | 'CHOOSE_USER'
  | 'CHECK_ADDRESS'
  | 'CHECK_CONNECTION'
  | 'CHECK_PORT'
  | 'CHECK_TRUST'
  | 'CHECK_REQUEST'
  | 'CHECK_INPUT'
  | 'CHECK_RIGHTS'
  | 'CHECK_CHANGE'
  | 'PROXY_LOGIN'
  | 'PROXY_RULES'
  | 'PROXY_SETTINGS'
  | 'TRY_HTTPS'
  | 'TRY_AGAIN'
  | 'TRY_LATER'
  | 'SHARE_TURNS'
  | 'ALLOW_TIME'
  | 'ASK_FOR_LESS'
  | 'COMPARE_CONTRACT'
  | 'LOOK_AT_CAUSE';

type DependentAdvice = 'refusedByProxy' | 'connectionLost' | 'status' | 'graphqlErrors' | 'offContract';

/** The advice for the failures whose kind decides it; null when there is nothing to add. */
const ADVICE: Readonly<Record<Exclude<ErrorFacts['kind'], DependentAdvice>, Advice | null>> = {
  loginRefused: 'CHECK_CREDENTIALS',
  notLoggedIn: 'LOG_IN',
  severalSessions: 'LOG_IN',
  sessionEnded: 'LOG_IN',
  tokenRefused: 'LOG_IN_AGAIN',
  notRenewed: 'KEEP_SESSION',
  userNotChosen: 'CHOOSE_USER',
  fleetNotFound: 'CHOOSE_USER',
  unreachable: 'CHECK_CONNECTION',
  unsendable: 'CHECK_REQUEST',
  untrusted: 'CHECK_TRUST',
  notHttp: 'CHECK_PORT',
  cutAnswer: 'TRY_AGAIN',
  exception: 'LOOK_AT_CAUSE',
  silence: 'ALLOW_TIME',
  timeRanOut: 'ALLOW_TIME',
  notSentInTime: 'ALLOW_TIME',
  rateLimited: 'SHARE_TURNS',
  nullList: 'TRY_LATER',
  unreadable: 'COMPARE_CONTRACT',
  oddAnswer: 'CHECK_ADDRESS',
  notGraphQL: 'CHECK_ADDRESS',
  redirected: 'CHECK_ADDRESS',
  tooLarge: 'ASK_FOR_LESS',
  inDoubt: 'CHECK_CHANGE',
  queueFull: 'TRY_LATER',
  aborted: null,
  closed: null,
  refusedInput: null,
  other: null,
};

/** Returns the advice for a failure; null when there is nothing to add. */
export function adviceOf(facts: ErrorFacts): Advice | null {
  switch (facts.kind) {
    case 'refusedByProxy':
      return adviceOnProxy(facts.status);
    case 'connectionLost':
      return facts.isPlainHttp ? 'TRY_HTTPS' : 'TRY_AGAIN';
    case 'status':
      return adviceOnStatus(facts.status);
    case 'graphqlErrors':
      return facts.mayBeDrift ? 'COMPARE_CONTRACT' : null;
    case 'offContract':
      return facts.what === 'noMember' || facts.what === 'noList' || facts.what === 'notTrue'
        ? 'COMPARE_CONTRACT'
        : 'CHECK_ADDRESS';
    default:
      return ADVICE[facts.kind];
  }
}

function adviceOnStatus(status: number): Advice {
  if (status === 403) return 'CHECK_RIGHTS';
  if (status === 407) return adviceOnProxy(status);
  if (status === 404 || status < 400) return 'CHECK_ADDRESS';
  return status >= 500 ? 'TRY_LATER' : 'CHECK_INPUT';
}

function adviceOnProxy(status: number): Advice {
  if (status === 407) return 'PROXY_LOGIN';
  return status === 403 ? 'PROXY_RULES' : 'PROXY_SETTINGS';
}
