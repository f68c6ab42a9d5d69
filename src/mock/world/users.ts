// Who can log in, and as whom. A login holds one or several users; a user belongs to one fleet and sees all of it or one group.
import { groupIdOf } from './groups.js';
import { uuidOf } from './random.js';

/** A login of the reference service, as `createMockService({ users })` takes it. */
export interface MockUser {
  readonly username: string;
  readonly password: string;
  readonly entries: readonly {
    /** Name of the fleet. Entries that name the same fleet share its data. */
    readonly fleet: string;
    /** Name of the group whose vehicles (its subgroups' too) are all that the user sees. Left out: the whole fleet. */
    readonly group?: string | undefined;
    /** Name of the user; the username when left out. */
    readonly userName?: string | undefined;
  }[];
}

/** The name of the fleet whose size `createMockService({ vehicles })` sets. */
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

export interface FleetUser {
  readonly userId: string;
  readonly userName: string;
  readonly fleetId: string;
  readonly fleetName: string;
  /** The group the user is limited to; null: the whole fleet. */
  readonly groupId: string | null;
}

export interface Login {
  readonly username: string;
  readonly password: string;
  readonly users: readonly FleetUser[];
}

export const fleetIdOf = (seed: number, fleet: string): string => uuidOf(`${seed}/fleet/${fleet}`);

export function createLogins(seed: number, users: readonly MockUser[]): readonly Login[] {
  return users.map((user) => ({
    username: user.username,
    password: user.password,
    users: user.entries.map((entry, place) => {
      const fleetId = fleetIdOf(seed, entry.fleet);
      return {
        userId: uuidOf(`${seed}/user/${user.username}/${place}/${entry.fleet}`),
        userName: entry.userName ?? user.username,
        fleetId,
        fleetName: entry.fleet,
        groupId: entry.group === undefined ? null : groupIdOf(seed, fleetId, entry.group),
      };
    }),
  }));
}
