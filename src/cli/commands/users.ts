// `fleet users`: lists the users of the login, and selects one.
import { operations } from '../../generated/operation-table.js';
import { readManagedSettings } from '../config/settings.js';
import { connect, connectLogin } from '../connection/connect.js';
import { findUser } from '../connection/find-user.js';
import { listRows } from '../connection/list-rows.js';
import { type Context, note } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { listShape } from '../shape/list-shape.js';
import { type UserRow, userView } from '../views/user.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet users list', 'the users of your login; * marks the selected one'],
      ['fleet users use "North Fleet"', 'act for this user from now on'],
      ['fleet users info', 'the user records that the selected user can see'],
    ),
  );
  noun
    .command('list')
    .description('list the users of your login; * marks the selected one')
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
    .description('list the user records visible to the selected user (getUserInfo)')
    .addHelpText('after', examples(['fleet users info', '']))
    .action(() => info(open()));
};

async function list(context: Context): Promise<void> {
  const shape = listShape<UserRow>(context, userView(null), 'view');
  const { client, settings } = await connectLogin(context);
  const users = await client.listLoginUsers({ signal: context.io.signal });
  const [only] = users;
  const requested = settings ? settings.user : context.globals.user;
  const selectedId = requested
    ? findUser(requested, users).userId
    : (settings?.savedUser?.userId ?? (users.length === 1 ? only?.userId : undefined));
  const view = context.globals.fields === undefined ? userView(selectedId ?? null) : shape.view;
  await printRows(context, shape.rows(users), view, 'The login may not act for any user.');
}

async function use(context: Context, name: string): Promise<void> {
  const { client, settings } = await connectLogin(context, readManagedSettings);
  if (!settings) {
    throw new CliError('USAGE', '--demo saves nothing, so it cannot save a selected user.', {
      hint: 'Leave out --demo, or select the user for one call with --user.',
    });
  }
  const user = findUser(name, await client.listLoginUsers({ signal: context.io.signal }));
  const { userId, userName, fleetName } = user;
  const { saveProfile } = await import('../config/config-store.js');
  const session = await client.session();
  const username = settings.username ?? session?.username ?? null;
  const { credentialCommand } = settings;
  const profile = { baseUrl: settings.baseUrl, username, user: { userId, userName, fleetName }, credentialCommand };
  await saveProfile(settings.folder, settings.profileName, profile, context.io.signal);
  note(context, `Now acting for ${[userName ?? userId, fleetName].filter((text) => text !== null).join(' · ')}.`);
  if (context.io.env.FLEET_USER) note(context, 'FLEET_USER is set and overrides this choice until you unset it.');
}

async function info(context: Context): Promise<void> {
  const shape = listShape<UserRow>(context, userView(null), operations.getUserInfo);
  const client = await connect(context);
  const records = await listRows(context, client, 'getUserInfo', shape.options);
  await printRows(context, shape.rows(records), shape.view, 'The service shows no user records.');
}
