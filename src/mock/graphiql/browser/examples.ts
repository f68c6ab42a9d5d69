// The menu of example operations by theme, filled with ids of records that the user can see. The
// build writes the list from operations/.
import type { Fetcher } from './dom.js';
import { propertyOf } from './session.js';

export interface Example {
  readonly name: string;
  readonly document: string;
  /** A text such as `{vehicleId}` is a placeholder for a record's id. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface PageTheme {
  readonly title: string;
  readonly examples: readonly Example[];
}

type RecordIds = Readonly<Record<string, string>>;

const placeholder = /^\{(\w+)\}$/;

const idsQuery = `query idsForExamples {
  getVehicles { id lastData { timestamp } assignedDevices { id } }
  getPeople { id isDriver driverTokens { id } }
  getGeofences { id }
  getGroups { id }
  getRoles { id }
  getRules { id }
  getWorkSchedules { id }
}`;

/** Reads the themes from the service that serves the page. */
export async function readThemes(get: (url: string) => Promise<Response>): Promise<readonly PageTheme[]> {
  const response = await get('graphiql/assets/operations.json');
  if (!response.ok) return [];
  // The build writes the file from these types.
  return (await response.json()) as readonly PageTheme[];
}

export function needsRecords({ variables }: Example): boolean {
  return JSON.stringify(variables).includes('"{');
}

/** Returns the id of one record of each kind; kinds without a record are missing. */
export async function findExampleRecords(send: Fetcher): Promise<RecordIds> {
  const data = propertyOf(await send({ query: idsQuery }), 'data');
  const rows = (name: string): readonly unknown[] => listOf(propertyOf(data, name));
  const people = rows('getPeople');
  const drivers = people.filter((person) => propertyOf(person, 'isDriver') === true);
  const groups = rows('getGroups');
  // Another vehicle may have newer rows, but the period must contain a row of this one.
  const last = rows('getVehicles').flatMap(
    (vehicle) => Date.parse(String(propertyOf(propertyOf(vehicle, 'lastData'), 'timestamp'))) || [],
  );
  const to = last[0] ?? null;
  const first = (from: readonly unknown[]): unknown => propertyOf(from[0], 'id');
  const found = {
    vehicleId: first(rows('getVehicles')),
    deviceId: first(rows('getVehicles').flatMap((vehicle) => listOf(propertyOf(vehicle, 'assignedDevices')))),
    personId: first(people),
    driverId: first(drivers),
    tokenId: first(people.flatMap((person) => listOf(propertyOf(person, 'driverTokens')))),
    geofenceId: first(rows('getGeofences')),
    groupId: first(groups),
    otherGroupId: propertyOf(groups[1], 'id'),
    roleId: first(rows('getRoles')),
    ruleId: first(rows('getRules')),
    scheduleId: first(rows('getWorkSchedules')),
    from: to === null ? null : new Date(to - 600_000).toISOString(),
    to: to === null ? null : new Date(to).toISOString(),
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Returns the variables as text for the editor. Unknown ids stay placeholders. */
export function variablesText({ variables }: Example, recordIds: RecordIds): string {
  if (Object.keys(variables).length === 0) return '';
  const fill = (_key: string, value: unknown): unknown => {
    const name = typeof value === 'string' ? placeholder.exec(value)?.[1] : undefined;
    return name === undefined ? value : (recordIds[name] ?? value);
  };
  return JSON.stringify(variables, fill, 2);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
