// `fleet logout`: forgets the kept tokens. The profile stays, so that the next login asks for less.
import { CliError } from '../cli-error.js';
import { type DefineCommand, examples } from '../command.js';
import { loginOptions, open } from '../connect.js';
import { type Context, note } from '../context.js';
import { readSettings, requireBaseUrl, requireProfile } from '../settings.js';

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
  await client.logout();
  note(context, session ? `Logged out of ${baseUrl}.` : `You were not logged in at ${baseUrl}.`);
  if (settings.password !== null) {
    note(context, 'FLEET_USERNAME and FLEET_PASSWORD are set: the next command will log in with them again.');
  }
}
