// Reports that add up trips.
import { hourMs } from '../core/durations.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { VehicleRecord } from '../store/tables.js';
import { regions, type TripTruth } from '../telemetry/telemetry.js';
import {
  type Column,
  column,
  localTimeIn,
  type Parameter,
  type ReportDefinition,
  type ReportRow,
  type ReportRun,
  round,
  tripsInPeriod,
  vehicleCells,
  vehicleColumns,
} from './report-definition.js';

/** The sums over several trips. */
interface TripTotals {
  trips: number;
  distanceKm: number;
  fuelLitres: number;
  drivingMs: number;
  idleMs: number;
  topSpeedKmh: number;
  harshEvents: number;
}

function addTrip(previous: TripTotals | undefined, trip: TripTruth): TripTotals {
  const totals = previous ?? {
    trips: 0,
    distanceKm: 0,
    fuelLitres: 0,
    drivingMs: 0,
    idleMs: 0,
    topSpeedKmh: 0,
    harshEvents: 0,
  };
  totals.trips += 1;
  totals.distanceKm += trip.distanceKm;
  totals.fuelLitres += trip.fuelLitres;
  totals.drivingMs += trip.end - trip.start - trip.idleMs;
  totals.idleMs += trip.idleMs;
  totals.topSpeedKmh = Math.max(totals.topSpeedKmh, trip.topSpeedKmh);
  for (const count of Object.values(trip.harshEvents)) totals.harshEvents += count ?? 0;
  return totals;
}

const toHours = (ms: number): number => round(ms / hourMs);

/** The columns that a report can have of added up trips. */
const measures = {
  trips: { column: column('trips', 'Trips'), valueOf: (totals: TripTotals) => totals.trips },
  distance: { column: column('distance', 'Distance', 'km'), valueOf: (totals: TripTotals) => round(totals.distanceKm) },
  fuel: { column: column('fuel', 'Fuel', 'l'), valueOf: (totals: TripTotals) => round(totals.fuelLitres) },
  driving: {
    column: column('driving', 'Driving time', 'h'),
    valueOf: (totals: TripTotals) => toHours(totals.drivingMs),
  },
  idle: { column: column('idle', 'Idle time', 'h'), valueOf: (totals: TripTotals) => toHours(totals.idleMs) },
  topSpeed: {
    column: column('topSpeed', 'Top speed', 'km/h'),
    valueOf: (totals: TripTotals) => round(totals.topSpeedKmh, 1),
  },
  harshEvents: { column: column('harshEvents', 'Harsh events'), valueOf: (totals: TripTotals) => totals.harshEvents },
  consumption: {
    column: column('consumption', 'Consumption', 'l/100 km'),
    valueOf: (totals: TripTotals) =>
      totals.distanceKm > 0 ? round((totals.fuelLitres / totals.distanceKm) * 100) : null,
  },
  // 2.64 kg of carbon dioxide for a litre of diesel.
  co2: { column: column('co2', 'CO2', 'kg'), valueOf: (totals: TripTotals) => round(totals.fuelLitres * 2.64) },
} as const;

type Measure = keyof typeof measures;

const measureCells = (totals: TripTotals, measureNames: readonly Measure[]): ReportRow =>
  Object.fromEntries(measureNames.map((name) => [measures[name].column.key, measures[name].valueOf(totals)]));
const measureColumns = (measureNames: readonly Measure[]): Column[] =>
  measureNames.map((name) => measures[name].column);

interface Grouping {
  readonly columns: readonly Column[];
  readonly parameters: readonly Parameter[];
  /** The cells by which trips are grouped; trips with equal cells are added up. Null leaves a trip out. */
  readonly groupCellsOf: (run: ReportRun) => (vehicle: VehicleRecord, trip: TripTruth) => ReportRow | null;
}

const byVehicle: Grouping = {
  columns: vehicleColumns,
  parameters: ['period', 'vehicleIds'],
  groupCellsOf: () => vehicleCells,
};

const byDay: Grouping = {
  columns: [...vehicleColumns, column('day', 'Day')],
  parameters: ['period', 'vehicleIds', 'timezone'],
  groupCellsOf({ timezone }) {
    const local = localTimeIn(timezone);
    return (vehicle, trip) => ({ ...vehicleCells(vehicle), day: local(trip.start).day });
  },
};

const byWorkingHours: Grouping = {
  columns: [...vehicleColumns, column('inWorkingHours', 'In working hours')],
  parameters: ['period', 'vehicleIds', 'timezone', 'workingHours'],
  groupCellsOf({ timezone, workingHours: { begin, end } }) {
    const local = localTimeIn(timezone);
    return (vehicle, trip) => {
      const { minute } = local(trip.start);
      // Working hours that end before they begin span midnight.
      const isInside = begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
      return { ...vehicleCells(vehicle), inWorkingHours: isInside };
    };
  },
};

