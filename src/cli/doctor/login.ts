// Whether the login is good, how long its tokens live, and whom it may act for.
import { keyOf } from '../../auth/session.js';
import type { FleetUser } from '../../core/errors.js';
import type { FleetClient, StoredSession, TokenStore } from '../../index.js';
import type { Settings } from '../config/settings.js';
import { loggedOut } from '../connection/connect.js';
import { userNamed } from '../find/user.js';
import { type Context, now } from '../run/context.js';
import { ageText } from '../views/words.js';
import { broken, type Finding, fine, warning } from './check.js';

/** By contract. */
const LIFETIME_SECONDS = 300;

export interface Login {
  readonly finding: Finding;
  readonly users: readonly FleetUser[];
}

/** Logs in where there are credentials, so that a wrong password is seen even where a session is kept. */
export async function lookAtLogin(
  context: Context,
  client: FleetClient,
  settings: Settings | null,
  store: TokenStore | undefined,
): Promise<Login> {
  const isFromEnvironment = settings !== null && settings.password !== null;
  if (isFromEnvironment || settings === null) await client.login();
  else if ((await client.session()) === null) throw loggedOut(settings);
  const users = await client.listUsers({ signal: context.io.signal });
  const session = await client.session();
  const username = session?.username ?? settings?.username ?? 'unknown';
  const stored = settings?.baseUrl ? await store?.load(keyOf(settings.baseUrl, username)) : null;
  const parts = [
    `${username}${isFromEnvironment ? ' (FLEET_USERNAME and FLEET_PASSWORD)' : ''}`,
    ...(stored ? [lifetimeText(stored)] : []),
  ];
  if (!session?.refreshUntil) {
    const until = session ? `, the session ends ${ageText(session.accessExpiresAt.getTime(), now(context))}` : '';
    return {
      finding: warning(`${parts.join(', ')}${until}`, 'The service gave no refresh token: log in again then.'),
      users,
    };
  }
  parts.push(`refreshable until ${session.refreshUntil.toISOString()}`);
  return { finding: fine(parts.join(', ')), users };
}

function lifetimeText({ accessLifetimeMs }: StoredSession): string {
  const seconds = accessLifetimeMs / 1000;
  return `tokens live ${seconds} s ${seconds === LIFETIME_SECONDS ? 'as by contract' : 'as the service says'}`;
}

/** Which of them commands act for. */
export function lookAtUsers(
  context: Context,
  settings: Settings | null,
  users: readonly FleetUser[],
): { readonly finding: Finding; readonly user: FleetUser | null } {
  const how = 'Choose one with `fleet users use <id|name>`, or with --user or FLEET_USER.';
  const said = settings ? settings.user : context.globals.user;
  const count = `${users.length} ${users.length === 1 ? 'user' : 'users'}`;
  if (users.length === 0) {
    return none(broken('USER_SELECTION', 'the login may act for no user', 'Ask whoever manages the account.'));
  }
  if (said) {
    const user = userNamed(said, users);
    return { user, finding: fine(`${count}; acting for ${nameOf(user)}, as --user or FLEET_USER says`) };
  }
  const kept = settings?.keptUser;
  if (kept) {
    const user = users.find(({ userId }) => userId === kept.userId);
    if (user) return { user, finding: fine(`${count}; acting for ${nameOf(user)}`) };
    return none(broken('USER_SELECTION', `${count}, and ${nameOf(kept)}, who was chosen, is none of them`, how));
  }
  const [only, ...others] = users;
  if (only && others.length === 0) return { user: only, finding: fine(`${count}; acting for ${nameOf(only)}`) };
  return none(broken('USER_SELECTION', `${count}, and none is chosen: ${users.map(nameOf).join('; ')}`, how));
}

function none(finding: Finding): { readonly finding: Finding; readonly user: null } {
  return { finding, user: null };
}

function nameOf({ userName, fleetName, userId }: Pick<FleetUser, 'userName' | 'fleetName' | 'userId'>): string {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(' · ');
}
