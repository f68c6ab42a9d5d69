// `fleet logout`: deletes the stored tokens and keeps the profile for the next login.
import { join } from 'node:path';
import type { FleetClient } from '../../index.js';
import { forgetNames, namesFolder } from '../completion/name-cache.js';
import { sourceText } from '../config/credential-source.js';
import { readSettings, requireBaseUrl, requireProfile, type Settings } from '../config/settings.js';
import { forgetSoleUser } from '../config/sole-user-cache.js';
import { loginOptions, open } from '../connection/connect.js';
import { type Context, note, type Run } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError } from '../errors/cli-error.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .addHelpText(
      'after',
      examples(['fleet logout', 'delete the session'], ['fleet logout --profile test', 'log out of another profile']),
    )
    .action(() => logout(open()));
};

async function logout(context: Context): Promise<void> {
  const settings = await readSettings(context);
  requireProfile(context, settings);
  const baseUrl = requireBaseUrl(settings);
  const client = await open(context, await loginOptions(context, settings));
  const session = await client.session();
  await deleteSession(context, client, settings);
  const username = settings.loginKey ?? session?.username;
  if (username) forgetSoleUser({ folder: settings.folder, baseUrl, username });
  forgetNames(namesFolder(context.io.env));
  note(context, session ? `Logged out of ${baseUrl}.` : `You were not logged in at ${baseUrl}.`);
  if (settings.credentials !== null) {
    note(context, `The next command will log in again, by ${sourceText(settings.credentials)}.`);
  }
}

/** Throws when the session could not be deleted, because its file grants access. */
async function deleteSession(run: Run, client: FleetClient, settings: Settings): Promise<void> {
  let cause: unknown;
  try {
    await client.logout();
    if ((await client.session()) === null) return;
  } catch (error) {
    if (run.io.signal.aborted) throw error;
    cause = error;
  }
  if (settings.redis !== null) {
    throw new CliError('CONFIGURATION', 'You are still logged in: the session stored in Redis could not be removed.', {
      hint: 'Run `fleet doctor` to find out why, then run `fleet logout` again. The session expires by itself within 13 hours.',
      cause,
    });
  }
  const folder = join(settings.folder, 'sessions');
  throw new CliError(
    'CONFIGURATION',
    `You are still logged in: the session stored in ${folder} could not be removed.`,
    {
      hint: 'Give yourself write access to that folder and run `fleet logout` again, or delete its files yourself.',
      cause,
    },
  );
}
