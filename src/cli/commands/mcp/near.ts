// Which vehicles are around a place.
import { connect } from '../../connection/connect.js';
import { refusal } from '../../errors/cli-error.js';
import { inputOf, number, outputOf, pageInput, readTool, text } from '../../mcp/tool.js';
import { distance } from '../../parse/distance.js';
import { distanceText } from '../../views/place.js';
import { nearSearch } from '../vehicles/near.js';
import { counted, localOf, membersInput, roundTo, someOf, type VehiclesInput, vehicleFlags } from './inputs.js';

interface NearInput extends VehiclesInput {
  readonly place: string;
  readonly radius?: string;
  readonly at?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export const vehiclesNear = readTool<NearInput>({
  name: 'vehicles_near',
  title: 'Vehicles near a place',
  description:
    'The vehicles around a geofence or a position, the nearest first, now or at a time in the past. Use it for "who is closest to the customer" and "which vans were at the depot at 9". For who came and left over a period use place_visits.',
  input: inputOf(
    {
      place: {
        type: 'string',
        description: 'a geofence by name or id, or latitude,longitude',
        examples: ['Depot Tartu', '58.38,26.72'],
      },
      radius: { type: 'string', description: 'only those within this distance', examples: ['500m', '5km', '3mi'] },
      at: { type: 'string', description: 'where they were at this time; default: now', examples: ['yesterday 09:00'] },
      ...membersInput,
      ...pageInput,
    },
    ['place'],
  ),
  output: outputOf({
    facts: { around: text },
    row: {
      vehicle: text,
      licensePlate: text,
      distanceM: { ...number, description: 'from the edge of the place; 0 inside' },
      direction: { ...text, description: 'from the place to the vehicle' },
      status: text,
      place: text,
      latitude: number,
      longitude: number,
      seenAt: text,
      id: text,
    },
  }),
  async run(context, { place, radius, at, limit, offset, ...members }) {
    const flags = {
      ...vehicleFlags(members),
      ...(radius === undefined ? {} : { radius: metresOf(radius) }),
      ...(at === undefined ? {} : { at }),
    };
    const find = nearSearch(context, place, flags, true);
    const { rows, target, past } = await find(await connect(context));
    past?.failed.report(context.report);
    const when = past === null ? '' : ` at ${localOf(context, past.moment)}`;
    const within = flags.radius === undefined ? 'around' : `within ${distanceText(flags.radius)} of`;
    const nearest = rows.slice(0, 5).map(({ name, id, distanceM }) => `${name ?? id} (${distanceText(distanceM)})`);
    return {
      summary: `${counted(rows.length, 'vehicle')} ${within} ${target.name}${when}${nearest.length > 0 ? `: ${someOf(nearest)}` : ''}.`,
      facts: { around: target.name },
      rows: rows.map((row) => ({
        ...{ vehicle: row.name, licensePlate: row.licensePlate, distanceM: row.distanceM, direction: row.direction },
        ...{ status: row.status, place: row.place ?? null },
        ...{ latitude: roundTo(row.latitude, 5), longitude: roundTo(row.longitude, 5) },
        ...{ seenAt: localOf(context, row.locationTimestamp ?? row.timestamp), id: row.id },
      })),
      page: { limit, offset },
    };
  },
});

function metresOf(radius: string): number {
  try {
    return distance(radius);
  } catch {
    throw refusal(`radius "${radius}" is not a distance.`, { hint: 'Write it as 500m, 5km or 3mi.' });
  }
}
