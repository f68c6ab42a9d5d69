// Where vehicles are now, and what they are doing.
import { liveStatus, liveStatuses, offlineAfterMs, staleAfterMs } from '../../../telemetry/live-status.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { positionSelection } from '../../../telemetry/visits/past-positions.js';
import { Board } from '../../../telemetry/watch/board.js';
import {
  vehicleReports,
  type WatchedVehicleRow,
  watchedSnapshotSelection,
} from '../../../telemetry/watch/fleet-reader.js';
import { connect } from '../../connection/connect.js';
import { readPastPositions } from '../../connection/past-positions.js';
import { type Context, serviceNow } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { vehicleChoice } from '../../find/vehicles.js';
import { inputOf, number, outputOf, pageInput, readTool, type ToolAnswer, text, yesNo } from '../../mcp/tool.js';
import { pastMoment, readTime } from '../../parse/time.js';
import { readDriversAndPlaces } from '../../places/drivers-and-places.js';
import { readPlaces } from '../../places/read-places.js';
import { compareValues } from '../../shape/compare.js';
import { fieldsOfPlace, placeTextIn } from '../../views/place.js';
import { countsText, type StatusRow } from '../../views/status.js';
import { currentDrivers, deviceClocks, statusRequest, statusRows } from '../../watch/fleet-status.js';
import {
  counted,
  localOf,
  membersInput,
  namesInput,
  roundTo,
  someOf,
  type VehiclesInput,
  vehicleFlags,
} from './inputs.js';

const positionFields = {
  vehicle: text,
  licensePlate: text,
  status: { type: 'string', enum: liveStatuses },
  where: { ...text, description: 'in a geofence, or how far from the nearest one and in which direction' },
  place: { ...text, description: 'the geofence that it is in; null outside of all' },
  latitude: number,
  longitude: number,
  seenAt: { ...text, description: 'when it last sent data' },
  seenSecondsAgo: number,
};

const statusFields = {
  ...positionFields,
  speedKmh: number,
  engineOn: yesNo,
  driver: { ...text, description: 'who is assigned to it now' },
  identifiedDriver: { ...text, description: 'who was identified in it by a token, where that is known' },
  deactivated: yesNo,
  id: text,
};

const thresholds = { staleAfterMs, offlineAfterMs, minMoveMetres: 0 };

/** All vehicles with their places, in the order of their names. */
export async function fleetNow(
  context: Context,
  input: VehiclesInput,
  withDrivers: boolean,
): Promise<readonly StatusRow[]> {
  const client = await connect(context);
  const needs = { active: true, names: true, assignments: withDrivers, places: true, members: vehicleFlags(input) };
  const rows = statusRows(await statusRequest(context, client, needs, new Board(thresholds))({}), serviceNow(context));
  return [...rows].sort((a, b) => compareValues(a.name, b.name));
}

export function shownVehicle(context: Context, row: StatusRow) {
  const now = serviceNow(context);
  const seen = timestampMs(row.timestamp);
  const { name, licensePlate, status, speed, engineStatus, driver, identifiedDriver, deactivated, id } = row;
  return {
    ...{ vehicle: name, licensePlate, status, where: placeTextIn(row) || null, place: row.place },
    ...{ latitude: roundTo(row.latitude, 5), longitude: roundTo(row.longitude, 5) },
    ...{
      seenAt: localOf(context, row.timestamp),
      seenSecondsAgo: seen === null ? null : roundTo((now - seen) / 1_000),
    },
    ...{ speedKmh: roundTo(speed), engineOn: engineStatus, driver, identifiedDriver, deactivated, id },
  };
}

export const whereIs = readTool<{ readonly vehicles: readonly string[]; readonly at?: string }>({
  name: 'where_is',
  title: 'Where vehicles are',
  description:
    'Where one or more named vehicles are now, or were at a time in the past: status, place, position, speed, driver, and how old the position is. For who is around a place use vehicles_near; for the whole fleet use fleet_status.',
  input: inputOf(
    {
      vehicles: {
        ...namesInput,
        description: 'names, licence plates, VINs or ids',
        examples: [['510 JDR'], ['Truck 07', 'Van 02']],
      },
      at: { type: 'string', description: 'a time in the past; default: now', examples: ['yesterday 09:00', '-2h'] },
    },
    ['vehicles'],
  ),
  output: outputOf({ row: statusFields }),
  run: (context, { vehicles, at }) =>
    at === undefined ? whereNow(context, vehicles) : whereThen(context, vehicles, at),
});

async function whereNow(context: Context, names: readonly string[]): Promise<ToolAnswer> {
  const choose = vehicleChoice(context, names, {});
  const client = await connect(context);
  // The lists are one request.
  const [vehicles, known] = await Promise.all([
    choose(client, { lastData: watchedSnapshotSelection, deactivated: true }),
    readDriversAndPlaces(context, client, { driver: true, places: true }),
  ]);
  // The static type is that of the default selection, without what was selected here.
  const rows = vehicles.map(({ id, row }) => row ?? { id }) as readonly WatchedVehicleRow[];
  const reports = vehicleReports(rows);
  const clocks = deviceClocks(context);
  for (const { vehicleId, name, snapshot } of reports)
    clocks.take('getVehicles', vehicleId, snapshot, name ?? vehicleId);
  const board = new Board(thresholds);
  board.take({ vehicles: reports, isComplete: true }, serviceNow(context));
  const drivers = await currentDrivers(context, client, reports, {});
  const deactivated = new Set(vehicles.flatMap(({ id, row }) => (row?.deactivated === true ? [id] : [])));
  const answer = { vehicles: (now: number) => board.vehicles(now), drivers: drivers.byVehicle, deactivated, ...known };
  const now = statusRows(answer, serviceNow(context));
  const told = now
    .slice(0, 5)
    .map((row) => `${row.name ?? row.id} is ${row.status} ${placeTextIn(row) || 'at an unknown place'}`);
  const more = now.length > 5 ? `; and ${now.length - 5} more` : '';
  return { summary: `${told.join('; ')}${more}.`, rows: now.map((row) => shownVehicle(context, row)) };
}

