// `fleet logout`: forgets the kept tokens. The profile stays, so that the next login asks for less.
import { join } from 'node:path';
import type { FleetClient } from '../../index.js';
import { forgetOnlyUser } from '../config/only-user.js';
import { readSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import { loginOptions, open } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, note } from '../run/context.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .addHelpText(
      'after',
      examples(['fleet logout', 'forget the session'], ['fleet logout --profile test', 'that of another profile']),
    )
    .action(() => logout(open()));
};

async function logout(context: Context): Promise<void> {
  if (context.globals.demo) {
    throw new CliError('USAGE', '--demo keeps no session, so there is nothing to log out of.', {
      hint: 'Leave out --demo to log out of the service.',
    });
  }
  const settings = await readSettings(context);
  requireProfile(context, settings);
  const baseUrl = requireBaseUrl(settings);
  const client = await open(context, await loginOptions(context, settings));
  const session = await client.session();
  await forget(context, client, settings);
  const username = settings.username ?? session?.username;
  if (username) forgetOnlyUser({ folder: settings.folder, baseUrl, username });
  note(context, session ? `Logged out of ${baseUrl}.` : `You were not logged in at ${baseUrl}.`);
  if (settings.password !== null) {
    note(context, 'FLEET_USERNAME and FLEET_PASSWORD are set: the next command will log in with them again.');
  }
}

/** A session that only seems to be gone is worse than an error: whoever finds the file is logged in. */
async function forget(context: Context, client: FleetClient, settings: Settings): Promise<void> {
  let cause: unknown;
  try {
    await client.logout();
    if ((await client.session()) === null) return;
  } catch (error) {
    if (context.io.signal.aborted) throw error;
    cause = error;
  }
  const folder = join(settings.folder, 'sessions');
  throw new CliError('CONFIGURATION', `You are still logged in: the session kept in ${folder} could not be removed.`, {
    hint: 'See to it that you may write there and run `fleet logout` again, or delete the files in that folder yourself.',
    cause,
  });
}
