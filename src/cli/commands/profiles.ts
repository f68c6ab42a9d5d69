// `fleet profiles`: the logins kept beside each other, which of them is used, and forgetting one.

import { type Profile, readConfig } from '../config/config-file.js';
import { noProfile, profileNamed, readSettings, type Settings } from '../config/settings.js';
import { CliError } from '../errors/cli-error.js';
import { ask } from '../prompt/ask.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, canAsk, note, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { type ProfileRow, profileView } from '../views/profile.js';

interface RemoveFlags {
  readonly yes?: true;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    `${examples(
      ['fleet login --profile test --base-url https://…', 'makes the profile "test"'],
      ['fleet profiles list', 'those there are; * marks the one in use'],
      ['fleet profiles use test', 'use it from now on'],
      ['fleet vehicles list --profile test', 'use it for one command'],
      ['fleet profiles remove test --yes', 'forget it and its session'],
    )}\n\nA profile keeps the address of a service, a login and the user to act for; never a password.`,
  );
  noun
    .command('list')
    .description('list the profiles; * marks the one in use')
    .addHelpText('after', examples(['fleet profiles list', ''], ['fleet profiles list -o json', 'for a script']))
    .action(() => list(open()));
  noun
    .command('use')
    .description('use this profile from now on, where none is named')
    .argument('<profile>', 'its name')
    .addHelpText('after', examples(['fleet profiles use test', '']))
    .action((name: string) => use(open(), name));
  noun
    .command('remove')
    .description('forget a profile and its session; nothing is sent')
    .argument('<profile>', 'its name')
    .option('-y, --yes', 'do not ask; needed where nobody can be asked')
    .addHelpText(
      'after',
      examples(['fleet profiles remove test', 'asks first'], ['fleet profiles remove test --yes', 'for a script']),
    )
    .action((name: string, flags: RemoveFlags) => remove(open(), name, flags));
};

async function list(context: Context): Promise<void> {
  const shape = listShape<ProfileRow>(context, profileView, 'view');
  const settings = await settingsOf(context);
  const { profiles } = readConfig(settings.folder, () => undefined);
  const { fileTokenStore } = await import('../connection/sdk.js');
  const { loggedInUntil } = await import('../config/kept-session.js');
  const store = fileTokenStore({
    directory: settings.folder,
    onWarning: ({ message }) => context.warnings.push(message),
  });
  const rows = await Promise.all(
    [...profiles].map(
      async ([name, { baseUrl, username, user }]): Promise<ProfileRow> => ({
        name,
        isUsed: name === settings.profileName,
        baseUrl,
        username,
        userId: user?.userId ?? null,
        userName: user?.userName ?? null,
        fleetName: user?.fleetName ?? null,
        loggedInUntil: await loggedInUntil(store, baseUrl, username),
      }),
    ),
  );
  await printRows(context, shape.rows(rows), shape.view, 'There is no profile yet; `fleet login` makes one.');
}

async function use(context: Context, name: string): Promise<void> {
  const { folder } = await settingsOf(context);
  const profile = known(folder, name);
  const { chooseProfile } = await import('../config/edit-config.js');
  await chooseProfile(folder, name, context.io.signal);
  note(context, `From now on using the profile "${name}"${at(profile)}.`);
  if (context.io.env.FLEET_PROFILE) note(context, 'FLEET_PROFILE is set, and wins over this choice until it is unset.');
}

async function remove(context: Context, name: string, flags: RemoveFlags): Promise<void> {
  const settings = await settingsOf(context);
  const { folder } = settings;
  const config = readConfig(folder, () => undefined);
  const profile = config.damaged.has(name) ? null : known(folder, name);
  await confirmed(context, `Forget the profile "${name}"${at(profile)} and its session? [y/N] `, flags);
  const isShared = [...config.profiles].some(
    ([other, { baseUrl, username }]) => other !== name && baseUrl === profile?.baseUrl && username === profile.username,
  );
  if (profile !== null && !isShared) await forgetSession(settings.folder, profile);
  const { removeProfile } = await import('../config/edit-config.js');
  const used = await removeProfile(folder, name, context.io.signal);
  note(context, `Forgot the profile "${name}"${isShared ? '; its session stays, another profile uses it' : ''}.`);
  if (config.profile !== name || config.profiles.size <= 1) return;
  note(
    context,
    config.profiles.has(used) && used !== name
      ? `From now on using the profile "${used}".`
      : 'Choose another one with `fleet profiles use`.',
  );
}

/** Before the profile, so that no session is left behind that nothing leads to any more. */
async function forgetSession(folder: string, { baseUrl, username }: Profile): Promise<void> {
  if (baseUrl === null || username === null) return;
  const { forgetLogin } = await import('../config/kept-session.js');
  await forgetLogin({ folder, baseUrl, username });
}

async function confirmed(context: Context, question: string, { yes }: RemoveFlags): Promise<void> {
  if (yes) return;
  if (!canAsk(context)) {
    const why = context.globals.input ? 'this is not a terminal' : '--no-input forbids to ask';
    throw new CliError('USAGE', `Removing a profile has to be confirmed, and ${why}.`, {
      hint: 'Add --yes to remove it without being asked.',
    });
  }
  if (/^y(es)?$/i.test(await ask(context, question))) return;
  throw new CliError('ABORTED', 'Not confirmed; the profile stays.');
}

function known(folder: string, name: string): Profile {
  const { profiles } = readConfig(folder, () => undefined);
  const profile = profiles.get(profileNamed(name));
  if (profile) return profile;
  throw noProfile(name, profiles);
}

async function settingsOf(context: Context): Promise<Settings> {
  if (!context.globals.demo) return readSettings(context);
  throw new CliError('USAGE', '--demo keeps nothing, so it has no profiles.', { hint: 'Leave out --demo.' });
}

function at(profile: Profile | null): string {
  const { baseUrl, username } = profile ?? {};
  return baseUrl ? ` (${username ? `${username} at ` : ''}${baseUrl})` : '';
}
