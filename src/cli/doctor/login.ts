// Checks the login, its token lifetimes and its users.
import { keyOf } from '../../auth/session.js';
import type { LoginUser } from '../../core/errors.js';
import type { FleetClient, StoredSession, TokenStore } from '../../index.js';
import { sourceText } from '../config/credential-source.js';
import type { Settings } from '../config/settings.js';
import { loggedOut } from '../connection/connect.js';
import { findUser } from '../connection/find-user.js';
import { now, type Run } from '../context/context.js';
import { ageText } from '../views/humanize.js';
import { type CheckFinding, failed, ok, warning } from './check.js';

/** Lifetime of an access token by contract. */
const CONTRACT_LIFETIME_SECONDS = 300;

interface LoginCheck {
  readonly finding: CheckFinding;
  readonly users: readonly LoginUser[];
}

/** Checks the login. Logs in if possible, to detect a wrong password despite a stored session. */
export async function checkLogin(
  run: Run,
  client: FleetClient,
  settings: Settings | null,
  store: TokenStore | undefined,
): Promise<LoginCheck> {
  const credentials = settings?.credentials ?? null;
  if (credentials !== null || settings === null) await client.login();
  else if ((await client.session()) === null) throw loggedOut(run, settings);
  const users = await client.listLoginUsers({ signal: run.io.signal });
  const session = await client.session();
  const username = session?.username ?? settings?.username ?? 'unknown';
  // Undefined when there is no token store.
  const stored = settings?.baseUrl
    ? await store?.load(keyOf(settings.baseUrl, settings.loginKey ?? username))
    : undefined;
  const parts = [
    `${username}${credentials === null ? '' : ` (${sourceText(credentials)})`}`,
    ...(stored ? [lifetimeText(stored)] : []),
  ];
  if (session === null || stored === null) {
    return {
      finding: warning(
        `${parts.join(', ')}; the session could not be stored`,
        'Every command logs in again. Make the folder of the sessions writable, see the config check.',
      ),
      users,
    };
  }
  if (session.refreshUntil === null) {
    parts.push(`the session expires ${ageText(session.accessExpiresAt.getTime(), now(run))}`);
    return {
      finding: warning(parts.join(', '), 'The service sent no refresh token: log in again at that time.'),
      users,
    };
  }
  parts.push(`refreshable until ${session.refreshUntil.toISOString()}`);
  return { finding: ok(parts.join(', ')), users };
}

function lifetimeText({ accessLifetimeMs }: StoredSession): string {
  const seconds = accessLifetimeMs / 1000;
  return `tokens last ${seconds} s ${seconds === CONTRACT_LIFETIME_SECONDS ? 'as in the contract' : 'by the answer of the service'}`;
}

export function checkUsers(
  run: Run,
  settings: Settings | null,
  users: readonly LoginUser[],
): { readonly finding: CheckFinding; readonly user: LoginUser | null } {
  const hint = 'Select one with `fleet users use <id|name>`, or with --user or FLEET_USER.';
  const requested = settings ? settings.user : run.globals.user;
  const count = `${users.length} ${users.length === 1 ? 'user' : 'users'}`;
  if (users.length === 0) {
    return none(
      failed('USER_SELECTION', 'the login may not act for any user', 'Ask the administrator of the account.'),
    );
  }
  if (requested) {
    const user = findUser(requested, users);
    return { user, finding: ok(`${count}; acting for ${nameOf(user)}, set by --user or FLEET_USER`) };
  }
  const saved = settings?.savedUser;
  if (saved) {
    const user = users.find(({ userId }) => userId === saved.userId);
    if (user) return { user, finding: ok(`${count}; acting for ${nameOf(user)}`) };
    return none(failed('USER_SELECTION', `${count}, but the selected user ${nameOf(saved)} is not among them`, hint));
  }
  const [only, ...others] = users;
  if (only && others.length === 0) return { user: only, finding: ok(`${count}; acting for ${nameOf(only)}`) };
  return none(failed('USER_SELECTION', `${count}, and none is selected: ${users.map(nameOf).join('; ')}`, hint));
}

function none(finding: CheckFinding): { readonly finding: CheckFinding; readonly user: null } {
  return { finding, user: null };
}

function nameOf({ userName, fleetName, userId }: Pick<LoginUser, 'userName' | 'fleetName' | 'userId'>): string {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(' · ');
}
