// The logins and their users. A user belongs to one fleet and sees all of it or one group.
import { uuidFromName } from '../core/uuid.js';
import type { ScopedUser } from '../store/visibility.js';
import { groupIdOf } from './groups.js';

/** A login for `createMockService({ users })`. */
export interface MockUser {
  readonly username: string;
  readonly password: string;
  readonly entries: readonly {
    /** Fleet name. Entries with the same fleet name share its data. */
    readonly fleet: string;
    /** Group that limits the user, with its subgroups. Default: the whole fleet. */
    readonly group?: string | undefined;
    /** Name of the user. Default: the username. */
    readonly userName?: string | undefined;
  }[];
}

/** Name of the fleet whose size `createMockService({ vehicles })` sets. */
export const demoFleet = 'Demo Fleet';

export const defaultUsers: readonly MockUser[] = [
  { username: 'demo', password: 'demo', entries: [{ fleet: demoFleet }] },
  {
    username: 'multi',
    password: 'multi',
    entries: [{ fleet: 'North Fleet' }, { fleet: 'South Fleet' }, { fleet: 'West Fleet' }],
  },
  { username: 'limited', password: 'limited', entries: [{ fleet: demoFleet, group: 'Deliveries' }] },
];

export interface MockLoginUser extends ScopedUser {
  readonly userName: string;
  readonly fleetId: string;
  readonly fleetName: string;
}

export interface Login {
  readonly username: string;
  readonly password: string;
  readonly users: readonly MockLoginUser[];
}

const fleetIdOf = (seed: number, fleet: string): string => uuidFromName(`${seed}/fleet/${fleet}`);

export function createLogins(seed: number, users: readonly MockUser[]): readonly Login[] {
  return users.map((user) => ({
    username: user.username,
    password: user.password,
    users: user.entries.map((entry, index) => {
      const fleetId = fleetIdOf(seed, entry.fleet);
      return {
        userId: uuidFromName(`${seed}/user/${user.username}/${index}/${entry.fleet}`),
        userName: entry.userName ?? user.username,
        fleetId,
        fleetName: entry.fleet,
        groupId: entry.group === undefined ? null : groupIdOf(seed, fleetId, entry.group),
      };
    }),
  }));
}
