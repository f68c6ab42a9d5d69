// Words the SDK's errors for the user of a terminal. The SDK speaks to programmers, about options and properties; the command line
// says the same with flags and commands.
import type { FleetErrorCode } from '../../core/errors.js';
import {
  ATTEMPT_TIMEOUT,
  type NetworkErrorKind,
  networkErrorKind,
  proxyStatus,
  unreachableReason,
} from '../../core/network-errors.js';
import { trustProblem } from '../../core/trust-problem.js';
import type { OperationName } from '../../generated/operation-table.js';
import type { Choice } from './cli-error.js';

/** The facts of an SDK error. */
export interface Facts {
  readonly code: FleetErrorCode;
  /** The SDK's own text. */
  readonly message: string;
  readonly operation: string | null;
  /** What the call waited for when its time ran out; null when it was sent, or when that is not known. */
  readonly waitedFor: string | null;
  /** How many requests were sent. */
  readonly attempts: number;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  readonly choices: readonly Choice[] | undefined;
  /** The error code of the system or of TLS, such as ECONNREFUSED; null when it is not known. */
  readonly reason: string | null;
  /** Whether the connection ended over plain http, at the first request. */
  readonly mayNeedTls: boolean;
  /** Whether a service with another contract would answer so. */
  readonly isDrift: boolean;
  /** Host and port of the proxy that requests go through; null without one. */
  readonly proxy: string | null;
  /** The value of --timeout in milliseconds. */
  readonly timeoutMs: number | undefined;
}

export function messageFor(facts: Facts): string {
  const { code, operation, choices, status } = facts;
  const request = nameOf(operation);
  switch (code) {
    case 'AUTHENTICATION':
      return authenticationMessage(operation);
    case 'SESSION_EXPIRED':
      return 'The session has expired: it lasts 12 hours from the login.';
    case 'USER_SELECTION':
      return choices?.length
        ? `The login may act for ${choices.length} users, and none is selected.`
        : 'The login may not act for any user. Ask the administrator of the account.';
    case 'GRAPHQL':
      return operation === null || operation === 'request'
        ? 'The service answered with an error.'
        : `The service answered ${request} with an error.`;
    case 'HTTP':
      return `The service answered ${request} with HTTP ${status ?? 'failure'}.${status === 403 && !isLoginStep(operation) ? ' The login may not act for this user, or has no permission for this.' : ''}`;
    case 'RATE_LIMIT':
      return `The service still refuses ${request} (HTTP 429): another request of the same user is active.`;
    case 'TIMEOUT':
      return timeoutMessage(facts);
    case 'NETWORK':
      return networkMessage(facts);
    case 'PROTOCOL':
      return `The answer to ${request} does not follow the service's contract: another service, or a proxy, may have answered.`;
    case 'AMBIGUOUS_MUTATION':
      return status === null
        ? `${capitalised(request)} was sent, but no complete answer arrived: the change may or may not have been made.`
        : `${capitalised(request)} was answered with HTTP ${status}${status < 400 ? ', but in a form that the contract does not know' : ''}, so it is not known whether the change was made.`;
    case 'TRANSPORT':
      return `An exception in this program ended ${request}. The network has no part in it.`;
    case 'RESPONSE_TOO_LARGE':
      return `The answer to ${request} is too large, so it was given up.`;
    default:
      return facts.message;
  }
}

function authenticationMessage(operation: string | null): string {
  if (operation === 'login') return 'The service refused the login: the user name or the password is wrong.';
  if (operation === null) return 'You are not logged in.';
  // The service's refusal of a refresh ends the session, which is another error.
  if (operation === 'refresh')
    return 'The session was not renewed: its new tokens could not be stored, so nothing was sent.';
  return `The service refused ${nameOf(operation)} with the session, and again with a renewed one.`;
}

function timeoutMessage({ waitedFor, operation, attempts, timeoutMs, reason }: Facts): string {
  const within = timeoutMs === undefined ? 'in time' : `within ${durationText(timeoutMs)}`;
  if (reason === ATTEMPT_TIMEOUT)
    return `The service sent nothing in answer to ${nameOf(operation)} (${attempts} attempts).`;
  if (waitedFor !== null) return `${capitalised(nameOf(operation))} could not be sent ${within}: ${waitedFor}.`;
  return attempts === 0
    ? `${capitalised(nameOf(operation))} could not be sent ${within}.`
    : `The service did not answer ${nameOf(operation)} ${within}.`;
}

