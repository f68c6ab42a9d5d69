// Reports that add up trips.
import type { VehicleRecord } from '../store/records.js';
import { regions, type TripTruth } from '../telemetry/telemetry.js';
import {
  type Column,
  column,
  iso,
  localClock,
  type Parameter,
  type Report,
  type ReportRow,
  type ReportRun,
  round,
  trips,
  vehicleCells,
  vehicleColumns,
} from './report.js';

/** Trips added up. */
interface Total {
  trips: number;
  distanceKm: number;
  fuelLitres: number;
  drivingMs: number;
  idleMs: number;
  topSpeedKmh: number;
  harshEvents: number;
}

function add(total: Total | undefined, trip: TripTruth): Total {
  const sum = total ?? {
    trips: 0,
    distanceKm: 0,
    fuelLitres: 0,
    drivingMs: 0,
    idleMs: 0,
    topSpeedKmh: 0,
    harshEvents: 0,
  };
  sum.trips += 1;
  sum.distanceKm += trip.distanceKm;
  sum.fuelLitres += trip.fuelLitres;
  sum.drivingMs += trip.end - trip.start - trip.idleMs;
  sum.idleMs += trip.idleMs;
  sum.topSpeedKmh = Math.max(sum.topSpeedKmh, trip.topSpeedKmh);
  for (const count of Object.values(trip.harshEvents)) sum.harshEvents += count ?? 0;
  return sum;
}

const hours = (ms: number): number => round(ms / 3_600_000);

/** What can be told of added up trips: one cell each. */
const measures = {
  trips: { column: column('trips', 'Trips'), of: (total: Total) => total.trips },
  distance: { column: column('distance', 'Distance', 'km'), of: (total: Total) => round(total.distanceKm) },
  fuel: { column: column('fuel', 'Fuel', 'l'), of: (total: Total) => round(total.fuelLitres) },
  driving: { column: column('driving', 'Driving time', 'h'), of: (total: Total) => hours(total.drivingMs) },
  idle: { column: column('idle', 'Idle time', 'h'), of: (total: Total) => hours(total.idleMs) },
  topSpeed: { column: column('topSpeed', 'Top speed', 'km/h'), of: (total: Total) => round(total.topSpeedKmh, 1) },
  harshEvents: { column: column('harshEvents', 'Harsh events'), of: (total: Total) => total.harshEvents },
  consumption: {
    column: column('consumption', 'Consumption', 'l/100 km'),
    of: (total: Total) => (total.distanceKm > 0 ? round((total.fuelLitres / total.distanceKm) * 100) : null),
  },
  // 2.64 kg of carbon dioxide for a litre of diesel.
  co2: { column: column('co2', 'CO2', 'kg'), of: (total: Total) => round(total.fuelLitres * 2.64) },
} as const;

type Measure = keyof typeof measures;

const cells = (total: Total, names: readonly Measure[]): ReportRow =>
  Object.fromEntries(names.map((name) => [measures[name].column.key, measures[name].of(total)]));
const columns = (names: readonly Measure[]): Column[] => names.map((name) => measures[name].column);

interface Grouping {
  readonly columns: readonly Column[];
  readonly parameters: readonly Parameter[];
  /** Cells of the row that a trip belongs to; null leaves the trip out. Trips with equal cells are added up. */
  readonly rowOf: (run: ReportRun) => (vehicle: VehicleRecord, trip: TripTruth) => ReportRow | null;
}

const byVehicle: Grouping = {
  columns: vehicleColumns,
  parameters: ['period', 'vehicleIds'],
  rowOf: () => vehicleCells,
};

const byDay: Grouping = {
  columns: [...vehicleColumns, column('day', 'Day')],
  parameters: ['period', 'vehicleIds', 'timezone'],
  rowOf({ timezone }) {
    const local = localClock(timezone);
    return (vehicle, trip) => ({ ...vehicleCells(vehicle), day: local(trip.start).day });
  },
};

const byWorkingHours: Grouping = {
  columns: [...vehicleColumns, column('inWorkingHours', 'In working hours')],
  parameters: ['period', 'vehicleIds', 'timezone', 'workingHours'],
  rowOf({ timezone, workingHours: { begin, end } }) {
    const local = localClock(timezone);
    return (vehicle, trip) => {
      const { minute } = local(trip.start);
      // Hours that end before they begin go over midnight.
      const inside = begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
      return { ...vehicleCells(vehicle), inWorkingHours: inside };
    };
  },
};

