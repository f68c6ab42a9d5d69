// Opens a client from the settings: service, session or credentials, and acting user.
import { withOwnKey } from '../../auth/credentials.js';
import { isLoopback } from '../../core/base-url.js';
import { durationText } from '../../core/durations.js';
import type { Warning } from '../../core/hooks.js';
import type { ClientHooks, FleetClient, FleetClientOptions, Gate, TokenStore, UserSelection } from '../../index.js';
import { type CredentialSource, passwordSource } from '../config/credential-source.js';
import { readSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import type { CachedLogin } from '../config/sole-user-cache.js';
import { type Context, now, type ReportingRun, type Run, type ServiceRun } from '../context/context.js';
import type { Author } from '../context/open-service.js';
import { noteInPlace } from '../context/progress.js';
import { CliError } from '../errors/cli-error.js';
import { parseUserSelector } from '../parse/user-selector.js';
import { findUser } from './find-user.js';
import { handleWarning } from './handle-warning.js';
import { logSettings, requestHooks } from './verbose.js';

const demoLogin = { username: 'demo', password: 'demo' };
const demoUrl = 'http://demo.invalid';

interface ServiceConnection {
  /** Has no acting user yet. */
  readonly client: FleetClient;
  /** Null under --demo, which reads no settings. */
  readonly settings: Settings | null;
}

/** Returns a client of the login. Throws CliError AUTHENTICATION when logged out. */
export async function connectLogin(context: Context, read = readSettings): Promise<ServiceConnection> {
  if (context.globals.demo) return { client: await open(context, await demoOptions(context)), settings: null };
  const settings = await read(context);
  requireProfile(context, settings);
  if (context.globals.verbose) logSettings(context, settings);
  const client = await open(context, await loginOptions(context, settings));
  if (settings.credentials === null && (await client.session()) === null) throw loggedOut(context, settings);
  return { client, settings };
}

/** Returns a client for the selected user, or for the only user of the login. */
export async function connect(context: Context): Promise<FleetClient> {
  const { shared } = context.service;
  return shared === null ? openForUser(context) : shared();
}

/** Returns a separate client, even where one is shared. `read` reads the settings. */
export async function openForUser(context: Context, read = readSettings): Promise<FleetClient> {
  const { client, settings } = await connectLogin(context, read);
  const user = await userToActFor(context, client, settings);
  if (settings) context.service.actsFor(authorOf(settings, user));
  return user ? client.forUser(user) : client;
}

/** Returns the user; null lets the client choose, whose error lists several users. */
async function userToActFor(
  context: Context,
  client: FleetClient,
  settings: Settings | null,
): Promise<UserSelection | null> {
  const user = settings ? settings.user : context.globals.user;
  if (user) return resolveUser(user, client);
  if (settings?.savedUser) return { userId: settings.savedUser.userId };
  if (!settings?.loginKey) return null;
  const { folder, loginKey } = settings;
  return soleUser(context, client, { folder, baseUrl: requireBaseUrl(settings), username: loginKey });
}

function authorOf({ profileName, baseUrl, username, savedUser }: Settings, user: UserSelection | null): Author {
  const userId = user && 'userId' in user ? user.userId : null;
  const fleetId = user && 'fleetId' in user ? user.fleetId : null;
  const named = savedUser?.userId === userId ? savedUser : null;
  const names = { userName: named?.userName ?? null, fleetName: named?.fleetName ?? null };
  return { profile: profileName, baseUrl, login: username, user: user && { userId, fleetId, ...names } };
}

/** Requests the users of the login once per token, not in every command. */
async function soleUser(run: Run, client: FleetClient, login: CachedLogin): Promise<UserSelection | null> {
  const { readSoleUser, saveSoleUser } = await import('../config/sole-user-cache.js');
  const cached = readSoleUser(login, await client.session());
  if (cached !== null) return { userId: cached };
  const [only, ...others] = await client.listLoginUsers({ signal: run.io.signal });
  if (!only || others.length > 0) return null;
  const session = await client.session();
  if (session) saveSoleUser(login, session, only.userId);
  return { userId: only.userId };
}

/** Returns the user. Ids are used directly, names are looked up among the users of the login. */
export async function resolveUser(text: string, client: FleetClient): Promise<UserSelection> {
  const selector = parseUserSelector(text);
  if (selector === null) {
    throw new CliError('USAGE', `"${text}" does not name a user.`, {
      hint: 'Give a userId, a userName, a fleetName or fleet:<fleetId>.',
    });
  }
  if (selector.by === 'userId') return { userId: selector.userId };
  if (selector.by === 'fleetId') return { fleetId: selector.fleetId };
  return { userId: findUser(selector.name, await client.listLoginUsers()).userId };
}

/** Returns options for the login. `isWarned`: the user was already warned about plain http. */
export async function loginOptions(
  context: Context,
  settings: Settings,
  isWarned = false,
): Promise<FleetClientOptions> {
  const { username, credentials, loginKey } = settings;
  const baseUrl = requireBaseUrl(settings);
  const storage = await sharedStorage(context, settings);
  const common = commonOptions(context);
  const isReadable = !isWarned && credentials !== null && isUnencryptedUrl(baseUrl);
  return {
    ...common,
    ...(isReadable ? { hooks: warnOfLogin(context, common.hooks, baseUrl) } : {}),
    baseUrl,
    // Concurrent commands share the gate and the session.
    ...storage,
    ...(credentials === null ? {} : { credentials: credentialsOf(context, credentials, username) }),
    ...(loginKey === null ? {} : { sessionKey: loginKey }),
    fetch: context.io.fetch,
    ...(context.io.clock ? { clock: context.io.clock } : {}),
  };
}

/** Files and commands are read only for a login: a stored session needs no credentials. */
function credentialsOf(
  context: Context,
  source: CredentialSource,
  username: string | null,
): NonNullable<FleetClientOptions['credentials']> {
  if (source.kind === 'password' && username !== null) return { username, password: source.password };
  const read = async () => {
    const { credentialsFrom } = await import('./read-credentials.js');
    return credentialsFrom(context, source, username);
  };
  // The key of a command's session is derived from the command.
  return source.kind === 'command' && username === null ? withOwnKey(read) : read;
}

/** Returns gate and token store in Redis if configured and reachable, else in the config folder. */
export async function sharedStorage(
  context: Context,
  { redis, folder, credentials }: Settings,
): Promise<{ readonly gate: Gate; readonly tokenStore: TokenStore }> {
  if (redis !== null) {
    const { redisSharing } = await import('./redis-sharing.js');
    try {
      return await redisSharing(context, { redis, folder });
    } catch (error) {
      // A command without credentials needs the session in Redis.
      const isOutage = error instanceof CliError && error.code === 'NETWORK' && credentials !== null;
      if (!isOutage || context.io.signal.aborted) throw error;
      context.report.warn(`${error.message} This command shares turns and session only with others of this machine.`);
    }
  }
  const { fileGate, fileTokenStore } = await import('./sdk.js');
  const options = { directory: folder, onWarning: (warning: Warning) => handleWarning(context, warning) };
  return { gate: fileGate(options), tokenStore: fileTokenStore(options) };
}

/** Returns options for the in-process demo service: no network, no config file, nothing stored. */
export async function demoOptions(run: ReportingRun): Promise<FleetClientOptions> {
  const { createMockService } = await import('../../mock/service.js');
  const service = createMockService({ clock: run.clock });
  return {
    ...commonOptions(run),
    baseUrl: demoUrl,
    credentials: demoLogin,
    fetch: service.plainFetch,
    clock: service.clock,
  };
}

function commonOptions(run: ReportingRun): { readonly hooks: ClientHooks } & Pick<FleetClientOptions, 'timeoutMs'> {
  return {
    hooks: {
      ...(run.globals.verbose ? requestHooks(run) : isWatching(run) ? {} : waitingHooks(run)),
      onWarning: (warning) => handleWarning(run, warning),
    },
    ...(run.globals.timeout === undefined ? {} : { timeoutMs: run.globals.timeout }),
  };
}

/** True under --watch, which reports outages itself. */
function isWatching({ command }: Run): boolean {
  return command?.opts().watch !== undefined;
}

/** True when others on the network can read the traffic. */
export function isUnencryptedUrl(baseUrl: string): boolean {
  const url = new URL(baseUrl);
  return url.protocol === 'http:' && !isLoopback(url);
}

export function readablePasswordText(baseUrl: string): string {
  return `${baseUrl} is not https: others on the network can read the password.`;
}

/** Warns when the password is really sent, not for a stored session. */
function warnOfLogin(run: ReportingRun, hooks: ClientHooks, baseUrl: string): ClientHooks {
  return {
    ...hooks,
    onRequest: (event) => {
      hooks.onRequest?.(event);
      if (!event.operations.includes('login')) return;
      run.report.warn(readablePasswordText(baseUrl));
    },
  };
}

/** Opens a client, which is closed when the command ends or is interrupted. */
export async function open(run: ServiceRun, options: FleetClientOptions): Promise<FleetClient> {
  const { cliClient } = await import('./sdk.js');
  const client = cliClient(options, run.io.env);
  run.service.opened(client, options.fetch === undefined ? options.baseUrl : null);
  const close = () => {
    const closing = client.close();
    run.io.unfinished?.add(closing);
    return closing.finally(() => run.io.unfinished?.delete(closing));
  };
  run.service.onEnd(close);
  run.io.signal.addEventListener('abort', close, { once: true });
  return client;
}

export function loggedOut({ io }: Run, settings: Settings): CliError {
  const who = settings.username === null ? 'You are' : `"${settings.username}" is`;
  return new CliError('AUTHENTICATION', `${who} not logged in at ${settings.baseUrl ?? 'any service'}.`, {
    hint:
      passwordSource(io.env) !== null && !io.env.FLEET_USERNAME
        ? 'The environment has a password and no user name: set FLEET_USERNAME too.'
        : 'Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD.',
  });
}

/** Shorter outages are not reported. */
const REPORT_AFTER_MS = 5_000;

/** Prints a note when requests keep failing, because the command would seem to hang. */
function waitingHooks(run: Run): Pick<ClientHooks, 'onRetry' | 'onResponse'> {
  let since: number | null = null;
  let isReported = false;
  return {
    onRetry({ operations, reason, waitMs }) {
      since ??= now(run);
      const failing = now(run) - since;
      if (isReported || failing < REPORT_AFTER_MS) return;
      isReported = true;
      const again = waitMs < 1_000 ? 'at once' : `in ${durationText(waitMs)}`;
      noteInPlace(
        run,
        `Waiting for the service: ${operations.join(', ')} has failed for ${durationText(failing)} (${reason}). Trying again ${again}; --timeout says when to give up.`,
      );
    },
    onResponse({ status }) {
      if (status === null || status >= 400) return;
      since = null;
      isReported = false;
    },
  };
}
