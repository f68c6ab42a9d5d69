// Which records there are, by what people call them, and one vehicle or person in full.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { FleetClient } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { NamedRows } from '../../find/match.js';
import { findRecord } from '../../find/record.js';
import { inputOf, outputOf, pageInput, readTool, text } from '../../mcp/tool.js';
import { positionIn } from '../../places/places.js';
import { readPlaces } from '../../places/read-places.js';
import { allKinds } from '../../records/all-kinds.js';
import { tokenKind } from '../../records/driver-token.js';
import { geofenceKind } from '../../records/geofence.js';
import { groupKind } from '../../records/group.js';
import { personKind } from '../../records/person.js';
import { type RecordKind, recordId, rowsIn, textsOf } from '../../records/record-kind.js';
import { vehicleKind } from '../../records/vehicle.js';
import { compareValues } from '../../shape/compare.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { fieldsOfPlace, placeTextIn } from '../../views/place.js';
import { counted, localOf, someOf } from './inputs.js';

/** The kinds of records that an assistant may look for. Driver tokens are secrets. */
const kinds = allKinds.filter((kind) => kind !== tokenKind);

const usual: readonly RecordKind<never>[] = [vehicleKind, personKind, geofenceKind, groupKind];

interface Found {
  readonly kind: string;
  readonly name: string | null;
  readonly id: string | null;
  readonly also: string | null;
}

async function lookUpAll(
  context: Context,
  client: FleetClient,
  kind: RecordKind<never>,
  wanted: string | undefined,
): Promise<readonly Found[]> {
  const listed = await allowPartial(context, (options) =>
    call(client, kind.list, {}, { ...options, select: kind.identity }),
  );
  const rows: readonly object[] = rowsIn(kind, listed).filter(
    (row: object) => !isMarkedDeleted(row) && (kind.preferred?.(row) ?? true),
  );
  const named = new NamedRows(kind, rows);
  const whole = wanted === undefined ? rows : named.matches(wanted);
  const found = wanted === undefined || whole.length > 0 ? whole : named.withPart(wanted);
  return found.map((row) => {
    const [own, ...others] = textsOf(kind, row);
    return { kind: kind.noun, name: own ?? null, id: recordId(row), also: others.join(', ') || null };
  });
}

export const findRecordTool = readTool<{
  readonly text?: string;
  readonly kind?: string;
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
      enum: kinds.map(({ noun }) => noun),
      description: 'what to look for; default: vehicles, people, geofences and groups',
    },
    ...pageInput,
  }),
  output: outputOf({
    row: { kind: text, name: text, id: text, also: { ...text, description: 'other names: plate, VIN, e-mail' } },
  }),
  async run(context, { text: wanted, kind, limit, offset }) {
    const looked = kinds.filter((one) => (kind === undefined ? usual.includes(one) : one.noun === kind));
    const query = wanted?.trim() || undefined;
    const client = await connect(context);
    // The lists are one request.
    const lists = await Promise.all(looked.map((one) => lookUpAll(context, client, one, query)));
    const rows = lists.flatMap((list) => [...list].sort((a, b) => compareValues(a.name, b.name)));
    const of = query === undefined ? '' : ` for "${query}"`;
    const what =
      kind === undefined ? counted(rows.length, 'record') : counted(rows.length, kind, looked[0]?.plural ?? `${kind}s`);
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
