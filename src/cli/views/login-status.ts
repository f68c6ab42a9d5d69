// How the login is shown by `fleet status`.
import type { View } from '../output/view.js';
import { ageText } from './humanize.js';

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

/** `now` is the time of this machine, which tokens are measured with. `requestedUser` is the value of --user or FLEET_USER. */
export function loginStatusView(
  now: number,
  { isDemo, hasPassword, requestedUser }: { isDemo: boolean; hasPassword: boolean; requestedUser: string | null },
): View<LoginStatus> {
  const passwordSource = hasPassword ? '; that comes from FLEET_PASSWORD' : '';
  const expiry = (iso: string | null) => (iso === null ? '' : `${iso} (${ageText(Date.parse(iso), now)})`);
  return {
    columns: [],
    details: [
      { title: 'Service', text: ({ baseUrl }) => baseUrl ?? 'inside this process (--demo)' },
      { title: 'Logged in as', text: ({ username }) => username ?? '' },
      { title: 'Acting for', text: (status) => requestedUser ?? selectedUserText(status) },
      { title: 'Profile', text: ({ profile }) => profile ?? '' },
      { title: 'Access token', text: ({ accessExpiresAt }) => expiry(accessExpiresAt) },
      { title: 'Refreshable', text: ({ refreshUntil }) => expiry(refreshUntil) },
      { title: 'Session stored in', text: ({ sessionKeptIn }) => sessionKeptIn },
      {
        title: '',
        text: () =>
          isDemo ? '' : `in files that only you can read (0600): tokens, never the password${passwordSource}`,
      },
      { title: 'Configuration', text: ({ configuration }) => configuration ?? '' },
    ],
    fields: loginStatusFields,
  };
}

function selectedUserText({ userId, userName, fleetName }: LoginStatus): string {
  if (userId === null) return 'the only user of the login, if there is only one';
  return [userName, fleetName, userId].filter((text) => text !== null).join(' · ');
}