const byDriver: Grouping = {
  columns: [column('driverId', 'Driver id'), column('driver', 'Driver')],
  parameters: ['period', 'vehicleIds'],
  groupCellsOf:
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
  groupCellsOf: () => (vehicle) => ({
    ...vehicleCells(vehicle),
    country: regions.find((region) => region.name === vehicle.region)?.countryCode ?? null,
  }),
};

const wholeFleet: Grouping = {
  columns: [column('fleet', 'Fleet')],
  parameters: ['period', 'vehicleIds'],
  groupCellsOf:
    ({ context }) =>
    () => ({ fleet: context.fleet.name }),
};

function groupedReport(
  id: string,
  title: string,
  description: string,
  grouping: Grouping,
  measureNames: readonly Measure[],
): ReportDefinition {
  return {
    id,
    title,
    description,
    parameters: grouping.parameters,
    maxVehicleDays: 10_000,
    columns: [...grouping.columns, ...measureColumns(measureNames)],
    rows(run) {
      const groupCellsOf = grouping.groupCellsOf(run);
      const totals = new Map<string, { readonly row: ReportRow; readonly totals: TripTotals }>();
      for (const vehicle of run.vehicles) {
        for (const trip of tripsInPeriod(vehicle, run)) {
          const row = groupCellsOf(vehicle, trip);
          if (row === null) continue;
          const key = JSON.stringify(row);
          totals.set(key, { row, totals: addTrip(totals.get(key)?.totals, trip) });
        }
      }
      return [...totals.values()].map(({ row, totals }) => ({ ...row, ...measureCells(totals, measureNames) }));
    },
  };
}

const vehicleTrips: ReportDefinition = {
  id: 'vehicle-trips',
  title: 'Trips',
  description: 'Every trip of the vehicles.',
  parameters: ['period', 'vehicleIds'],
  maxVehicleDays: 10_000,
  columns: [
    ...vehicleColumns,
    column('start', 'Start'),
    column('end', 'End'),
    column('startOdometer', 'Odometer at the start', 'km'),
    column('endOdometer', 'Odometer at the end', 'km'),
    ...measureColumns(['distance', 'fuel', 'driving', 'idle', 'topSpeed', 'harshEvents']),
  ],
  rows: function* (run) {
    for (const vehicle of run.vehicles) {
      for (const trip of tripsInPeriod(vehicle, run)) {
        yield {
          ...vehicleCells(vehicle),
          start: toRfc3339(trip.start),
          end: toRfc3339(trip.end),
          startOdometer: round(trip.startOdometerKm, 3),
          endOdometer: round(trip.endOdometerKm, 3),
          ...measureCells(addTrip(undefined, trip), ['distance', 'fuel', 'driving', 'idle', 'topSpeed', 'harshEvents']),
        };
      }
    }
  },
};

export const tripReports: readonly ReportDefinition[] = [
  vehicleTrips,
  groupedReport('vehicle-distance', 'Distance by vehicle', 'How far each vehicle went.', byVehicle, [
    'trips',
    'distance',
  ]),
  groupedReport('distance-details', 'Distance by day', 'How far each vehicle went on each day.', byDay, [
    'trips',
    'distance',
  ]),
  groupedReport('vehicle-daily-summary', 'Daily summary', 'Each vehicle on each day.', byDay, [
    'trips',
    'distance',
    'driving',
    'idle',
    'fuel',
    'topSpeed',
    'harshEvents',
  ]),
  groupedReport('vehicle-activity', 'Activity', 'Driving within and outside of working hours.', byWorkingHours, [
    'trips',
    'distance',
    'driving',
  ]),
  groupedReport('utilization', 'Utilization', 'How long each vehicle was used on each day.', byDay, [
    'driving',
    'idle',
  ]),
  groupedReport('driver-performance', 'Driver performance', 'What each driver drove, and how.', byDriver, [
    'trips',
    'distance',
    'driving',
    'idle',
    'topSpeed',
    'harshEvents',
  ]),
  groupedReport('fleet-performance', 'Fleet performance', 'The whole fleet in one row.', wholeFleet, [
    'trips',
    'distance',
    'driving',
    'idle',
    'fuel',
    'consumption',
    'harshEvents',
  ]),
  groupedReport('emissions', 'Emissions', 'Fuel and carbon dioxide by vehicle.', byVehicle, [
    'distance',
    'fuel',
    'consumption',
    'co2',
  ]),
  groupedReport('ifta-distance', 'Distance by country', 'Distance and fuel by vehicle and country.', byCountry, [
    'distance',
    'fuel',
  ]),
];
