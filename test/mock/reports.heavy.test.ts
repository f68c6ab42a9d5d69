// Reports match the records and snapshots from which they are computed.
import { beforeEach, expect, test } from 'vitest';
import { telemetryVehicleOf } from '../../src/mock/store/telemetry-vehicle.js';
import { type Caller, caller, day, frozenService, iso, nobody, noon } from './caller.js';
import { fleetOf } from './living-world.js';

let demo: Caller;
beforeEach(async () => {
  demo = await caller(frozenService({ vehicles: 8 }).fetch);
});

const ids = [
  'distance-details',
  'driver-performance',
  'emissions',
  'engine-diagnostics',
  'fleet-performance',
  'geofence-interaction',
  'group-list',
  'ifta-distance',
  'maintenance-schedule',
  'people-list',
  'safety-events',
  'utilization',
  'vehicle-activity',
  'vehicle-daily-summary',
  'vehicle-distance',
  'vehicle-events',
  'vehicle-idling',
  'vehicle-positions',
  'vehicle-speeding',
  'vehicle-stops',
  'vehicle-trips',
  'vehicles',
];
const lately = { from: iso(noon - 2 * day), to: iso(noon) };
const run = (reportId: string, inputs?: object) =>
  demo('query ($i: WrappedReportInput!) { getWrappedReport(input: $i) { reportId report } }', {
    i: { reportId, inputs },
  });

interface Inputs {
  readonly id: string;
  readonly title: string;
  readonly inputs: Readonly<Record<string, { readonly required: boolean }>>;
}

test('every report that is listed runs with the inputs it lists, and its rows have its columns', async () => {
  const reports: Inputs[] = (
    await demo.data('{ getWrappedReportInputs { id title description onlyFleetTimezone inputs } }')
  ).getWrappedReportInputs;
  expect(reports.map(({ id }) => id)).toEqual(ids);
  for (const { id, inputs } of reports) {
    const answer = await run(id, inputs.period === undefined ? undefined : { period: lately });
    expect(answer.errors, id).toEqual([]);
    const { columns, rows, period } = answer.data.getWrappedReport.report;
    const keys = columns.map(({ key }: { key: string }) => key).sort();
    expect(rows.length, id).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row).sort(), id).toEqual(keys);
    expect(period === null, id).toBe(inputs.period === undefined);
  }
  expect((await demo.data('{ getWrappedReportInputs(id: "vehicle-trips") { id } }')).getWrappedReportInputs).toEqual([
    { id: 'vehicle-trips' },
  ]);
  expect((await demo.data('{ getWrappedReportInputs(id: "none") { id } }')).getWrappedReportInputs).toEqual([]);
});

test('the distances of trips, of days and of the fleet are the same kilometres', async () => {
  const rows = async (id: string) => (await run(id, { period: lately })).data.getWrappedReport.report.rows;
  const sum = (list: { distance: number }[]) => list.reduce((total, row) => total + row.distance, 0);
  const trips = sum(await rows('vehicle-trips'));
  expect(trips).toBeGreaterThan(100);
  for (const id of [
    'vehicle-distance',
    'vehicle-daily-summary',
    'vehicle-activity',
    'fleet-performance',
    'ifta-distance',
  ]) {
    expect(Math.abs(sum(await rows(id)) - trips), id).toBeLessThan(trips / 500);
  }
});

