// `fleet login`: proves the credentials, keeps the session, and settles which user the next commands act for.
import { isLoopback } from '../../core/base-url.js';
import type { FleetUser } from '../../core/errors.js';
import type { KeptUser } from '../config/config-file.js';
import { normalBaseUrl, readSettings, requireBaseUrl, type Settings } from '../config/settings.js';
import { loginOptions, open } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { userNamed } from '../find/user.js';
import { ask, askSecret, choose, requireAsking } from '../prompt/ask.js';
import { readStdin } from '../prompt/read-stdin.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, canAsk, note } from '../run/context.js';

interface LoginFlags {
  readonly username?: string;
  readonly passwordStdin?: true;
}

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('log in to a service and keep the session')
    .description(
      'Log in to a service and keep the session. Asks for what is missing; the password is ' +
        'never kept. Scripts give it on stdin or in FLEET_PASSWORD.',
    )
    .option('--username <name>', 'who logs in (FLEET_USERNAME)')
    .option('--password-stdin', 'read the password from stdin')
    .addHelpText(
      'after',
      examples(
        ['fleet login', 'asks for everything'],
        ['fleet login --base-url https://… --username me', 'asks for the password'],
        ['… | fleet login --username me --password-stdin', 'for scripts'],
        ['fleet login --profile test --base-url http://…', 'a second login beside the first'],
      ),
    )
    .action((flags: LoginFlags) => login(open(), flags));
};

async function login(context: Context, flags: LoginFlags): Promise<void> {
  if (context.globals.demo) {
    throw new CliError('USAGE', '--demo needs no login.', { hint: 'Just add it: `fleet vehicles list --demo`.' });
  }
  const known = await readSettings(context);
  const baseUrl = await addressFor(context, known);
  warnOfPlainHttp(context, baseUrl);
  const username = await usernameFor(context, flags, known);
  const password = await passwordFor(context, flags, username);

  const settings: Settings = { ...known, baseUrl, username, password };
  const client = await open(context, await loginOptions(context, settings));
  await client.login();
  const users = await client.listUsers({ signal: context.io.signal });
  const user = await userFor(context, settings, users);

  const { saveProfile } = await import('../config/edit-config.js');
  const kept: KeptUser | null = user && { userId: user.userId, userName: user.userName, fleetName: user.fleetName };
  await saveProfile(settings.folder, settings.profileName, { baseUrl, username, user: kept }, context.io.signal);

  note(context, `Logged in to ${baseUrl} as ${username}.`);
  if (user) note(context, `Acting for ${nameOf(user)}.`);
  else sayHowToChoose(context, users);
}

async function addressFor(context: Context, known: Settings): Promise<string> {
  if (known.baseUrl !== null || !canAsk(context)) return requireBaseUrl(known);
  return normalBaseUrl(await ask(context, 'Address of the service: '));
}

/** A password must not cross a network in the clear without a word. */
function warnOfPlainHttp(context: Context, baseUrl: string): void {
  const url = new URL(baseUrl);
  if (url.protocol === 'https:' || isLoopback(url)) return;
  note(context, `warning: ${baseUrl} is not https; the password crosses the network readable by others.`);
}

async function usernameFor(context: Context, flags: LoginFlags, known: Settings): Promise<string> {
  const said = flags.username?.trim() || context.io.env.FLEET_USERNAME;
  if (said) return said;
  // The name of the profile is offered on a terminal and taken elsewhere.
  if (!canAsk(context) && known.username !== null) return known.username;
  requireAsking(context, 'A user name', 'Give --username, or set FLEET_USERNAME.');
  const answer = await ask(context, known.username === null ? 'User name: ' : `User name [${known.username}]: `);
  const username = answer || known.username;
  if (username) return username;
  throw new CliError('USAGE', 'A user name is needed.', { hint: 'Give --username, or set FLEET_USERNAME.' });
}

async function passwordFor(context: Context, flags: LoginFlags, username: string): Promise<string> {
  const instead = 'Pipe it in with --password-stdin, or set FLEET_PASSWORD.';
  const given = await givenPassword(context, flags, username, instead);
  if (given !== '') return given;
  throw new CliError('USAGE', 'The password is empty.', { hint: instead });
}

async function givenPassword(context: Context, flags: LoginFlags, username: string, instead: string): Promise<string> {
  const { env, stdin } = context.io;
  if (flags.passwordStdin && stdin.isTTY !== true) return (await readStdin(context)).replace(/\r?\n$/, '');
  // A password in the environment belongs to the user name in the environment, if there is one.
  const isTheirs = !env.FLEET_USERNAME || env.FLEET_USERNAME === username;
  if (!flags.passwordStdin && env.FLEET_PASSWORD && isTheirs) return env.FLEET_PASSWORD;
  requireAsking(context, 'A password', instead);
  return askSecret(context, 'Password: ');
}

/** The user asked for, the one chosen before, the only one there is, or the one the person picks; else none. */
async function userFor(context: Context, settings: Settings, users: readonly FleetUser[]): Promise<FleetUser | null> {
  if (settings.user !== null) return userNamed(settings.user, users);
  const isSameLogin = settings.profile?.baseUrl === settings.baseUrl && settings.profile.username === settings.username;
  const before = isSameLogin ? settings.profile.user?.userId : undefined;
  const again = users.find((user) => user.userId === before);
  if (again) return again;
  const [only] = users;
  if (only && users.length === 1) return only;
  if (users.length === 0 || !canAsk(context)) return null;
  return choose(context, 'Act for which user?', users, (user) => `${nameOf(user)}  ${user.userId}`);
}

function sayHowToChoose(context: Context, users: readonly FleetUser[]): void {
  if (users.length === 0) {
    note(context, 'warning: The service lists no user this login may act for; ask whoever manages the account.');
    return;
  }
  note(context, `The login may act for ${users.length} users; none is chosen yet:`);
  for (const user of users) note(context, `  ${user.userId}  ${nameOf(user)}`);
  note(context, 'Choose one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.');
}

function nameOf({ userName, fleetName, userId }: FleetUser): string {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(' · ');
}
