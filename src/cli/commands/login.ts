// `fleet login`: logs in, saves session and profile, and selects the user for later commands.
import type { LoginUser } from '../../core/errors.js';
import type { SavedUser } from '../config/config-file.js';
import { type CredentialSource, commandSource, passwordSource } from '../config/credential-source.js';
import { normalBaseUrl, readManagedSettings, requireBaseUrl, type Settings } from '../config/settings.js';
import { isUnencryptedUrl, loginOptions, open, readablePasswordText } from '../connection/connect.js';
import { findUser } from '../connection/find-user.js';
import type { LoginCredentials } from '../connection/read-credentials.js';
import { type Context, canAsk, note, type Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { ask, askSecret, choose, requirePrompt } from '../prompt/ask.js';
import { readStdin } from '../prompt/read-stdin.js';

interface LoginFlags {
  readonly username?: string;
  readonly passwordStdin?: true;
  readonly credentialCommand?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('log in to a service and save the session')
    .description(
      'Log in to a service and save the session. Prompts for what is missing. The password is ' +
        'never saved. Scripts pass it on stdin, in FLEET_PASSWORD or FLEET_PASSWORD_FILE, or name a command that prints it.',
    )
    .option('--username <name>', 'user name (FLEET_USERNAME)')
    .option('--password-stdin', 'read the password from stdin')
    .option(
      '--credential-command <command>',
      'get the password from this command, now and whenever the session has expired; saved with the profile, empty for none (FLEET_CREDENTIAL_COMMAND)',
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet login', 'prompts for everything'],
        ['fleet login --base-url https://… --username me', 'prompts for the password'],
        ['… | fleet login --username me --password-stdin', 'for scripts'],
        ["fleet login --username me --credential-command 'pass fleet'", 'for unattended commands'],
        ['fleet login --profile test --base-url https://…', 'a second login'],
      )}

- The command of --credential-command prints the password alone, or JSON:
  {"username": "…", "password": "…"}.
- A shell runs it once for each login, for at most 30 seconds or --timeout. Its output is not shown.
- docs/unattended.md has more.`,
    )
    .action((flags: LoginFlags) => login(open(), flags));
};

async function login(context: Context, flags: LoginFlags): Promise<void> {
  const storedSettings = await readManagedSettings(context);
  const baseUrl = await addressFor(context, storedSettings);
  warnAboutHttp(context, baseUrl);
  const { username, password } = await credentialsFor(context, flags, storedSettings);

  const settings: Settings = {
    ...storedSettings,
    baseUrl,
    username,
    loginKey: username,
    credentials: { kind: 'password', password },
  };
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
  const isSameLogin = storedSettings.profile?.baseUrl === baseUrl && storedSettings.profile.username === username;
  const saved = isSameLogin ? storedSettings.profile.credentialCommand : null;
  const credentialCommand = flags.credentialCommand === undefined ? saved : flags.credentialCommand.trim() || null;
  const profile = { baseUrl, username, user: savedUser, credentialCommand };
  await saveProfile(settings.folder, settings.profileName, profile, context.io.signal);

  note(context, `Logged in to ${baseUrl} as ${username}.`);
  if (user) note(context, `Acting for ${nameOf(user)}.`);
  else explainSelection(context, users);
}

async function addressFor(run: Run, storedSettings: Settings): Promise<string> {
  if (storedSettings.baseUrl !== null || !canAsk(run)) return requireBaseUrl(storedSettings);
  return normalBaseUrl(await ask(run, 'Address of the service: '));
}

function warnAboutHttp(run: Run, baseUrl: string): void {
  if (isUnencryptedUrl(baseUrl)) note(run, `warning: ${readablePasswordText(baseUrl)}`);
}

async function usernameFor(run: Run, requested: string | null, storedSettings: Settings): Promise<string> {
  if (requested !== null) return requested;
  // On a terminal the profile's user name is only the default answer.
  if (!canAsk(run) && storedSettings.username !== null) return storedSettings.username;
  requirePrompt(run, 'A user name', 'Give --username, or set FLEET_USERNAME.');
  const answer = await ask(
    run,
    storedSettings.username === null ? 'User name: ' : `User name [${storedSettings.username}]: `,
  );
  const username = answer || storedSettings.username;
  if (username) return username;
  throw new CliError('USAGE', 'A user name is needed.', { hint: 'Give --username, or set FLEET_USERNAME.' });
}

async function credentialsFor(
  context: Context,
  flags: LoginFlags,
  storedSettings: Settings,
): Promise<LoginCredentials> {
  const requested = flags.username?.trim() || context.io.env.FLEET_USERNAME || null;
  const source = sourceOf(context, flags, storedSettings, requested);
  if (source === null) {
    const username = await usernameFor(context, requested, storedSettings);
    return { username, password: await typedPassword(context, flags) };
  }
  const { credentialsFrom } = await import('../connection/read-credentials.js');
  // A new command may belong to another login than that of the profile.
  const ofProfile = flags.credentialCommand ? null : storedSettings.username;
  const username =
    source.kind === 'command' ? (requested ?? ofProfile) : await usernameFor(context, requested, storedSettings);
  return credentialsFrom(context, source, username);
}

/** Returns null for a password from stdin or from the prompt. */
function sourceOf(
  { io }: Run,
  flags: LoginFlags,
  { profile, credentialCommand }: Settings,
  requested: string | null,
): CredentialSource | null {
  const command = flags.credentialCommand?.trim();
  if (command && flags.passwordStdin) {
    throw refusal('Give either --password-stdin or --credential-command.', {
      hint: 'The command prints the password itself.',
    });
  }
  if (command) return { kind: 'command', command, isOfProfile: true };
  if (flags.passwordStdin) return null;
  // A password in the environment belongs to the user name in the environment, if any.
  const belongsToUser = !io.env.FLEET_USERNAME || io.env.FLEET_USERNAME === requested;
  const isOfProfile = command === undefined && (requested === null || requested === profile?.username);
  return (
    (belongsToUser ? passwordSource(io.env) : null) ?? commandSource(io.env, isOfProfile ? credentialCommand : null)
  );
}

async function typedPassword(run: Run, flags: LoginFlags): Promise<string> {
  const hint =
    'Pipe it in with --password-stdin, set FLEET_PASSWORD or FLEET_PASSWORD_FILE, or give --credential-command.';
  const isPiped = flags.passwordStdin && run.io.stdin.isTTY !== true;
  if (!isPiped) requirePrompt(run, 'A password', hint);
  const password = isPiped ? (await readStdin(run)).replace(/\r?\n$/, '') : await askSecret(run, 'Password: ');
  if (password !== '') return password;
  throw new CliError('USAGE', 'The password is empty.', { hint });
}

/** Returns the requested, the saved, the only or the picked user; else null. */
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
