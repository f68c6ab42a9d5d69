// `fleet status`: shows the service, the login and the session store. Exit code 4 when logged out.
import { join } from 'node:path';
import { configPath } from '../config/config-file.js';
import { sourceText } from '../config/credential-source.js';
import type { Settings } from '../config/settings.js';
import { connectLogin, loggedOut } from '../connection/connect.js';
import { type Context, now } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord } from '../context/print.js';
import { recordShape } from '../shape/list-shape.js';
import { type LoginStatus, loginStatusView } from '../views/login-status.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .addHelpText(
      'after',
      `${examples(
        ['fleet status', ''],
        ['fleet status >/dev/null 2>&1 || fleet login', 'exit code 4 when logged out'],
      )}\n\nThis is the state stored on this machine. \`fleet doctor\` tries the login.`,
    )
    .action(() => status(open()));
};

async function whereSessionsAre(settings: Settings | null): Promise<string> {
  if (settings === null) return 'memory of this process';
  if (settings.redis === null) return join(settings.folder, 'sessions');
  const { redisAddress } = await import('../connection/redis-sharing.js');
  return redisAddress(settings.redis);
}

async function status(context: Context): Promise<void> {
  const demoView = loginStatusView(now(context), { isDemo: true, passwordFrom: null, requestedUser: null });
  const shape = recordShape(context, demoView, 'view');
  const { client, settings } = await connectLogin(context);
  const hasCredentials = settings === null || settings.credentials !== null;
  let session = await client.session();
  const isOver = (end: Date | null | undefined) => !end || end.getTime() <= now(context);
  if (hasCredentials && isOver(session?.accessExpiresAt) && isOver(session?.refreshUntil)) {
    session = await client.login();
  }
  if (session === null || (isOver(session.accessExpiresAt) && isOver(session.refreshUntil))) {
    // When there is no session, connectLogin has already required credentials.
    if (settings) throw loggedOut(context, settings);
  }
  const user = settings?.savedUser ?? null;
  const record: LoginStatus = {
    profile: settings?.profile ? settings.profileName : null,
    baseUrl: settings?.baseUrl ?? null,
    username: session?.username ?? settings?.username ?? null,
    userId: user?.userId ?? null,
    userName: user?.userName ?? null,
    fleetName: user?.fleetName ?? null,
    accessExpiresAt: session?.accessExpiresAt.toISOString() ?? null,
    refreshUntil: session?.refreshUntil?.toISOString() ?? null,
    sessionKeptIn: await whereSessionsAre(settings),
    configuration: settings ? configPath(settings.folder) : null,
  };
  const view =
    context.globals.fields === undefined
      ? loginStatusView(now(context), {
          isDemo: settings === null,
          isInRedis: Boolean(settings?.redis),
          isEncrypted: context.io.env.FLEET_REDIS_KEY !== 'none',
          passwordFrom: settings?.credentials ? sourceText(settings.credentials) : null,
          requestedUser: (settings ? settings.user : context.globals.user) ?? null,
        })
      : shape.view;
  await printRecord(context, shape.record(record), view);
}
