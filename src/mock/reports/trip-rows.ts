// Report rows about trips: single trips or sums.
import { dayMs, hourMs, minuteMs } from '../core/durations.js';
import { toRfc3339 } from '../core/rfc3339.js';
import type { VehicleRecord } from '../store/tables.js';
import { telemetryVehicleOf } from '../store/telemetry-vehicle.js';
import { regions, type TripPart } from '../telemetry/telemetry.js';
import type { ColumnKey } from './columns.js';
import type { Cells, ReportRun, ReportSource } from './run-report.js';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Yields each vehicle's parts of trips within the spans. */
function* partsOfTrips(
  run: ReportRun,
  spans: readonly Span[] = [run.period],
): Generator<{ readonly vehicle: VehicleRecord; readonly trip: TripPart }> {
  for (const vehicle of run.vehicles)
    for (const { from, to } of spans)
      for (const trip of run.context.telemetry.tripParts(telemetryVehicleOf(vehicle), from, to))
        yield { vehicle, trip };
}

export const round = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** Returns the sums of trip parts. Only the part where a trip begins counts as a trip. */
function totalCells(trips: readonly TripPart[]): Cells {
  const sumOf = (count: (trip: TripPart) => number): number => trips.reduce((sum, trip) => sum + count(trip), 0);
  const distanceKm = sumOf((trip) => trip.distanceKm);
  const fuelLitres = sumOf((trip) => trip.fuelLitres);
  return {
    trips: trips.filter(({ isContinued }) => !isContinued).length,
    distance: round(distanceKm),
    fuel: round(fuelLitres),
    driving: round(sumOf(({ start, end, idleMs }) => end - start - idleMs) / hourMs),
    idle: round(sumOf(({ idleMs }) => idleMs) / hourMs),
    topSpeed: round(
      trips.reduce((top, { topSpeedKmh }) => Math.max(top, topSpeedKmh), 0),
      1,
    ),
    harshEvents: sumOf(({ harshEvents }) => Object.values(harshEvents).reduce((sum, count) => sum + (count ?? 0), 0)),
    consumption: distanceKm > 0 ? round((fuelLitres / distanceKm) * 100) : null,
    // A litre of diesel emits 2.64 kg of carbon dioxide.
    co2: round(fuelLitres * 2.64),
  };
}

const vehicleColumns: readonly ColumnKey[] = ['vehicleId', 'vehicle'];
export const vehicleCells = ({ id, name }: VehicleRecord): Cells => ({ vehicleId: id, vehicle: name });

export const eachTrip: ReportSource = {
  inputs: ['period', 'vehicleIds'],
  maxVehicleDays: 10_000,
  columns: [...vehicleColumns, 'start', 'end'],
  *rows(run) {
    for (const { vehicle, trip } of partsOfTrips(run))
      yield {
        ...vehicleCells(vehicle),
        ...totalCells([trip]),
        start: toRfc3339(trip.start),
        end: toRfc3339(trip.end),
        startOdometer: round(trip.startOdometerKm, 3),
        endOdometer: round(trip.endOdometerKm, 3),
      };
  },
};

/** Returns the grouping cells of a trip; null excludes the trip. */
type CellsOfTrip = (vehicle: VehicleRecord, trip: TripPart) => Cells | null;

/** Sums trips with equal grouping cells. `spansOf` returns the spans at which trips are split. */
function tripsBy(
  columns: readonly ColumnKey[],
  cellsIn: (run: ReportRun) => CellsOfTrip,
  moreInputs: ReportSource['inputs'] = [],
  spansOf?: (run: ReportRun) => readonly Span[],
): ReportSource {
  return {
    inputs: ['period', 'vehicleIds', ...moreInputs],
    maxVehicleDays: 10_000,
    columns,
    rows(run) {
      const cellsOf = cellsIn(run);
      const sums = new Map<string, { readonly cells: Cells; readonly trips: TripPart[] }>();
      for (const { vehicle, trip } of partsOfTrips(run, spansOf?.(run))) {
        const cells = cellsOf(vehicle, trip);
        if (cells === null) continue;
        const key = JSON.stringify(cells);
        const sum = sums.get(key) ?? { cells, trips: [] };
        sum.trips.push(trip);
        sums.set(key, sum);
      }
      return [...sums.values()].map(({ cells, trips }) => ({ ...cells, ...totalCells(trips) }));
    },
  };
}

function localTimeIn(timeZone: string): (time: number) => { day: string; minute: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return { day: `${part.year}-${part.month}-${part.day}`, minute: Number(part.hour) * 60 + Number(part.minute) };
  };
}

function localDays({ period: { from, to }, timezone }: ReportRun): readonly Span[] {
  const local = localTimeIn(timezone);
  const days: Span[] = [];
  for (let begin = from; begin < to; ) {
    const { day } = local(begin);
    // Bisects for the next midnight: a local day is under two days long and starts on a minute.
    let [before, after] = [Math.floor(begin / minuteMs), Math.floor((begin + 2 * dayMs) / minuteMs)];
    while (after - before > 1) {
      const middle = (before + after) >> 1;
      if (local(middle * minuteMs).day === day) before = middle;
      else after = middle;
    }
    days.push({ from: begin, to: Math.min(after * minuteMs, to) });
    begin = after * minuteMs;
  }
  return days;
}

export const byVehicle = tripsBy(vehicleColumns, () => vehicleCells);

export const byDay = tripsBy(
  [...vehicleColumns, 'day'],
  ({ timezone }) => {
    const local = localTimeIn(timezone);
    return (vehicle, { start }) => ({ ...vehicleCells(vehicle), day: local(start).day });
  },
  ['timezone'],
  localDays,
);

export const byWorkingHours = tripsBy(
  [...vehicleColumns, 'inWorkingHours'],
  ({ timezone, workingHours: { begin, end } }) => {
    const local = localTimeIn(timezone);
    return (vehicle, { start }) => {
      const { minute } = local(start);
      // Working hours that end before they begin span midnight.
      const isInside = begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end;
      return { ...vehicleCells(vehicle), inWorkingHours: isInside };
    };
  },
  ['timezone', 'workingHours'],
  localDays,
);

export const byDriver = tripsBy(['driverId', 'driver'], ({ context }) => (vehicle, { start }) => {
  const assignment = context.assignmentAt(vehicle.id, start);
  const driver = assignment === null ? null : context.scope.person(assignment.driverId);
  if (driver === null) return null;
  return { driverId: driver.id, driver: `${driver.firstName ?? ''} ${driver.lastName ?? ''}`.trim() };
});

export const byCountry = tripsBy([...vehicleColumns, 'country'], () => (vehicle) => ({
  ...vehicleCells(vehicle),
  country: regions.find(({ name }) => name === vehicle.region)?.countryCode ?? null,
}));

export const ofFleet = tripsBy(['fleet'], ({ context }) => () => ({ fleet: context.fleet.name }));
