// View of profiles.
import type { View } from '../output/view.js';
import { ageText } from './humanize.js';

export interface ProfileRow {
  readonly name: string;
  /** True for the profile of commands without --profile. */
  readonly isUsed: boolean;
  readonly baseUrl: string | null;
  readonly username: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly fleetName: string | null;
  /** RFC 3339; null when logged out. */
  readonly loggedInUntil: string | null;
}

export const profileView: View<ProfileRow> = {
  columns: [
    { title: '', text: ({ isUsed }) => (isUsed ? '*' : ''), rank: 0 },
    { title: 'PROFILE', text: ({ name }) => name, rank: 0 },
    { title: 'SERVICE', text: ({ baseUrl }) => baseUrl ?? '', min: 16, rank: 0 },
    { title: 'LOGIN', text: ({ username }) => username ?? '', min: 8, rank: 1 },
    { title: 'ACTING FOR', text: actingFor, min: 10, rank: 3 },
    {
      title: 'SESSION',
      text: ({ loggedInUntil }, { now }) => sessionText(loggedInUntil, now),
      paint: (text, { loggedInUntil }, { colors, now }) => (isExpired(loggedInUntil, now) ? colors.dim(text) : text),
      rank: 2,
    },
  ],
  fields: ['name', 'isUsed', 'baseUrl', 'username', 'userId', 'userName', 'fleetName', 'loggedInUntil'],
};

function actingFor({ userName, userId, fleetName }: ProfileRow): string {
  return [userName ?? userId, fleetName].filter((text) => text !== null).join(' · ');
}

function sessionText(until: string | null, now: number): string {
  if (until === null) return 'logged out';
  return isExpired(until, now) ? 'expired' : `expires ${ageText(Date.parse(until), now)}`;
}

function isExpired(until: string | null, now: number): boolean {
  return until === null || Date.parse(until) <= now;
}