/** A timeout of the system counts as one of connecting: a connection that is lost later has other codes. */
function kindOf(reason: string | null): NetworkErrorKind {
  return reason === null ? 'unknown' : networkErrorKind(reason, true);
}

function networkMessage({ operation, reason, attempts, proxy }: Facts): string {
  const request = nameOf(operation);
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  switch (kindOf(reason)) {
    case 'unreachable':
      return `${proxy === null ? 'The service' : `The proxy ${proxy}`} cannot be reached for ${request}: ${unreachableReason(reason ?? '')} (${reason})${tries}.`;
    case 'refused by proxy':
      return `The proxy refused to carry ${request}${proxyStatusText(reason)}; nothing reached the service${tries}.`;
    case 'untrusted':
      return `No trusted connection could be made for ${request}: ${trustProblem(reason ?? '').what} (${reason}).`;
    case 'unsendable':
      return `${capitalised(request)} could not be made into a valid HTTP request (${reason}); nothing was sent.`;
    default:
      if (isNoHttp(reason)) return `What answered ${request} does not speak HTTP (${reason}).`;
      return `The connection ended before the answer to ${request} was complete${reason === null ? '' : ` (${reason})`}${tries}.`;
  }
}

const tryAgain = 'Try again. If it keeps failing, `fleet doctor` checks the network and the proxy.';
const checkAddress = 'Check the address. It comes from --base-url, FLEET_BASE_URL or the profile.';

const drift =
  "The service's contract may differ from the one this program was made for: `fleet schema check` compares the two.";

const hints: Readonly<Partial<Record<FleetErrorCode, string>>> = {
  TRANSPORT: 'Run it again with --verbose to see what was thrown, and report it.',
  RESPONSE_TOO_LARGE: 'Ask for less: a shorter period, or fewer --fields.',
  USER_SELECTION: 'Select one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.',
  SESSION_EXPIRED: 'Run `fleet login` again, or set FLEET_USERNAME and FLEET_PASSWORD.',
  PROTOCOL: `${checkAddress} \`fleet doctor\` shows what answers there.`,
  RATE_LIMIT:
    'Another program is using the same user. Try again when it has finished, or allow more time: --timeout 2m.',
  TIMEOUT: 'Allow more time, for example --timeout 2m.',
};

/** What shows whether a change was made. */
const stateCommands: Readonly<Record<Exclude<OperationName, `get${string}`>, string | null>> = {
  assignDriver: 'fleet drivers assignments',
  unassignDriver: 'fleet drivers assignments',
  // No record says which groups a geofence is in.
  changeGeofenceGroups: null,
  changeVehicleGroups: 'fleet vehicles get',
  changeVehiclesGroup: 'fleet vehicles get',
  createDriverToken: 'fleet people get',
  updateDriverToken: 'fleet people get',
  deleteDriverToken: 'fleet people get',
  createGeofence: 'fleet geofences list',
  updateGeofence: 'fleet geofences get',
  deleteGeofence: 'fleet geofences list',
  createGroup: 'fleet groups list',
  updateGroup: 'fleet groups list',
  deleteGroup: 'fleet groups list',
  createPerson: 'fleet people list',
  updatePerson: 'fleet people get',
  deletePerson: 'fleet people list',
  setPersonCustomRoles: 'fleet people get',
  updatePersonCustomField: 'fleet people fields',
  updateVehicle: 'fleet vehicles get',
  updateVehicleCustomField: 'fleet vehicles fields',
};

function doubtHint(operation: string | null): string {
  const command = Object.entries(stateCommands).find(([name]) => name === operation)?.[1] ?? null;
  const how = command === null ? 'with a query in `fleet api`' : `with \`${command}\``;
  return `Check the current state, for example ${how}, and repeat the command only if the change is missing.`;
}

/** What the user can do next. */
export function hintFor(facts: Facts): string | null {
  const { code, operation, status, isDrift } = facts;
  if (code === 'NETWORK') return networkHint(facts);
  if (code === 'AUTHENTICATION') return authenticationHint(operation);
  if (code === 'HTTP') {
    if (operation === 'login' && isOfOtherServer(status)) return otherServer;
    return status === 403 && isLoginStep(operation) ? loginRefusedHint(operation) : httpHint(status);
  }
  if (code === 'AMBIGUOUS_MUTATION') return doubtHint(operation);
  if (isDrift && operation !== 'request') return drift;
  return hints[code] ?? null;
}

