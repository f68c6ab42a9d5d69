// Texts of SDK errors for terminal users: about flags and commands, not options and properties.
import { type Advice, adviceOf, type FactsOf } from '../../core/error-facts.js';
import { isLoginStep, unreadableText, withResponseId } from '../../core/error-messages.js';
import type { FleetError } from '../../core/errors.js';
import { trustProblem, unreachableReason } from '../../core/network-errors.js';
import type { OperationName } from '../../generated/operation-table.js';

export interface WordingSettings {
  readonly timeoutMs: number | undefined;
  /** Host and port of the proxy, if any. */
  readonly proxy: string | null;
}

type DescribedError = Pick<FleetError, 'facts' | 'operation' | 'attempts' | 'message' | 'responseId'>;

export function messageFor(error: DescribedError, settings: WordingSettings): string {
  return withResponseId(textFor(error, settings), error.responseId);
}

function textFor(error: DescribedError, { timeoutMs, proxy }: WordingSettings): string {
  const { facts, operation, attempts } = error;
  const request = nameOf(operation);
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  const within = timeoutMs === undefined ? 'in time' : `within ${durationText(timeoutMs)}`;
  switch (facts.kind) {
    case 'loginRefused':
      return 'The service refused the login: the user name or the password is wrong.';
    case 'notLoggedIn':
    case 'severalSessions':
      return 'You are not logged in.';
    case 'notRenewed':
      // A refused refresh ends the session, which is another error.
      return 'The session was not renewed: its new tokens could not be stored, so nothing was sent.';
    case 'tokenRefused':
      return `The service refused ${request} with the session, and again with a renewed one.`;
    case 'sessionEnded':
      return 'The service no longer accepts the stored session. Sessions end 12 hours after the login, or when the service ends them.';
    case 'userNotChosen':
    case 'fleetNotFound':
      return facts.users === 0
        ? 'The login may not act for any user. Ask the administrator of the account.'
        : `The login may act for ${facts.users} users, and none is selected.`;
    case 'unreachable':
      return `${proxy === null ? 'The service' : `The proxy ${proxy}`} cannot be reached for ${request}${whyUnreachable(facts)}${tries}.`;
    case 'refusedByProxy':
      return `The proxy refused to carry ${request} (HTTP ${facts.status}); nothing reached the service${tries}.`;
    case 'unsendable':
      return `${capitalised(request)} could not be made into a valid HTTP request${inBrackets(facts)}; nothing was sent.`;
    case 'untrusted':
      return `No trusted connection could be made for ${request}: ${trustProblem(facts.reason ?? '').what}${inBrackets(facts)}.`;
    case 'notHttp':
      return `What answered ${request} does not speak HTTP${inBrackets(facts)}.`;
    case 'connectionLost':
      return `The connection ended before the answer to ${request} was complete${inBrackets(facts)}${tries}.`;
    case 'cutAnswer':
      return `The connection ended before the answer to ${request} was complete${tries}.`;
    case 'exception':
      return `An exception in this program ended ${request}; it is not a network failure.`;
    case 'silence':
      return `The service sent nothing in answer to ${request} (${attempts} attempts).`;
    case 'timeRanOut':
      return attempts === 0
        ? `${capitalised(request)} could not be sent ${within}.`
        : `The service did not answer ${request} ${within}.`;
    case 'notSentInTime':
      return `${capitalised(request)} could not be sent ${within}: ${facts.waitedFor}.`;
    case 'status':
      return `The service answered ${request} with HTTP ${facts.status}.${facts.status === 403 && !isLoginStep(operation) ? ' The login may not act for this user, or has no permission for this.' : ''}`;
    case 'rateLimited':
      return `The service still refuses ${request} (HTTP 429): another request of the same user is active.`;
    case 'graphqlErrors':
      return operation === null || operation === 'request'
        ? 'The service answered with an error.'
        : `The service answered ${request} with an error.`;
    case 'notGraphQL':
    case 'redirected':
    case 'offContract':
    case 'oddAnswer':
      return `The answer to ${request} does not follow the service's contract: another service, or a proxy, may have answered.`;
    case 'nullList':
      return `The service left the list out of its answer to ${request}, so the list may or may not be empty.`;
    case 'tooLarge':
      return `The answer to ${request} is too large, so reading it was stopped.`;
    case 'unreadable':
      return unreadableText(facts);
    case 'inDoubt':
      return ambiguousText(facts, request);
    case 'aborted':
    case 'closed':
    case 'queueFull':
    case 'refusedInput':
    case 'other':
      // The SDK's text fits terminal users too.
      return error.message;
  }
}

function ambiguousText({ status }: FactsOf<'inDoubt'>, request: string): string {
  return status === null
    ? `${capitalised(request)} was sent, but no complete answer arrived: the change may or may not have been made.`
    : `${capitalised(request)} was answered with HTTP ${status}${status < 400 ? ', but in a form that the contract does not know' : ''}, so it is not known whether the change was made.`;
}

function whyUnreachable({ reason }: FactsOf<'unreachable'>): string {
  const why = reason === null ? null : unreachableReason(reason);
  return why === null ? inBrackets({ reason }) : `: ${why} (${reason})`;
}

function inBrackets({ reason }: { readonly reason: string | null }): string {
  return reason === null ? '' : ` (${reason})`;
}

