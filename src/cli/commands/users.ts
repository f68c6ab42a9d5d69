// `fleet users`: the users a login may act for, and the choice among them.
import { CliError } from '../cli-error.js';
import { type DefineCommand, examples } from '../command.js';
import { connect, connectLogin } from '../connect.js';
import { type Context, note, printRows } from '../context.js';
import { userNamed } from '../find/user.js';
import { tolerate } from '../shortfall.js';
import { userView } from '../views/user.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet users list', 'those of your login; * marks the chosen one'],
      ['fleet users use "North Fleet"', 'act for this one from now on'],
      ['fleet users info', 'the records the service shows to the chosen user'],
    ),
  );
  noun
    .command('list')
    .description('list the users of your login; * marks the chosen one')
    .addHelpText('after', examples(['fleet users list', ''], ['fleet users list -o json', 'for a script']))
    .action(() => list(open()));
  noun
    .command('use')
    .description('act for this user from now on')
    .argument('<user>', 'userId, userName, fleetName or fleet:<fleetId>')
    .addHelpText('after', examples(['fleet users use "North Fleet"', '']))
    .action((user: string) => use(open(), user));
  noun
    .command('info')
    .description('list the user records visible to the chosen user (getUserInfo)')
    .addHelpText('after', examples(['fleet users info', '']))
    .action(() => info(open()));
};

async function list(context: Context): Promise<void> {
  const { client, settings } = await connectLogin(context);
  const users = await client.listUsers({ signal: context.io.signal });
  const [only] = users;
  const chosen = settings?.keptUser?.userId ?? (users.length === 1 ? only?.userId : undefined);
  await printRows(context, users, userView(chosen ?? null), 'The login may act for no user.');
}

async function use(context: Context, name: string): Promise<void> {
  const { client, settings } = await connectLogin(context);
  if (!settings) {
    throw new CliError('USAGE', '--demo keeps nothing, so no user can be chosen for later.', {
      hint: 'Leave out --demo, or name the user for one call with --user.',
    });
  }
  const user = userNamed(name, await client.listUsers({ signal: context.io.signal }));
  const { userId, userName, fleetName } = user;
  const { saveProfile } = await import('../config/save-profile.js');
  const session = await client.session();
  saveProfile(settings.folder, settings.profileName, {
    baseUrl: settings.baseUrl,
    username: settings.username ?? session?.username ?? null,
    user: { userId, userName, fleetName },
  });
  note(
    context,
    `From now on acting for ${[userName ?? userId, fleetName].filter((text) => text !== null).join(' · ')}.`,
  );
}

async function info(context: Context): Promise<void> {
  const client = await connect(context);
  const records = await tolerate(context, (options) => client.getUserInfo({}, options));
  await printRows(context, records, userView(null), 'The service shows no user records.');
}
