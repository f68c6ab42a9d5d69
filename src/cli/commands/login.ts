// `fleet login`: logs in, saves the session and the profile, and selects the user that later commands act for.
import type { LoginUser } from '../../core/errors.js';
import type { SavedUser } from '../config/config-file.js';
import { normalBaseUrl, readManagedSettings, requireBaseUrl, type Settings } from '../config/settings.js';
import { isReadableOnTheWay, loginOptions, open, readablePassword } from '../connection/connect.js';
import { findUser } from '../connection/find-user.js';
import { type Context, canAsk, note, type Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError } from '../errors/cli-error.js';
import { ask, askSecret, choose, requirePrompt } from '../prompt/ask.js';
import { readStdin } from '../prompt/read-stdin.js';

interface LoginFlags {
  readonly username?: string;
  readonly passwordStdin?: true;
}

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('log in to a service and save the session')
    .description(
      'Log in to a service and save the session. Prompts for what is missing. The password is ' +
        'never saved. Scripts pass it on stdin or in FLEET_PASSWORD.',
    )
    .option('--username <name>', 'user name (FLEET_USERNAME)')
    .option('--password-stdin', 'read the password from stdin')
    .addHelpText(
      'after',
      examples(
        ['fleet login', 'prompts for everything'],
        ['fleet login --base-url https://… --username me', 'prompts for the password'],
        ['… | fleet login --username me --password-stdin', 'for scripts'],
        ['fleet login --profile test --base-url https://…', 'a second login beside the first'],
      ),
    )
    .action((flags: LoginFlags) => login(open(), flags));
};

async function login(context: Context, flags: LoginFlags): Promise<void> {
  if (context.globals.demo) {
    throw new CliError('USAGE', '--demo needs no login.', { hint: 'Use it directly: `fleet vehicles list --demo`.' });
  }
  const known = await readManagedSettings(context);
  const baseUrl = await addressFor(context, known);
  warnAboutHttp(context, baseUrl);
  const username = await usernameFor(context, flags, known);
  const password = await passwordFor(context, flags, username);

  const settings: Settings = { ...known, baseUrl, username, password };
  const client = await open(context, await loginOptions(context, settings, true));
  await client.login();
  const users = await client.listLoginUsers({ signal: context.io.signal });
  const user = await userFor(context, settings, users);

  const { saveProfile } = await import('../config/config-store.js');
  const savedUser: SavedUser | null = user && {
    userId: user.userId,
    userName: user.userName,
    fleetName: user.fleetName,
  };
  await saveProfile(settings.folder, settings.profileName, { baseUrl, username, user: savedUser }, context.io.signal);

  note(context, `Logged in to ${baseUrl} as ${username}.`);
  if (user) note(context, `Acting for ${nameOf(user)}.`);
  else explainSelection(context, users);
}

async function addressFor(run: Run, known: Settings): Promise<string> {
  if (known.baseUrl !== null || !canAsk(run)) return requireBaseUrl(known);
  return normalBaseUrl(await ask(run, 'Address of the service: '));
}

/** Warns before a password is sent unencrypted. */
function warnAboutHttp(run: Run, baseUrl: string): void {
  if (isReadableOnTheWay(baseUrl)) note(run, `warning: ${readablePassword(baseUrl)}`);
}

async function usernameFor(run: Run, flags: LoginFlags, known: Settings): Promise<string> {
  const requested = flags.username?.trim() || run.io.env.FLEET_USERNAME;
  if (requested) return requested;
  // A terminal offers the name of the profile; without one it is used as it is.
  if (!canAsk(run) && known.username !== null) return known.username;
  requirePrompt(run, 'A user name', 'Give --username, or set FLEET_USERNAME.');
  const answer = await ask(run, known.username === null ? 'User name: ' : `User name [${known.username}]: `);
  const username = answer || known.username;
  if (username) return username;
  throw new CliError('USAGE', 'A user name is needed.', { hint: 'Give --username, or set FLEET_USERNAME.' });
}

async function passwordFor(run: Run, flags: LoginFlags, username: string): Promise<string> {
  const instead = 'Pipe it in with --password-stdin, or set FLEET_PASSWORD.';
  const password = await readPassword(run, flags, username, instead);
  if (password !== '') return password;
  throw new CliError('USAGE', 'The password is empty.', { hint: instead });
}

async function readPassword(run: Run, flags: LoginFlags, username: string, instead: string): Promise<string> {
  const { env, stdin } = run.io;
  if (flags.passwordStdin && stdin.isTTY !== true) return (await readStdin(run)).replace(/\r?\n$/, '');
  // A password in the environment belongs to the user name in the environment, if there is one.
  const belongsToUser = !env.FLEET_USERNAME || env.FLEET_USERNAME === username;
  if (!flags.passwordStdin && env.FLEET_PASSWORD && belongsToUser) return env.FLEET_PASSWORD;
  requirePrompt(run, 'A password', instead);
  return askSecret(run, 'Password: ');
}

/** The requested user, the one selected before, the only one, or the one picked at the prompt; null otherwise. */
async function userFor(run: Run, settings: Settings, users: readonly LoginUser[]): Promise<LoginUser | null> {
  if (settings.user !== null) return findUser(settings.user, users);
  const isSameLogin = settings.profile?.baseUrl === settings.baseUrl && settings.profile.username === settings.username;
  const previousId = isSameLogin ? settings.profile.user?.userId : undefined;
  const previous = users.find((user) => user.userId === previousId);
  if (previous) return previous;
  const [only] = users;
  if (only && users.length === 1) return only;
  if (users.length === 0 || !canAsk(run)) return null;
  return choose(run, 'Act for which user?', users, (user) => `${nameOf(user)}  ${user.userId}`);
}

function explainSelection(run: Run, users: readonly LoginUser[]): void {
  if (users.length === 0) {
    note(run, 'warning: The login may not act for any user. Ask the administrator of the account.');
    return;
  }
  note(run, `The login may act for ${users.length} users; none is selected yet:`);
  for (const user of users) note(run, `  ${user.userId}  ${nameOf(user)}`);
  note(run, 'Select one with `fleet users use <id|name>`, or for one call with --user or FLEET_USER.');
}

function nameOf({ userName, fleetName, userId }: LoginUser): string {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(' · ');
}