const byDriver: Grouping = {
  columns: [column('driverId', 'Driver id'), column('driver', 'Driver')],
  parameters: ['period', 'vehicleIds'],
  rowOf:
    ({ context }) =>
    (vehicle, trip) => {
      const assignment = context.assignmentAt(vehicle.id, trip.start);
      const driver = assignment === null ? null : context.scope.person(assignment.driverId);
      if (driver === null) return null;
      return { driverId: driver.id, driver: `${driver.firstName ?? ''} ${driver.lastName ?? ''}`.trim() };
    },
};

const byCountry: Grouping = {
  columns: [...vehicleColumns, column('country', 'Country')],
  parameters: ['period', 'vehicleIds'],
  rowOf: () => (vehicle) => ({
    ...vehicleCells(vehicle),
    country: regions.find((region) => region.name === vehicle.region)?.countryCode ?? null,
  }),
};

const wholeFleet: Grouping = {
  columns: [column('fleet', 'Fleet')],
  parameters: ['period', 'vehicleIds'],
  rowOf:
    ({ context }) =>
    () => ({ fleet: context.fleet.name }),
};

function summary(id: string, title: string, description: string, by: Grouping, names: readonly Measure[]): Report {
  return {
    id,
    title,
    description,
    parameters: by.parameters,
    mostVehicleDays: 10_000,
    columns: [...by.columns, ...columns(names)],
    rows(run) {
      const rowOf = by.rowOf(run);
      const totals = new Map<string, { readonly row: ReportRow; readonly total: Total }>();
      for (const vehicle of run.vehicles) {
        for (const trip of trips(vehicle, run)) {
          const row = rowOf(vehicle, trip);
          if (row === null) continue;
          const key = JSON.stringify(row);
          totals.set(key, { row, total: add(totals.get(key)?.total, trip) });
        }
      }
      return [...totals.values()].map(({ row, total }) => ({ ...row, ...cells(total, names) }));
    },
  };
}

const vehicleTrips: Report = {
  id: 'vehicle-trips',
  title: 'Trips',
  description: 'Every trip of the vehicles.',
  parameters: ['period', 'vehicleIds'],
  mostVehicleDays: 10_000,
  columns: [
    ...vehicleColumns,
    column('start', 'Start'),
    column('end', 'End'),
    column('startOdometer', 'Odometer at the start', 'km'),
    column('endOdometer', 'Odometer at the end', 'km'),
    ...columns(['distance', 'fuel', 'driving', 'idle', 'topSpeed', 'harshEvents']),
  ],
  rows: function* (run) {
    for (const vehicle of run.vehicles) {
      for (const trip of trips(vehicle, run)) {
        yield {
          ...vehicleCells(vehicle),
          start: iso(trip.start),
          end: iso(trip.end),
          startOdometer: round(trip.startOdometerKm, 3),
          endOdometer: round(trip.endOdometerKm, 3),
          ...cells(add(undefined, trip), ['distance', 'fuel', 'driving', 'idle', 'topSpeed', 'harshEvents']),
        };
      }
    }
  },
};

export const tripReports: readonly Report[] = [
  vehicleTrips,
  summary('vehicle-distance', 'Distance by vehicle', 'How far each vehicle went.', byVehicle, ['trips', 'distance']),
  summary('distance-details', 'Distance by day', 'How far each vehicle went on each day.', byDay, [
    'trips',
    'distance',
  ]),
  summary('vehicle-daily-summary', 'Daily summary', 'Each vehicle on each day.', byDay, [
    'trips',
    'distance',
    'driving',
    'idle',
    'fuel',
    'topSpeed',
    'harshEvents',
  ]),
  summary('vehicle-activity', 'Activity', 'Driving within and outside of working hours.', byWorkingHours, [
    'trips',
    'distance',
    'driving',
  ]),
  summary('utilization', 'Utilization', 'How long each vehicle was used on each day.', byDay, ['driving', 'idle']),
  summary('driver-performance', 'Driver performance', 'What each driver drove, and how.', byDriver, [
    'trips',
    'distance',
    'driving',
    'idle',
    'topSpeed',
    'harshEvents',
  ]),
  summary('fleet-performance', 'Fleet performance', 'The whole fleet in one row.', wholeFleet, [
    'trips',
    'distance',
    'driving',
    'idle',
    'fuel',
    'consumption',
    'harshEvents',
  ]),
  summary('emissions', 'Emissions', 'Fuel and carbon dioxide by vehicle.', byVehicle, [
    'distance',
    'fuel',
    'consumption',
    'co2',
  ]),
  summary('ifta-distance', 'Distance by country', 'Distance and fuel by vehicle and country.', byCountry, [
    'distance',
    'fuel',
  ]),
];
