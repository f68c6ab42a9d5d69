// Builds the people of a fleet with their driver tokens and driver assignments.
import { dayMs } from '../core/durations.js';
import { uuidFromName } from '../core/uuid.js';
import type { AssignmentRecord, DriverTokenRecord, PersonRecord, RoleRecord, VehicleRecord } from '../store/tables.js';
import { randomFromName, type SeededRandom } from './random.js';
import { seededRecord } from './seeded-record.js';
import type { MockLoginUser } from './users.js';

const firstNames = [
  'Anna', 'Jaan', 'Liis', 'Marek', 'Ewa', 'Tomas', 'Ieva', 'Peeter', 'Katrin', 'Jonas', 'Milda', 'Rasmus', 'Olga',
  'Piotr', 'Helena', 'Karl', 'Sofia', 'Martin', 'Laura', 'Andres',
] as const; // biome-ignore format: a list of names reads best in rows
const lastNames = [
  'Tamm', 'Saar', 'Kowalska', 'Nowak', 'Petrauskas', 'Kask', 'Schmidt', 'Weber', 'Kaljula', 'Ozols', 'Mets', 'Lind',
  'Zielinski', 'Varga', 'Horvat', 'Berg', 'Rebane', 'Koppel', 'Jansons', 'Fischer',
] as const; // biome-ignore format: a list of names reads best in rows

export const personFieldNames: readonly string[] = ['Department', 'Shift', 'Shirt size'];

export interface PeopleSeed {
  readonly seed: number;
  readonly fleetId: string;
  readonly foundedAt: number;
  readonly vehicles: readonly VehicleRecord[];
  readonly roles: readonly RoleRecord[];
  /** Each user of the fleet also becomes a person. */
  readonly users: readonly MockLoginUser[];
}

export interface SeededPeople {
  readonly people: PersonRecord[];
  readonly tokens: DriverTokenRecord[];
  readonly assignments: AssignmentRecord[];
}

export function buildPeople(options: PeopleSeed): SeededPeople {
  const result: SeededPeople = { people: [], tokens: [], assignments: [] };
  for (const user of options.users) result.people.push(userPerson(options, user));
  options.vehicles.forEach((_, index) => {
    // Drivers and vehicles have different orders, so that clients do not rely on a common one.
    const vehicle = options.vehicles[(index + 5) % options.vehicles.length];
    if (vehicle === undefined) return;
    // Four vehicles in five have a driver.
    if (index % 5 === 4) return;
    const random = randomFromName(`${options.seed}/${options.fleetId}/driver/${index}`);
    const person = driverPerson(options, vehicle, index, random);
    result.people.push(person);
    if (index % 8 !== 6) result.tokens.push(driverToken(options, person, index, random));
    if (vehicle.deactivated || index % 10 === 3) return;
    result.assignments.push(...assignmentHistory(options, vehicle, person, random));
  });
  return result;
}

function userPerson(options: PeopleSeed, user: MockLoginUser): PersonRecord {
  const random = randomFromName(`${options.seed}/${user.userId}`);
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  return {
    ...seededRecord(options, 'user-person', user.userId, options.foundedAt),
    isUser: true,
    isDriver: false,
    email: `${user.userName}@example.com`,
    phone: `+3725${random.digits(7)}`,
    firstName,
    lastName,
    globalUserId: user.userId,
    licenseNumber: null,
    licenseIssuedIn: null,
    employeeId: `U-${random.digits(4)}`,
    customFields: [
      { name: 'Department', value: 'Dispatch' },
      { name: 'Shift', value: null },
      { name: 'Shirt size', value: null },
    ],
    roleIds: options.roles.slice(user.groupId === null ? 0 : 1, user.groupId === null ? 1 : 2).map((role) => role.id),
    groupId: user.groupId,
  };
}

function driverPerson(options: PeopleSeed, vehicle: VehicleRecord, index: number, random: SeededRandom): PersonRecord {
  const firstName = firstNames[(index * 7 + random.int(0, 2)) % firstNames.length] ?? firstNames[0];
  const lastName = lastNames[(index * 3 + Math.floor(index / 20)) % lastNames.length] ?? lastNames[0];
  const employeeId = `E-${String(1000 + index)}`;
  const isUser = index % 10 === 0;
  return {
    ...seededRecord(options, 'driver', index, vehicle.createdAt),
    isUser,
    isDriver: true,
    email: `${firstName}.${lastName}.${index}@example.com`.toLowerCase(),
    phone: `+3725${random.digits(7)}`,
    firstName,
    lastName,
    globalUserId: isUser ? uuidFromName(`${options.seed}/${options.fleetId}/global-user/${index}`) : null,
    licenseNumber: `LN${random.digits(7)}`,
    licenseIssuedIn: random.pick(['Estonia', 'Lithuania', 'Poland', 'Germany']),
    employeeId,
    customFields: [
      { name: 'Department', value: vehicle.kind === 'car' ? 'Service' : 'Transport' },
      { name: 'Shift', value: random.pick(['Early', 'Late']) },
      { name: 'Shirt size', value: index % 4 === 0 ? null : random.pick(['S', 'M', 'L', 'XL']) },
    ],
    roleIds: options.roles.slice(2, 3).map((role) => role.id),
    groupId: vehicle.groupIds[0] ?? null,
  };
}

function driverToken(
  options: PeopleSeed,
  person: PersonRecord,
  index: number,
  random: SeededRandom,
): DriverTokenRecord {
  let value = '';
  for (let i = 0; i < 16; i += 1) value += random.int(0, 15).toString(16).toUpperCase();
  const at = person.createdAt + dayMs;
  return {
    ...seededRecord(options, 'token', index, at),
    value,
    driverId: person.id,
    lastScanTimestamp: at + random.int(1, 30) * dayMs,
  };
}

/** Returns a past assignment and, after a week's break, an ongoing one. */
function assignmentHistory(
  options: PeopleSeed,
  vehicle: VehicleRecord,
  person: PersonRecord,
  random: SeededRandom,
): AssignmentRecord[] {
  const firstStart = Math.floor(vehicle.createdAt / dayMs) * dayMs + 3 * dayMs;
  const firstEnd = firstStart + random.int(60, 120) * dayMs;
  const secondStart = firstEnd + 7 * dayMs;
  const pair = { vehicleId: vehicle.id, driverId: person.id };
  return [
    {
      ...seededRecord(options, 'assignment/past', vehicle.id, firstStart),
      ...pair,
      startedAt: firstStart,
      endedAt: firstEnd,
      version: 2,
    },
    {
      ...seededRecord(options, 'assignment/current', vehicle.id, secondStart),
      ...pair,
      startedAt: secondStart,
      endedAt: null,
    },
  ];
}