async function whereThen(context: Context, names: readonly string[], at: string): Promise<ToolAnswer> {
  const time = readTime(context, at, 'at');
  if (time.lastMoment !== null)
    throw refusal(`at "${at}" is more than a moment.`, { hint: 'Give a time, such as "yesterday 09:00".' });
  const choose = vehicleChoice(context, names, {});
  const client = await connect(context);
  const [vehicles, places] = await Promise.all([
    choose(client, { lastData: positionSelection }),
    readPlaces(context, client),
  ]);
  const moment = await pastMoment(context, client, time, 'at');
  const { positions, unknown, failed } = await readPastPositions(context, client, vehicles, moment);
  failed.report(context.report);
  const rows = vehicles.flatMap(({ id, name, row }) => {
    const found = positions.get(id);
    if (found === undefined) return [];
    const place = fieldsOfPlace(places.at(found.fix));
    const { latitude, longitude, time: fixed } = found.fix;
    return [
      {
        ...{ vehicle: name, licensePlate: row?.licensePlate ?? null, status: liveStatus(found.row, { now: moment }) },
        ...{ where: placeTextIn(place) || null, place: place.place },
        ...{ latitude: roundTo(latitude, 5), longitude: roundTo(longitude, 5) },
        ...{ seenAt: localOf(context, fixed), seenSecondsAgo: roundTo((moment - fixed) / 1_000), id },
      },
    ];
  });
  const lost = unknown.length === 0 ? '' : ` Unknown: ${someOf(unknown.map(({ name }) => name))}.`;
  const told = rows.slice(0, 5).map(({ vehicle, where }) => `${vehicle} was ${where ?? 'at an unknown place'}`);
  return { summary: `At ${localOf(context, moment)}: ${told.join('; ') || 'no position is known'}.${lost}`, rows };
}

const conditions = [...liveStatuses, 'silent', 'speeding'] as const;

interface FleetStatusInput extends VehiclesInput {
  readonly status?: readonly (typeof conditions)[number][];
  readonly speedOverKmh?: number;
  readonly silentForMinutes?: number;
  readonly withDrivers?: boolean;
  readonly limit?: number;
  readonly offset?: number;
}

export const fleetStatus = readTool<FleetStatusInput>({
  name: 'fleet_status',
  title: 'Status of the fleet now',
  description:
    'How many vehicles are moving, idling, stopped, stale or offline right now, and which: also those that are speeding or silent. Idling: engine on, standing. Stale: no data for 90 minutes. Offline: no data for 6 hours. For times in the past use list_trips or sum_trips.',
  input: inputOf({
    status: {
      ...{ type: 'array', items: { type: 'string', enum: conditions }, minItems: 1 },
      description:
        'only vehicles with one of these; silent: without data for silentForMinutes; speeding: faster than speedOverKmh',
    },
    speedOverKmh: { type: 'number', minimum: 1, description: 'for speeding; default 90' },
    silentForMinutes: { type: 'number', minimum: 1, description: 'for silent; default 90' },
    withDrivers: { type: 'boolean', description: 'name the assigned drivers too, which takes longer in a large fleet' },
    ...membersInput,
    ...pageInput,
  }),
  output: outputOf({
    facts: { counts: { type: 'object', description: 'vehicles by status, of the whole fleet or group' } },
    row: statusFields,
  }),
  async run(context, input) {
    const { status, speedOverKmh = 90, silentForMinutes = 90, limit, offset } = input;
    const all = await fleetNow(context, input, input.withDrivers === true);
    const rows = all
      .map((row) => shownVehicle(context, row))
      .filter((row) => {
        if (status === undefined) return true;
        const isSpeeding = row.status === 'moving' && (row.speedKmh ?? 0) > speedOverKmh;
        const isSilent = row.seenSecondsAgo === null || row.seenSecondsAgo >= silentForMinutes * 60;
        return status.some((one) =>
          one === 'speeding' ? isSpeeding : one === 'silent' ? isSilent : row.status === one,
        );
      });
    const counts = Object.fromEntries(
      liveStatuses
        .map((one) => [one, all.filter((row) => row.status === one).length] as const)
        .filter(([, count]) => count > 0),
    );
    const which =
      status === undefined
        ? ''
        : ` ${counted(rows.length, 'vehicle')} ${rows.length === 1 ? 'is' : 'are'} ${status.join(' or ')}${rows.length > 0 ? `: ${someOf(rows.map((row) => row.vehicle ?? ''))}` : ''}.`;
    return { summary: `${countsText(all)}.${which}`, facts: { counts }, rows, page: { limit, offset } };
  },
});
