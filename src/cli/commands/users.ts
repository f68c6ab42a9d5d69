// `fleet users`: the users a login may act for, and the choice among them.
import { operations } from '../../generated/operation-table.js';
import { call } from '../connection/call.js';
import { connect, connectLogin } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import { userNamed } from '../find/user.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, note, printRows } from '../run/context.js';
import { listShape } from '../shape/list-shape.js';
import { type UserRow, userView } from '../views/user.js';

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
  const shape = listShape<UserRow>(context, userView(null), 'view');
  const { client, settings } = await connectLogin(context);
  const users = await client.listUsers({ signal: context.io.signal });
  const [only] = users;
  const said = settings ? settings.user : context.globals.user;
  const chosen = said
    ? userNamed(said, users).userId
    : (settings?.keptUser?.userId ?? (users.length === 1 ? only?.userId : undefined));
  const view = context.globals.fields === undefined ? userView(chosen ?? null) : shape.view;
  await printRows(context, shape.rows(users), view, 'The login may act for no user.');
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
  const { saveProfile } = await import('../config/edit-config.js');
  const session = await client.session();
  const username = settings.username ?? session?.username ?? null;
  const kept = { baseUrl: settings.baseUrl, username, user: { userId, userName, fleetName } };
  await saveProfile(settings.folder, settings.profileName, kept, context.io.signal);
  note(
    context,
    `From now on acting for ${[userName ?? userId, fleetName].filter((text) => text !== null).join(' · ')}.`,
  );
  if (context.io.env.FLEET_USER) note(context, 'FLEET_USER is set, and wins over this choice until it is unset.');
}

async function info(context: Context): Promise<void> {
  const shape = listShape<UserRow>(context, userView(null), operations.getUserInfo);
  const client = await connect(context);
  const records = await tolerate(context, (options) =>
    call(client, 'getUserInfo', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(records), shape.view, 'The service shows no user records.');
}
