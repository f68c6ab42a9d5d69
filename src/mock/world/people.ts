// The seeded people, their tokens and who drives what since when.
import type {
  AssignmentRecord,
  DriverTokenRecord,
  PersonRecord,
  RoleRecord,
  VehicleRecord,
  Versioned,
} from '../store/records.js';
import { type Random, randomOf, uuidOf } from './random.js';
import type { FleetUser } from './users.js';

const firstNames = [
  'Anna', 'Jaan', 'Liis', 'Marek', 'Ewa', 'Tomas', 'Ieva', 'Peeter', 'Katrin', 'Jonas', 'Milda', 'Rasmus', 'Olga',
  'Piotr', 'Helena', 'Karl', 'Sofia', 'Martin', 'Laura', 'Andres',
] as const; // biome-ignore format: a list of names reads best in rows
const lastNames = [
  'Tamm', 'Saar', 'Kowalska', 'Nowak', 'Petrauskas', 'Kask', 'Schmidt', 'Weber', 'Kaljula', 'Ozols', 'Mets', 'Lind',
  'Zielinski', 'Varga', 'Horvat', 'Berg', 'Rebane', 'Koppel', 'Jansons', 'Fischer',
] as const; // biome-ignore format: a list of names reads best in rows

export const personFieldNames: readonly string[] = ['Department', 'Shift', 'Shirt size'];

const day = 86_400_000;

export interface PeoplePlan {
  readonly seed: number;
  readonly fleetId: string;
  readonly founded: number;
  readonly vehicles: readonly VehicleRecord[];
  readonly roles: readonly RoleRecord[];
  /** Users of the fleet: each is a person of it too. */
  readonly users: readonly FleetUser[];
}

export interface People {
  readonly people: PersonRecord[];
  readonly tokens: DriverTokenRecord[];
  readonly assignments: AssignmentRecord[];
}

export function buildPeople(plan: PeoplePlan): People {
  const built: People = { people: [], tokens: [], assignments: [] };
  for (const user of plan.users) built.people.push(userPerson(plan, user));
  plan.vehicles.forEach((_, place) => {
    // Drivers do not stand in the order of what they drive; nobody should come to rely on that.
    const vehicle = plan.vehicles[(place + 5) % plan.vehicles.length];
    if (vehicle === undefined) return;
    // Four vehicles in five have a driver of their own, and every tenth driver is a user as well.
    if (place % 5 === 4) return;
    const random = randomOf(`${plan.seed}/${plan.fleetId}/driver/${place}`);
    const person = driverPerson(plan, vehicle, place, random);
    built.people.push(person);
    if (place % 8 !== 6) built.tokens.push(token(plan, person, place, random));
    if (vehicle.deactivated || place % 10 === 3) return;
    built.assignments.push(...history(plan, vehicle, person, random));
  });
  return built;
}

function start(plan: PeoplePlan, kind: string, place: number | string, at: number): Versioned {
  const id = uuidOf(`${plan.seed}/${plan.fleetId}/${kind}/${place}`);
  return { id, version: 1, createdAt: at, updatedAt: at, fleetId: plan.fleetId };
}

function userPerson(plan: PeoplePlan, user: FleetUser): PersonRecord {
  const random = randomOf(`${plan.seed}/${user.userId}`);
  const firstName = random.pick(firstNames);
  const lastName = random.pick(lastNames);
  return {
    ...start(plan, 'user-person', user.userId, plan.founded),
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
    roleIds: plan.roles.slice(user.groupId === null ? 0 : 1, user.groupId === null ? 1 : 2).map((role) => role.id),
    groupId: user.groupId,
  };
}

function driverPerson(plan: PeoplePlan, vehicle: VehicleRecord, place: number, random: Random): PersonRecord {
  const firstName = firstNames[(place * 7 + random.int(0, 2)) % firstNames.length] ?? firstNames[0];
  const lastName = lastNames[(place * 3 + Math.floor(place / 20)) % lastNames.length] ?? lastNames[0];
  const employeeId = `E-${String(1000 + place)}`;
  const isUser = place % 10 === 0;
  return {
    ...start(plan, 'driver', place, vehicle.createdAt),
    isUser,
    isDriver: true,
    email: `${firstName}.${lastName}.${place}@example.com`.toLowerCase(),
    phone: `+3725${random.digits(7)}`,
    firstName,
    lastName,
    globalUserId: isUser ? uuidOf(`${plan.seed}/${plan.fleetId}/global-user/${place}`) : null,
    licenseNumber: `LN${random.digits(7)}`,
    licenseIssuedIn: random.pick(['Estonia', 'Lithuania', 'Poland', 'Germany']),
    employeeId,
    customFields: [
      { name: 'Department', value: vehicle.kind === 'car' ? 'Service' : 'Transport' },
      { name: 'Shift', value: random.pick(['Early', 'Late']) },
      { name: 'Shirt size', value: place % 4 === 0 ? null : random.pick(['S', 'M', 'L', 'XL']) },
    ],
    roleIds: plan.roles.slice(2, 3).map((role) => role.id),
    groupId: vehicle.groupIds[0] ?? null,
  };
}

function token(plan: PeoplePlan, person: PersonRecord, place: number, random: Random): DriverTokenRecord {
  let value = '';
  for (let i = 0; i < 16; i += 1) value += random.int(0, 15).toString(16).toUpperCase();
  const at = person.createdAt + day;
  return {
    ...start(plan, 'token', place, at),
    value,
    driverId: person.id,
    lastScanTimestamp: at + random.int(1, 30) * day,
  };
}

/** A period that is over, a week's pause, and the one that still goes on. */
function history(plan: PeoplePlan, vehicle: VehicleRecord, person: PersonRecord, random: Random): AssignmentRecord[] {
  const first = Math.floor(vehicle.createdAt / day) * day + 3 * day;
  const left = first + random.int(60, 120) * day;
  const back = left + 7 * day;
  const pair = { vehicleId: vehicle.id, driverId: person.id };
  return [
    { ...start(plan, 'assignment/past', vehicle.id, first), ...pair, startedAt: first, endedAt: left, version: 2 },
    { ...start(plan, 'assignment/current', vehicle.id, back), ...pair, startedAt: back, endedAt: null },
  ];
}
