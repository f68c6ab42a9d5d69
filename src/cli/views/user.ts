// View of the users of a login.
import type { View } from '../output/view.js';

export interface UserRow {
  readonly userName?: string | null | undefined;
  readonly userId?: string | null | undefined;
  readonly fleetName?: string | null | undefined;
  readonly fleetId?: string | null | undefined;
}

function nameOf({ userName, fleetName }: UserRow): string {
  return userName && fleetName ? `${userName}, ${fleetName}` : '';
}

export function userView(selectedId: string | null): View<UserRow> {
  return {
    columns: [
      { title: '', text: (user) => (user.userId === selectedId ? '*' : ''), rank: 0 },
      { title: 'USER', text: (user) => user.userName ?? '', min: 10, rank: 0 },
      { title: 'FLEET', text: (user) => user.fleetName ?? '', min: 10, rank: 0 },
      { title: 'USER ID', text: (user) => user.userId ?? '', namedBy: nameOf, rank: 0 },
      { title: 'FLEET ID', text: (user) => user.fleetId ?? '', namedBy: ({ fleetName }) => fleetName, rank: 1 },
    ],
    details: [
      { title: 'User', text: (user) => user.userName ?? '' },
      { title: 'User id', text: (user) => user.userId ?? '' },
      { title: 'Fleet', text: (user) => user.fleetName ?? '' },
      { title: 'Fleet id', text: (user) => user.fleetId ?? '' },
    ],
    fields: ['userName', 'userId', 'fleetName', 'fleetId'],
  };
}
