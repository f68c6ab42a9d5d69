// Who was in geofences over a period.
import { connect } from '../../connection/connect.js';
import { vehicleChoice } from '../../find/vehicles.js';
import { inputOf, number, outputOf, pageInput, readTool, text } from '../../mcp/tool.js';
import { withDay } from '../../parse/time.js';
import { periodText } from '../../time/period-text.js';
import { periodOfVisits, visitsIn } from '../geofences/visits.js';
import {
  counted,
  localOf,
  namesInput,
  type PeriodInput,
  periodInput,
  requiredPeriod,
  someOf,
  type VehiclesInput,
  vehicleFlags,
  vehiclesInput,
} from './inputs.js';

interface VisitsInput extends PeriodInput, VehiclesInput {
  readonly places?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

export const placeVisits = readTool<VisitsInput>({
  name: 'place_visits',
  title: 'Visits of places',
  description:
    'Which vehicles were in geofences over a period, when they came and left, how long they stayed, and who drove. Use it for "who was at the depot yesterday" (places) and "where did Van 02 stop" (vehicles). Either on, or from and to.',
  input: inputOf({
    places: { ...namesInput, description: 'geofences by name or id; default: all', examples: [['Depot Tartu']] },
    ...periodInput,
    ...vehiclesInput,
    ...pageInput,
  }),
  output: outputOf({
    facts: { period: text },
    row: {
      place: text,
      vehicle: text,
      licensePlate: text,
      driver: text,
      enteredAt: { ...text, description: 'null: it was there before the period' },
      leftAt: { ...text, description: 'null: it was still there at the end of the period' },
      staySeconds: { ...number, description: 'inside of the period' },
    },
  }),
  async run(context, input) {
    const { places = [], vehicles = [], limit, offset } = input;
    const period = periodOfVisits(context, withDay(context, requiredPeriod(input)));
    const choose = vehicleChoice(context, vehicles, vehicleFlags(input));
    const client = await connect(context);
    const { rows, span, failed } = await visitsIn(context, client, {
      names: places,
      choose,
      period,
      needsDriver: true,
    });
    failed.report(context.report);
    const when = periodText(span, context.zone.name);
    const visitors = [...new Set(rows.map(({ vehicle }) => vehicle))];
    const where = [...new Set(rows.map(({ geofence }) => geofence))];
    return {
      summary:
        rows.length === 0
          ? `No vehicle was in ${places.length > 0 ? someOf(places) : 'a geofence'} ${when}.`
          : `${counted(rows.length, 'visit')} of ${counted(visitors.length, 'vehicle')} (${someOf(visitors)}) in ${someOf(where)} ${when}.`,
      facts: { period: when },
      rows: rows.map((row) => ({
        ...{ place: row.geofence, vehicle: row.vehicle, licensePlate: row.licensePlate, driver: row.driver || null },
        ...{
          enteredAt: localOf(context, row.enteredAt),
          leftAt: localOf(context, row.leftAt),
          staySeconds: row.dwellSeconds,
        },
      })),
      page: { limit, offset },
    };
  },
});
