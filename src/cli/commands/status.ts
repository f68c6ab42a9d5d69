// `fleet status`: where, who, until when, and where the secret is kept. Exit 4 when logged out.
import { join } from 'node:path';
import { configPath } from '../config/config-file.js';
import type { Settings } from '../config/settings.js';
import { connectLogin, loggedOut } from '../connection/connect.js';
import type { View } from '../output/format.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, now, printRecord } from '../run/context.js';
import { recordShape } from '../shape/list-shape.js';
import { ageText } from '../views/words.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .addHelpText(
      'after',
      examples(['fleet status', ''], ['fleet status >/dev/null 2>&1 || fleet login', 'exit code 4 when logged out']),
    )
    .action(() => status(open()));
};

interface Status {
  readonly profile: string | null;
  readonly baseUrl: string | null;
  readonly username: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly fleetName: string | null;
  readonly accessExpiresAt: string | null;
  readonly refreshUntil: string | null;
  readonly sessionKeptIn: string;
  readonly configuration: string | null;
}

export const statusFields = [
  'profile',
  'baseUrl',
  'username',
  'userId',
  'userName',
  'fleetName',
  'accessExpiresAt',
  'refreshUntil',
  'sessionKeptIn',
  'configuration',
] as const satisfies readonly (keyof Status)[];

async function status(context: Context): Promise<void> {
  const shape = recordShape(context, view(context, null), 'view');
  const { client, settings } = await connectLogin(context);
  const credentials = settings === null || settings.password !== null;
  let session = await client.session();
  const isOver = (end: Date | null | undefined) => !end || end.getTime() <= now(context);
  if (credentials && isOver(session?.accessExpiresAt) && isOver(session?.refreshUntil)) {
    session = await client.login();
  }
  if (session === null || (isOver(session.accessExpiresAt) && isOver(session.refreshUntil))) {
    // connectLogin has seen to it that without a session there are credentials.
    if (settings) throw loggedOut(settings);
  }
  const user = settings?.keptUser ?? null;
  const shown: Status = {
    profile: settings?.profile ? settings.profileName : null,
    baseUrl: settings?.baseUrl ?? null,
    username: session?.username ?? settings?.username ?? null,
    userId: user?.userId ?? null,
    userName: user?.userName ?? null,
    fleetName: user?.fleetName ?? null,
    accessExpiresAt: session?.accessExpiresAt.toISOString() ?? null,
    refreshUntil: session?.refreshUntil?.toISOString() ?? null,
    sessionKeptIn: settings ? join(settings.folder, 'sessions') : 'memory of this process',
    configuration: settings ? configPath(settings.folder) : null,
  };
  const shownAs = context.globals.fields === undefined ? view(context, settings) : shape.view;
  await printRecord(context, shape.record(shown), shownAs);
}

function view(context: Context, settings: Settings | null): View<Status> {
  const source = settings?.password ? '; that comes from FLEET_PASSWORD' : '';
  const until = (iso: string | null) => (iso === null ? '' : `${iso} (${ageText(Date.parse(iso), now(context))})`);
  return {
    columns: [],
    details: [
      { title: 'Service', text: (shown) => shown.baseUrl ?? 'inside this process (--demo)' },
      { title: 'Logged in as', text: (shown) => shown.username ?? '' },
      { title: 'Acting for', text: (shown) => actingFor(context, settings, shown) },
      { title: 'Profile', text: (shown) => shown.profile ?? '' },
      { title: 'Access token', text: (shown) => until(shown.accessExpiresAt) },
      { title: 'Refreshable', text: (shown) => until(shown.refreshUntil) },
      { title: 'Session kept in', text: (shown) => shown.sessionKeptIn },
      { title: '', text: () => (settings ? `in files for you alone (0600): tokens, never the password${source}` : '') },
      { title: 'Configuration', text: (shown) => shown.configuration ?? '' },
    ],
    fields: statusFields,
  };
}

function actingFor(context: Context, settings: Settings | null, shown: Status): string {
  const said = settings ? settings.user : context.globals.user;
  if (said) return said;
  if (shown.userId === null) return 'the only user of the login, if there is only one';
  return [shown.userName, shown.fleetName, shown.userId].filter((text) => text !== null).join(' · ');
}
