// From settings to a client that is ready to be asked: the service, the kept session or the credentials of the
// environment, and the user to act for.
import type { FleetClient, FleetClientOptions, UserWish, WarningEvent } from '../../index.js';
import type { Login } from '../config/only-user.js';
import { readSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import { CliError } from '../errors/cli-error.js';
import { partialResultOf } from '../errors/partial-result.js';
import { userNamed } from '../find/user.js';
import { parseUserSelector } from '../parse/user-selector.js';
import { type Context, note } from '../run/context.js';
import { narrate, sayWhere } from './verbose.js';

/** The user and password of the service inside the process. */
const demoLogin = { username: 'demo', password: 'demo' };
const demoUrl = 'http://demo.invalid';

export interface Connection {
  /** Acts for no user yet. */
  readonly client: FleetClient;
  /** Null under --demo, which reads no settings. */
  readonly settings: Settings | null;
}

/** A client of the login. Fails when nobody is logged in and nobody can be. */
export async function connectLogin(context: Context): Promise<Connection> {
  if (context.globals.demo) return { client: await open(context, await demoOptions(context)), settings: null };
  const settings = await readSettings(context);
  requireProfile(context, settings);
  if (context.globals.verbose) sayWhere(context, settings);
  const client = await open(context, await loginOptions(context, settings));
  if (settings.password === null && (await client.session()) === null) throw loggedOut(settings);
  return { client, settings };
}

/** A client that acts for the chosen user; without a choice for the only one there is. */
export async function connect(context: Context): Promise<FleetClient> {
  const { client, settings } = await connectLogin(context);
  const said = settings ? settings.user : context.globals.user;
  if (said) return client.as(await userWish(said, client));
  if (settings?.keptUser) return client.as({ userId: settings.keptUser.userId });
  if (!settings?.username) return client;
  const { folder, username } = settings;
  return asOnlyUser(context, client, { folder, baseUrl: requireBaseUrl(settings), username });
}

/** The only user of a login is asked for once for a token, and not by each command. */
async function asOnlyUser(context: Context, client: FleetClient, login: Login): Promise<FleetClient> {
  const { readOnlyUser, keepOnlyUser } = await import('../config/only-user.js');
  const known = readOnlyUser(login, await client.session());
  if (known !== null) return client.as({ userId: known });
  const [only, ...others] = await client.listUsers({ signal: context.io.signal });
  // Without a choice among several, the client itself says what to do.
  if (!only || others.length > 0) return client;
  const session = await client.session();
  if (session) keepOnlyUser(login, session, only.userId);
  return client.as({ userId: only.userId });
}

/** Ids are taken as they are; a name costs a look at the users of the login. */
async function userWish(said: string, client: FleetClient): Promise<UserWish> {
  const selector = parseUserSelector(said);
  if (selector === null) {
    throw new CliError('USAGE', `"${said}" names no user.`, {
      hint: 'Give a userId, a userName, a fleetName or fleet:<fleetId>.',
    });
  }
  if (selector.by === 'userId') return { userId: selector.userId };
  if (selector.by === 'fleetId') return { fleetId: selector.fleetId };
  return { userId: userNamed(selector.name, await client.listUsers()).userId };
}

/** Options for the login that the settings name; its session lives in the config folder. */
export async function loginOptions(context: Context, settings: Settings): Promise<FleetClientOptions> {
  const { fileGate, fileTokenStore } = await import('./sdk.js');
  const { username, password } = settings;
  const kept = { directory: settings.folder, onWarning: (warning: WarningEvent) => heed(context, warning) };
  return {
    ...commonOptions(context),
    baseUrl: requireBaseUrl(settings),
    // Commands that run side by side take turns, and share one login.
    gate: fileGate(kept),
    tokenStore: fileTokenStore(kept),
    ...(username !== null && password !== null ? { credentials: { username, password } } : {}),
    ...(username !== null && password === null ? { sessionKey: username } : {}),
    fetch: context.io.fetch,
    ...(context.io.clock ? { clock: context.io.clock } : {}),
  };
}

/** A service inside this process: no network, no config file, nothing kept. */
export async function demoOptions(context: Context): Promise<FleetClientOptions> {
  const { createMockService } = await import('../../mock/service.js');
  const service = createMockService({ clock: context.clock });
  return {
    ...commonOptions(context),
    baseUrl: demoUrl,
    credentials: demoLogin,
    fetch: service.fetch,
    clock: service.clock,
  };
}

function commonOptions(context: Context): Pick<FleetClientOptions, 'hooks' | 'timeoutMs'> {
  return {
    hooks: {
      ...(context.globals.verbose ? narrate(context) : {}),
      onWarning: (warning) => heed(context, warning),
    },
    ...(context.globals.timeout === undefined ? {} : { timeoutMs: context.globals.timeout }),
  };
}

/** The SDK speaks of a token store, which a command does not have. */
const storeFailed =
  'The place where sessions are kept could not be read or written. Check that the config folder exists and may be written.';

/** What is missing from an answer makes the command end with exit code 6; everything else is only said. */
function heed(context: Context, warning: WarningEvent): void {
  if (warning.code === 'SHARED_LOGIN') {
    // Another program uses the login too. The SDK copes; only who looks for the reason of a wait wants to know.
    if (context.globals.verbose) note(context, '! another program uses this login: waiting for its requests to end');
    return;
  }
  if (warning.code !== 'PARTIAL_DATA') {
    context.warnings.push(warning.code === 'SESSION_STORE' ? storeFailed : warning.message);
    return;
  }
  context.partialResults.push(partialResultOf(warning));
}

/** The client is closed when the command is over, or interrupted: then whatever it waits for is given up. */
export async function open(context: Context, options: FleetClientOptions): Promise<FleetClient> {
  const { cliClient } = await import('./sdk.js');
  const client = cliClient(options, context.io.env);
  // Clients of other users of the login know the same.
  context.service.now = () => client.serviceNow();
  const close = () => client.close();
  context.closing.push(close);
  context.io.signal.addEventListener('abort', close, { once: true });
  return client;
}

export function loggedOut(settings: Settings): CliError {
  const who = settings.username === null ? 'You are' : `"${settings.username}" is`;
  return new CliError('AUTHENTICATION', `${who} not logged in at ${settings.baseUrl ?? 'any service'}.`, {
    hint: 'Run `fleet login`, or set FLEET_USERNAME and FLEET_PASSWORD.',
  });
}
