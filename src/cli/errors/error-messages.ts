// Says the SDK's errors to the reader of a terminal. The SDK speaks to a programmer, of options and properties that a command
// does not have; here the same is said with flags and commands.
import type { FleetErrorCode } from '../../core/errors.js';
import { type NetworkErrorKind, networkErrorKind, unreachableReason } from '../../core/network-errors.js';
import type { Choice } from './cli-error.js';

/** What is known of an error of the SDK. */
export interface Facts {
  readonly code: FleetErrorCode;
  /** As the SDK says it. */
  readonly message: string;
  readonly operation: string | null;
  /** What kept the call from being sent; null when nothing did, or it is not known. */
  readonly waitedFor: string | null;
  /** How many requests were sent. */
  readonly attempts: number;
  /** Of the HTTP answer; null when there was none. */
  readonly status: number | null;
  readonly choices: readonly Choice[] | undefined;
  /** What the system or TLS calls a failure of the connection, such as ECONNREFUSED; null when it is not known. */
  readonly reason: string | null;
  /** What --timeout says, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

export function messageFor(facts: Facts): string {
  const { code, operation, choices, status } = facts;
  const what = nameOf(operation);
  switch (code) {
    case 'AUTHENTICATION':
      return authenticationMessage(operation);
    case 'SESSION_EXPIRED':
      return 'The session has ended: it lives for 12 hours after login.';
    case 'USER_SELECTION':
      return choices?.length
        ? `The login may act for ${choices.length} users, and none is chosen.`
        : 'The login may act for no user. Ask whoever manages the account.';
    case 'GRAPHQL':
      return operation === null || operation === 'request'
        ? 'The service answered with an error.'
        : `The service answered ${what} with an error.`;
    case 'HTTP':
      return `The service answered ${what} with HTTP ${status ?? 'failure'}.${status === 403 ? ' The login may not act for this user, or may not do this.' : ''}`;
    case 'RATE_LIMIT':
      return `The service still refuses ${what} (HTTP 429): another request of the same user is active.`;
    case 'TIMEOUT':
      return timeoutMessage(facts);
    case 'NETWORK':
      return networkMessage(facts);
    case 'PROTOCOL':
      return protocolMessage(facts);
    case 'AMBIGUOUS_MUTATION':
      return `${capitalised(what)} was sent, but no answer arrived: the change may or may not have been made.`;
    default:
      return facts.message;
  }
}

function authenticationMessage(operation: string | null): string {
  if (operation === 'login') return 'The service refused the login: user name or password is wrong.';
  if (operation === null) return 'You are not logged in.';
  return `The service does not accept the session for ${nameOf(operation)}, and a renewed one neither.`;
}

function timeoutMessage({ waitedFor, operation, attempts, timeoutMs }: Facts): string {
  const within = timeoutMs === undefined ? 'in time' : `within ${durationText(timeoutMs)}`;
  if (waitedFor !== null) return `${capitalised(nameOf(operation))} could not be sent ${within}: ${waitedFor}.`;
  return attempts === 0
    ? `${capitalised(nameOf(operation))} could not be sent ${within}.`
    : `The service did not answer ${nameOf(operation)} ${within}.`;
}

/** ETIMEDOUT counts as of connecting: a connection that breaks later has other codes. */
function kindOf(reason: string | null): NetworkErrorKind {
  return reason === null ? 'unknown' : networkErrorKind(reason, true);
}

function networkMessage({ operation, reason, attempts }: Facts): string {
  const what = nameOf(operation);
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  switch (kindOf(reason)) {
    case 'unreachable':
      return `The service cannot be reached for ${what}: ${unreachableReason(reason ?? '')} (${reason})${tries}.`;
    case 'untrusted':
      return `The service is not trusted with ${what}: its certificate or its TLS is not valid (${reason}).`;
    case 'unsendable':
      return `The request for ${what} could not be built (${reason}); nothing was sent.`;
    default:
      return `The connection ended before the answer to ${what} arrived${reason === null ? '' : ` (${reason})`}${tries}.`;
  }
}

function protocolMessage({ operation }: Facts): string {
  return `The answer to ${nameOf(operation)} is not what the service's contract promises: something else may answer at its address, or a proxy in its place.`;
}

const aboutTheAddress = 'Is the address right? It comes from --base-url, FLEET_BASE_URL or the profile.';

const hints: Readonly<Partial<Record<FleetErrorCode, string>>> = {
  USER_SELECTION: 'Choose one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.',
  SESSION_EXPIRED: 'Run `fleet login` again, or set FLEET_USERNAME and FLEET_PASSWORD.',
  PROTOCOL: `${aboutTheAddress} \`fleet doctor\` looks at what is there.`,
  RATE_LIMIT: 'Another program is using the same user. Try again when it is done, or allow more time: --timeout 2m.',
  TIMEOUT: 'Allow more time, for example --timeout 2m.',
  AMBIGUOUS_MUTATION:
    'Look at how things are now, for example with `fleet vehicles get` or a query in `fleet api`, and run the command again only if the change is missing.',
};

/** What to do next. */
export function hintFor({ code, operation, status, reason }: Facts): string | null {
  if (code === 'NETWORK') return networkHint(reason);
  if (code === 'AUTHENTICATION') return authenticationHint(operation);
  if (code === 'HTTP') return httpHint(status);
  return hints[code] ?? null;
}

function networkHint(reason: string | null): string {
  switch (kindOf(reason)) {
    case 'unsendable':
      return 'Check the address, any proxy (HTTP_PROXY, HTTPS_PROXY), and --user.';
    case 'untrusted':
      return 'If an authority of your own signs its certificate, name that file in NODE_EXTRA_CA_CERTS. `fleet doctor` says more.';
    case 'unreachable':
      return `${aboutTheAddress} \`fleet doctor\` checks the way there.`;
    default:
      return 'Try again; if it happens again, `fleet doctor` checks the network and any proxy.';
  }
}

function authenticationHint(operation: string | null): string {
  // The same for `fleet login` and for a login in the environment.
  if (operation === 'login') {
    return 'Check user name and password (FLEET_USERNAME and FLEET_PASSWORD, where they are set), and the address.';
  }
  if (operation === null) return 'Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD.';
  return 'Run `fleet login` again; if it stays so, ask whoever manages the account.';
}

function httpHint(status: number | null): string {
  if (status === 403) {
    return '`fleet users list` shows whom the login may act for: choose one of them with --user, or ask whoever manages the account for the right.';
  }
  if (status !== null && status >= 500) return 'The service is in trouble: try again later.';
  if (status === null || status < 400 || status === 404) return aboutTheAddress;
  return 'The service does not take this request: look at the input of the command, and at the address.';
}

/** Operations by their own name; the steps of a login, and a document without a name, in words. */
const steps: ReadonlyMap<string | null, string> = new Map([
  [null, 'the request'],
  ['request', 'the request'],
  ['login', 'the login'],
  ['refresh', 'the renewal of the session'],
  ['userinfo', 'the question for the users of the login'],
  ['IntrospectionQuery', 'the question for its schema'],
]);

function nameOf(operation: string | null): string {
  return steps.get(operation) ?? operation ?? 'the request';
}

/** Operations begin with a small letter and keep it: only words are capitalised. */
function capitalised(what: string): string {
  return what.startsWith('the ') ? `T${what.slice(1)}` : what;
}

function durationText(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