function networkHint({ reason, mayNeedTls, proxy }: Facts): string {
  switch (kindOf(reason)) {
    case 'unsendable':
      return 'Check the address, the proxy (HTTP_PROXY, HTTPS_PROXY) and --user.';
    case 'refused by proxy':
      return proxyHint(reason);
    case 'untrusted':
      return `${trustProblem(reason ?? '').next} \`fleet doctor\` says more.`;
    case 'unreachable':
      if (proxy !== null) return 'It is set by HTTP_PROXY or HTTPS_PROXY: correct it, or name the service in NO_PROXY.';
      return `${checkAddress} \`fleet doctor\` checks the connection.`;
    default:
      if (isNoHttp(reason))
        return 'Check the port, and whether the address must begin with https:// instead of http://.';
      if (mayNeedTls) return `Check whether the address must begin with https:// instead of http://. ${tryAgain}`;
      return tryAgain;
  }
}

/** Codes of the parser of HTTP. */
function isNoHttp(reason: string | null): boolean {
  return reason?.startsWith('HPE_') ?? false;
}

function proxyStatusText(reason: string | null): string {
  const status = proxyStatus(reason ?? '');
  return status === null ? '' : ` (HTTP ${status})`;
}

function proxyHint(reason: string | null): string {
  const status = proxyStatus(reason ?? '');
  if (status === 407) {
    return 'It demands a login: put user name and password into HTTPS_PROXY or HTTP_PROXY, as in http://user:password@host:3128.';
  }
  if (status === 403)
    return "It does not allow this address: ask the proxy's administrator, or list the host in NO_PROXY.";
  return 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.';
}

function authenticationHint(operation: string | null): string {
  // The same for `fleet login` and for a login from the environment.
  if (operation === 'login') {
    return 'Check the user name and the password (or FLEET_USERNAME and FLEET_PASSWORD), and the address.';
  }
  if (operation === null) return 'Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD.';
  if (operation === 'refresh') {
    return 'Make the place of the sessions writable: `fleet doctor` names it. Or set FLEET_USERNAME and FLEET_PASSWORD.';
  }
  return 'Run `fleet login` again. If it keeps failing, ask the administrator of the account.';
}

const otherServer =
  'Check the address: it is what stands before /login/token and /graphql. It comes from --base-url, FLEET_BASE_URL or the profile.';

/** The requests that are about the login itself, and for no user. */
type LoginStep = 'login' | 'refresh' | 'userinfo';

function isLoginStep(operation: string | null): operation is LoginStep {
  return operation === 'login' || operation === 'refresh' || operation === 'userinfo';
}

/** With 403 the service refuses a login in other ways: a page that says it comes from a gateway. */
function loginRefusedHint(operation: LoginStep): string {
  const gateway = 'a gateway or proxy before the service does not let it through: ask who runs that';
  if (operation === 'login') return `Check the address, and whether ${gateway}.`;
  return `Run \`fleet login\` again. If that does not help, ${gateway}, or the administrator of the account.`;
}

/** What a server answers to a login that it knows nothing of. */
function isOfOtherServer(status: number | null): boolean {
  return status === 404 || status === 405 || status === 501;
}

function httpHint(status: number | null): string {
  if (status === 403) {
    return '`fleet users list` shows the users that the login may act for: select one with --user, or ask the administrator of the account for the permission.';
  }
  if (status !== null && status >= 500) return 'The service has a problem: try again later.';
  if (status === null || status < 400 || status === 404) return checkAddress;
  return 'The service does not accept this request: check the input of the command, and the address.';
}

/** Operations are called by their own name; the steps of a login, and documents without a name, by a description. */
const descriptions: ReadonlyMap<string | null, string> = new Map([
  [null, 'the request'],
  ['request', 'the request'],
  ['login', 'the login'],
  ['refresh', 'the renewal of the session'],
  ['userinfo', 'the request for the users of the login'],
  ['IntrospectionQuery', 'the request for its schema'],
]);

function nameOf(operation: string | null): string {
  return descriptions.get(operation) ?? operation ?? 'the request';
}

/** Capitalises descriptions; the names of operations keep their small first letter. */
function capitalised(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}

function durationText(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
