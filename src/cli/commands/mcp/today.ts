// The fleet today, in one answer: for a morning, and as a resource.
import { connect } from '../../connection/connect.js';
import { type Context, serviceNow } from '../../context/context.js';
import { vehicleChoice } from '../../find/vehicles.js';
import { inputOf, outputOf, readTool, type ToolAnswer } from '../../mcp/tool.js';
import { withDay } from '../../parse/time.js';
import { periodText } from '../../time/period-text.js';
import { countsText } from '../../views/status.js';
import { sumTrips } from '../trips/sum-by.js';
import { periodOfTrips } from '../trips.js';
import { counted, membersInput, someOf, type VehiclesInput, vehicleFlags } from './inputs.js';
import { fleetNow, shownVehicle } from './status.js';
import { shownSum, shownTotal, totalFields, totalText } from './trips.js';

export const fleetToday = readTool<VehiclesInput>({
  name: 'fleet_today',
  title: 'The fleet today',
  description:
    'An overview of today in one answer: vehicles by status, those that are silent or idle now, and kilometres, driving and idle time of each since midnight, the most first. A good first call for a report of the day.',
  input: inputOf(membersInput),
  output: outputOf({
    facts: {
      counts: { type: 'object', description: 'vehicles by status' },
      silent: { type: 'array', items: { type: 'string' }, description: 'without data for 90 minutes or more' },
      idling: { type: 'array', items: { type: 'string' } },
      total: { type: 'object', properties: totalFields },
    },
    row: { vehicle: { type: ['string', 'null'] }, ...totalFields },
  }),
  timeLimitMs: 120_000,
  run: readToday,
});

/** Both parts are asked for at the same time. */
export async function readToday(context: Context, input: VehiclesInput): Promise<ToolAnswer> {
  const period = periodOfTrips(context, withDay(context, { on: 'today' }));
  const choose = vehicleChoice(context, [], vehicleFlags(input));
  const client = await connect(context);
  const [now, sums] = await Promise.all([
    fleetNow(context, input, false),
    sumTrips(context, client, {
      ...{ choose, by: 'vehicle', clip: true, isPart: false },
      span: () => period.span(context, client),
      options: { partial: true, signal: context.io.signal },
    }),
  ]);
  const rows = now.map((row) => shownVehicle(context, row));
  const named = (statuses: readonly string[]) =>
    rows.filter(({ status }) => statuses.includes(status)).map(({ vehicle, id }) => vehicle ?? id ?? '');
  const [silent, idling] = [named(['stale', 'offline', 'unknown']), named(['idling'])];
  const counts = Object.fromEntries(
    [...new Set(now.map(({ status }) => status))].map((one) => [one, named([one]).length]),
  );
  const driven = [...(sums?.rows ?? [])].sort((a, b) => b.distanceKm - a.distanceKm);
  const still = driven.filter(({ trips }) => trips === 0).length;
  const when =
    sums === null
      ? ''
      : ` ${periodText({ ...sums.span, end: Math.min(sums.span.end, serviceNow(context)) }, context.zone.name)}`;
  return {
    summary: `${countsText(now)}.${sums === null ? '' : ` Today${when}: ${totalText(sums.whole)}; ${counted(still, 'vehicle')} without a trip.`} Silent: ${someOf(silent, 8) || 'none'}. Idling now: ${someOf(idling, 8) || 'none'}.`,
    facts: { counts, silent, idling, total: sums === null ? null : shownTotal(sums.whole) },
    rows: driven.map((row) => ({ vehicle: row.vehicle, ...shownSum(row) })),
  };
}