export function hintFor({ facts, operation }: DescribedError, { proxy }: WordingSettings): string | null {
  const advice = adviceOf(facts);
  switch (advice) {
    case 'LOG_IN':
      return `Run \`fleet login\`${facts.kind === 'sessionEnded' ? ' again' : ''}, or set FLEET_USERNAME and FLEET_PASSWORD.`;
    case 'CHECK_CONNECTION':
      return proxy === null
        ? `${checkAddress} \`fleet doctor\` checks the connection.`
        : 'It is set by HTTP_PROXY or HTTPS_PROXY: correct it, or name the service in NO_PROXY.';
    case 'CHECK_TRUST':
      return `${trustProblem(facts.kind === 'untrusted' ? (facts.reason ?? '') : '').next} \`fleet doctor\` says more.`;
    case 'CHECK_CHANGE':
      return ambiguousHint(operation);
    case 'COMPARE_CONTRACT':
      // A user of `fleet api` knows the document.
      if (operation === 'request') return facts.kind === 'graphqlErrors' ? null : otherProgram;
      return hints[advice];
    case null:
      return null;
  }
  if (facts.kind !== 'status') return advice === 'CHECK_ADDRESS' ? otherProgram : hints[advice];
  if (operation === 'login' && isOfOtherServer(facts.status)) return otherServer;
  return facts.status === 403 && isLoginStep(operation) ? loginRefusedHint(operation) : hints[advice];
}

const tryAgain = 'Try again. If it keeps failing, `fleet doctor` checks the network and the proxy.';
const checkAddress = 'Check the address. It comes from --base-url, FLEET_BASE_URL or the profile.';
const otherProgram = `${checkAddress} \`fleet doctor\` shows what answers there.`;
const otherServer =
  'Check the address: it is the part before /login/token and /graphql. It comes from --base-url, FLEET_BASE_URL or the profile.';

const hints = {
  // Fits `fleet login` and a login from the environment.
  CHECK_CREDENTIALS: 'Check the user name and the password (or FLEET_USERNAME and FLEET_PASSWORD), and the address.',
  LOG_IN_AGAIN: 'Run `fleet login` again. If it keeps failing, ask the administrator of the account.',
  KEEP_SESSION:
    'Make the folder of the sessions writable: `fleet doctor` names it. Or set FLEET_USERNAME and FLEET_PASSWORD.',
  CHOOSE_USER: 'Select one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.',
  CHECK_ADDRESS: checkAddress,
  CHECK_PORT: 'Check the port, and whether the address must begin with https:// instead of http://.',
  CHECK_REQUEST: 'Check the address, the proxy (HTTP_PROXY, HTTPS_PROXY) and --user.',
  CHECK_INPUT: 'The service does not accept this request: check the input of the command, and the address.',
  CHECK_RIGHTS:
    '`fleet users list` shows the users that the login may act for: select one with --user, or ask the administrator of the account for the permission.',
  PROXY_LOGIN:
    'It demands a login: put user name and password into HTTPS_PROXY or HTTP_PROXY, as in http://user:password@host:3128.',
  PROXY_RULES: "It does not allow this address: ask the proxy's administrator, or list the host in NO_PROXY.",
  PROXY_SETTINGS: 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.',
  TRY_HTTPS: `Check whether the address must begin with https:// instead of http://. ${tryAgain}`,
  TRY_AGAIN: tryAgain,
  TRY_LATER:
    'The service has a problem with this request: try again later. If it continues, tell the operator of the service.',
  SHARE_TURNS:
    'Another program is using the same user. Try again when it has finished, or allow more time: --timeout 2m.',
  ALLOW_TIME: 'Allow more time, for example --timeout 2m.',
  ASK_FOR_LESS: 'Ask for less: a shorter period, or fewer --fields.',
  COMPARE_CONTRACT:
    "The service's contract may differ from the one this program was made for: `fleet schema check` compares the two.",
  LOOK_AT_CAUSE: 'Run it again with --verbose to see what was thrown, and report it.',
} satisfies Readonly<Partial<Record<Advice, string>>>;

/** Commands that show whether a change was made. */
const stateCommands: Readonly<Record<Exclude<OperationName, `get${string}`>, string | null>> = {
  assignDriver: 'fleet drivers assignments',
  unassignDriver: 'fleet drivers assignments',
  // The service does not report the groups of a geofence.
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

function ambiguousHint(operation: string | null): string {
  const command = Object.entries(stateCommands).find(([name]) => name === operation)?.[1] ?? null;
  const how = command === null ? 'with a query in `fleet api`' : `with \`${command}\``;
  return `Check the current state, for example ${how}, and repeat the command only if the change is missing.`;
}

/** Returns the hint for a 403 during a login, which comes from a gateway, not from the service. */
function loginRefusedHint(operation: 'login' | 'refresh' | 'userinfo'): string {
  const gateway = 'a gateway or proxy before the service does not let it through: ask its operator';
  if (operation === 'login') return `Check the address, and whether ${gateway}.`;
  return `Run \`fleet login\` again. If that does not help, ${gateway}, or the administrator of the account.`;
}

function isOfOtherServer(status: number): boolean {
  return status === 404 || status === 405 || status === 501;
}

/** Descriptions of login steps and nameless documents; others are called by their operation. */
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

/** Capitalises descriptions, but not names of operations. */
function capitalised(text: string): string {
  return text.startsWith('the ') ? `T${text.slice(1)}` : text;
}

function durationText(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`;
}