test('the reports of seven days add up to that of the week, and to the odometer', async () => {
  // The trucks of this fleet drive at midnight.
  const { vehicles, telemetry } = fleetOf(1, 25);
  demo = await caller(frozenService({ vehicles: 25 }).fetch);
  const names = ['Truck 03', 'Truck 08', 'Van 01'];
  const some = vehicles.filter(({ name }) => names.includes(name ?? ''));
  const vehicleIds = some.map(({ id }) => id);
  const timezone = 'Europe/Tallinn';
  const monday = Date.parse('2026-02-16T00:00:00+02:00');
  const bounds = Array.from({ length: 8 }, (_, at) => monday + at * day);
  const report = async (reportId: string, from: number, to: number): Promise<Record<string, number | string>[]> => {
    const hasDays = ['distance-details', 'vehicle-daily-summary', 'vehicle-activity'].includes(reportId);
    const inputs = { period: { from: iso(from), to: iso(to) }, vehicleIds, ...(hasDays ? { timezone } : {}) };
    return (await run(reportId, inputs)).data.getWrappedReport.report.rows;
  };
  const sums = (rows: readonly Record<string, number | string>[]) => {
    const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);
    const [trips, distance, fuel, driving, harsh] = ['trips', 'distance', 'fuel', 'driving', 'harshEvents'].map(total);
    return { trips, distance, fuel, driving, harsh };
  };
  const truth = some.reduce((km, vehicle) => {
    const odometer = (time: number) => telemetry.latest(telemetryVehicleOf(vehicle), time)?.odometerKm ?? Number.NaN;
    return km + odometer(monday + 7 * day) - odometer(monday);
  }, 0);
  for (const id of ['vehicle-trips', 'vehicle-daily-summary', 'vehicle-activity', 'fleet-performance']) {
    const week = await report(id, monday, monday + 7 * day);
    const days: Record<string, number | string>[] = [];
    for (const [at, to] of bounds.slice(1).entries()) days.push(...(await report(id, bounds[at] ?? to, to)));
    const [ofWeek, ofDays] = [sums(week), sums(days)];
    expect(ofDays.trips, id).toBe(ofWeek.trips);
    expect(ofDays.harsh, id).toBe(ofWeek.harsh);
    // Each row is rounded to hundredths.
    for (const name of ['distance', 'fuel', 'driving'] as const)
      expect(Math.abs((ofDays[name] ?? 0) - (ofWeek[name] ?? 0)), `${name} of ${id}`).toBeLessThan(0.01 * days.length);
    // The newest rows at the ends may be some seconds old.
    expect(Math.abs((ofWeek.distance ?? 0) - truth), id).toBeLessThan(2);
  }
  // A report by day equals the reports of single days.
  const byDay = await report('distance-details', monday, monday + 7 * day);
  for (const [at, to] of bounds.slice(1).entries()) {
    const own = await report('distance-details', bounds[at] ?? to, to);
    expect(own.sort(byVehicle)).toEqual(byDay.filter(({ day: of }) => of === own[0]?.day).sort(byVehicle));
  }
});

const byVehicle = (one: Record<string, number | string>, other: Record<string, number | string>) =>
  String(one.vehicleId).localeCompare(String(other.vehicleId));

test('inputs are checked', async () => {
  const classOf = async (id: string, inputs?: unknown) =>
    (await run(id, inputs as object)).errors[0]?.extensions.classification;
  expect(await classOf('none')).toBe('NOT_FOUND');
  expect(await classOf('vehicle-trips')).toBe('BAD_REQUEST');
  expect(await classOf('vehicle-trips', { period: { from: lately.to, to: lately.from } })).toBe('BAD_REQUEST');
  expect(await classOf('vehicle-trips', { period: lately, vehicleIds: ['x'] })).toBe('BAD_REQUEST');
  expect(await classOf('vehicle-trips', { period: lately, vehicleIds: [nobody] })).toBe('NOT_FOUND');
  expect(await classOf('vehicle-trips', { period: lately, colour: 'red' })).toBe('BAD_REQUEST');
  expect(await classOf('vehicle-daily-summary', { period: lately, timezone: 'Mars/Base' })).toBe('BAD_REQUEST');
  expect(await classOf('vehicle-activity', { period: lately, workingHours: { begin: '8', end: '17:00' } })).toBe(
    'BAD_REQUEST',
  );
  expect(await classOf('vehicle-positions', { period: { from: '2020-01-01T00:00:00Z', to: lately.to } })).toBe(
    'BAD_REQUEST',
  );
  expect((await demo('{ getWrappedReport(input: {}) { reportId } }')).errors[0]?.message).toBe('reportId is required.');
});
