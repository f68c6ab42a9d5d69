// Which records there are, by what people call them, and one vehicle or person in full.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { FleetClient } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import type { Kind } from '../../find/kind.js';
import {
  driverKind,
  geofenceKind,
  groupKind,
  labelKind,
  personKind,
  roleKind,
  ruleKind,
  scheduleKind,
  vehicleKind,
  vehicleTypeKind,
} from '../../find/kinds.js';
import { matchesOf } from '../../find/match.js';
import { findRecord } from '../../find/record.js';
import { inputOf, outputOf, pageInput, readTool, text } from '../../mcp/tool.js';
import { positionIn } from '../../places/places.js';
import { readPlaces } from '../../places/read-places.js';
import { compareValues } from '../../shape/compare.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { fieldsOfPlace, placeTextIn } from '../../views/place.js';
import { counted, localOf, someOf } from './inputs.js';

/** Each with its own type of rows: what is found is told by the functions of the kind. */
const kinds = {
  vehicle: lookup(vehicleKind),
  driver: lookup(driverKind, ({ isDriver }) => isDriver === true),
  person: lookup(personKind),
  geofence: lookup(geofenceKind),
  group: lookup(groupKind),
  label: lookup(labelKind),
  'vehicle type': lookup(vehicleTypeKind),
  role: lookup(roleKind),
  rule: lookup(ruleKind),
  'work schedule': lookup(scheduleKind),
};

type KindName = keyof typeof kinds;
const kindNames = Object.keys(kinds) as readonly KindName[];

interface Found {
  readonly kind: KindName;
  readonly name: string | null;
  readonly id: string | null;
  readonly also: string | null;
}

type Lookup = (
  context: Context,
  client: FleetClient,
  kind: KindName,
  wanted: string | undefined,
) => Promise<readonly Found[]>;

function lookup<Row extends object>(kind: Kind<Row>, isOne: (row: Row) => boolean = () => true): Lookup {
  return async (context, client, name, wanted) => {
    const listed = await allowPartial(context, (options) =>
      call(client, kind.list, {}, { ...options, select: kind.identity }),
    );
    // The Row of a kind is the row of its list operation.
    const rows = (listed as readonly unknown[] as readonly Row[]).filter((row) => !isMarkedDeleted(row) && isOne(row));
    const found = wanted === undefined ? rows : matchesOf(kind, wanted, rows, true);
    return found.map((row) => {
      const [own, ...others] = [...kind.texts(row), ...(kind.codes?.(row) ?? [])].filter(Boolean);
      return { kind: name, name: own ?? null, id: kind.id(row) ?? null, also: others.join(', ') || null };
    });
  };
}

export const findRecordTool = readTool<{
  readonly text?: string;
  readonly kind?: KindName;
  readonly limit?: number;
  readonly offset?: number;
}>({
  name: 'find_record',
  title: 'Find records by name',
  description:
    'Finds vehicles, drivers, people, geofences (places), groups, labels and others by what people call them: a name, a part of it, a licence plate, a VIN, an e-mail. Without text it lists all of a kind. Other tools take names too: call this when a name is not clear.',
  input: inputOf({
    text: {
      type: 'string',
      description: 'a name or a part of one; default: all of the kind',
      examples: ['510 JDR', 'Anna', 'Depot'],
    },
    kind: {
      type: 'string',
      enum: kindNames,
      description: 'what to look for; default: vehicles, people, geofences and groups',
    },
    ...pageInput,
  }),
  output: outputOf({
    row: { kind: text, name: text, id: text, also: { ...text, description: 'other names: plate, VIN, e-mail' } },
  }),
  async run(context, { text: wanted, kind, limit, offset }) {
    const looked: readonly KindName[] = kind === undefined ? ['vehicle', 'person', 'geofence', 'group'] : [kind];
    const query = wanted?.trim() || undefined;
    const client = await connect(context);
    // The lists are one request.
    const lists = await Promise.all(looked.map((one) => kinds[one](context, client, one, query)));
    const rows = lists.flatMap((list) => [...list].sort((a, b) => compareValues(a.name, b.name)));
    const of = query === undefined ? '' : ` for "${query}"`;
    const what =
      kind === undefined
        ? counted(rows.length, 'record')
        : counted(rows.length, kind, kind === 'person' ? 'people' : `${kind}s`);
    return {
      summary: `${what}${of}${rows.length === 0 ? '' : `: ${someOf(rows.map(({ name, id }) => name ?? id ?? ''))}`}.`,
      rows: rows.map((row) => ({ ...row })),
      page: { limit, offset },
    };
  },
});

const vehicleSelection: SelectionTree = {
  id: true,
  name: true,
  licensePlate: true,
  vin: true,
  make: true,
  model: true,
  year: true,
  deactivated: true,
  lastOdometer: true,
  lastWorkingHours: true,
  vehicleType: { name: true },
  workSchedule: { name: true },
  assignedGroups: { name: true },
  assignedLabels: { name: true },
  customFields: { name: true, value: true },
  assignedDevices: { serial: true, deviceTypeKey: true, enabled: true },
  lastData: {
    timestamp: true,
    gps: { latitude: true, longitude: true, speed: true },
    ignition: { engineStatus: true },
    fuel: { fuel: true },
    canBus: { canDistance: true, canFuel: true, checkEngineWarning: true },
  },
};

const personSelection: SelectionTree = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  employeeId: true,
  isDriver: true,
  isUser: true,
  licenseNumber: true,
  roles: { name: true },
  customFields: { name: true, value: true },
};

export const recordDetails = readTool<{ readonly kind: 'vehicle' | 'person'; readonly name: string }>({
  name: 'record_details',
  title: 'One vehicle or person in full',
  description:
    'The data of one vehicle (make, model, year, VIN, type, groups, labels, custom fields, odometer, working hours, last position, fuel) or one person (contact, licence, roles, custom fields).',
  input: inputOf(
    {
      kind: { type: 'string', enum: ['vehicle', 'person'] },
      name: { type: 'string', description: 'name, plate, VIN, e-mail or id', examples: ['Truck 07', 'Anna Lind'] },
    },
    ['kind', 'name'],
  ),
  output: outputOf({ facts: { record: { type: 'object' } } }),
  async run(context, { kind, name }) {
    const client = await connect(context);
    if (kind === 'person') {
      const person = await findRecord(context, client, personKind, name, { substring: true, select: personSelection });
      const full = [person.firstName, person.lastName].filter(Boolean).join(' ');
      return { summary: `${full || person.id}.`, facts: { record: withoutEmpty(person) } };
    }
    const [vehicle, places] = await Promise.all([
      findRecord(context, client, vehicleKind, name, { substring: true, select: vehicleSelection }),
      readPlaces(context, client),
    ]);
    const where = placeTextIn(fieldsOfPlace(places.at(positionIn(vehicle.lastData?.gps)))) || null;
    const { timestamp } = Object(vehicle.lastData ?? {});
    const make = [vehicle.make, vehicle.model, vehicle.year].filter(Boolean).join(' ');
    return {
      summary: `${vehicle.name ?? vehicle.id}${make ? `, ${make}` : ''}${where === null ? '' : `, last seen ${where}`}.`,
      facts: { record: { ...withoutEmpty(vehicle), where, seenAt: localOf(context, timestamp) } },
    };
  },
});

/** Names in the place of records that have only those. */
function withoutEmpty(record: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
        return [];
      return [[name, Array.isArray(value) ? value.map(nameAlone) : nameAlone(value)]];
    }),
  );
}

function nameAlone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return entries.length === 1 && entries[0]?.[0] === 'name' ? entries[0][1] : value;
}
