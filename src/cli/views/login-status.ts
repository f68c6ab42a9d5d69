// View of `fleet status`.
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { timeAndAge } from './humanize.js';

export interface LoginStatus {
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

export const loginStatusFields = [
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
] as const satisfies readonly (keyof LoginStatus)[];

/** Returns the view. `now`: this machine's time. `requestedUser`: from --user or FLEET_USER. */
export function loginStatusView(
  now: number,
  source: {
    readonly isDemo: boolean;
    /** The source of the password for a new session; null when a person types it. */
    readonly passwordFrom: string | null;
    readonly requestedUser: string | null;
    readonly isInRedis?: boolean;
    readonly isEncrypted?: boolean;
  },
): View<LoginStatus> {
  const { isDemo, passwordFrom, requestedUser } = source;
  const passwordSource = passwordFrom === null ? '' : `; that comes from ${passwordFrom}`;
  // Tokens are measured with the clock of this machine, other ages with the clock of the service.
  const expiry = (iso: string | null, options: RenderOptions) => timeAndAge(iso, { ...options, now });
  return {
    columns: [],
    details: [
      { title: 'Service', text: ({ baseUrl }) => baseUrl ?? 'inside this process (--demo)' },
      { title: 'Logged in as', text: ({ username }) => username ?? '' },
      { title: 'Acting for', text: (status) => requestedUser ?? selectedUserText(status) },
      { title: 'Profile', text: ({ profile }) => profile ?? '' },
      { title: 'Access token', text: ({ accessExpiresAt }, options) => expiry(accessExpiresAt, options) },
      { title: 'Refreshable', text: ({ refreshUntil }, options) => expiry(refreshUntil, options) },
      { title: 'Session stored in', text: ({ sessionKeptIn }) => sessionKeptIn },
      {
        title: '',
        text: () => (isDemo ? '' : `${protection(source)}: tokens, never the password${passwordSource}`),
      },
      { title: 'Configuration', text: ({ configuration }) => configuration ?? '' },
    ],
    fields: loginStatusFields,
  };
}

function protection({
  isInRedis,
  isEncrypted,
}: {
  readonly isInRedis?: boolean;
  readonly isEncrypted?: boolean;
}): string {
  if (!isInRedis) return 'in files that only you can read (0600)';
  return `${isEncrypted ? 'encrypted' : 'not encrypted (FLEET_REDIS_KEY=none)'}; session and turns are shared with all machines that use this Redis`;
}

function selectedUserText({ userId, userName, fleetName }: LoginStatus): string {
  if (userId === null) return 'the only user of the login, if there is only one';
  return [userName, fleetName, userId].filter((text) => text !== null).join(' · ');
}
