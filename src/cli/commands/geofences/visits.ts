// `fleet geofences visits`: lists the visits of vehicles to geofences, from their positions.

import type { Command } from 'commander';
import type { FleetClient } from '../../../index.js';
import { Readings } from '../../../telemetry/readings.js';
import { despiteFailures } from '../../../telemetry/streams/despite-failures.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { LONGEST_LOOK_BACK_DAYS, positionSelection } from '../../../telemetry/visits/past-positions.js';
import { type VehicleVisit, VehicleVisits, visitSelection } from '../../../telemetry/visits/vehicle-visits.js';
import { type StayInGeofence, shapesById } from '../../../telemetry/visits/visit-detector.js';
import { connect } from '../../connection/connect.js';
import { driverNames } from '../../connection/driver-names.js';
import { readPastPositions } from '../../connection/past-positions.js';
import { type Context, note, type ServiceRun, serviceNow } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { progressOn } from '../../context/progress.js';
import { PROGRESS_EVERY_ROWS, ReadShare } from '../../context/read-share.js';
import { refusal } from '../../errors/cli-error.js';
import type { FailedVehicles } from '../../errors/failed-vehicles.js';
import { type DriverFlag, driverOption, findDriverId, isDriver } from '../../find/driver.js';
import { type NamedGeofence, namedGeofences } from '../../find/named-geofences.js';
import {
  addVehicleFlags,
  type ChosenVehicle,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
} from '../../find/vehicles.js';
import { repeatable } from '../../parse/repeatable.js';
import {
  endsTooEarly,
  expandPeriodFlags,
  type PeriodExpression,
  type PeriodFlags,
  type PeriodSpan,
  periodHelp,
  readPeriodExpression,
  timestamp,
} from '../../parse/time.js';
import { compareValues } from '../../shape/compare.js';
import { listShape } from '../../shape/list-shape.js';
import { isFieldNamed } from '../../shape/named-fields.js';
import { localTime } from '../../time/format-time.js';
import { periodText } from '../../time/period-text.js';
import { namesText, wholeNumber } from '../../views/humanize.js';
import { type VisitRow, visitView } from '../../views/visit.js';

interface VisitFlags extends PeriodFlags, VehicleFlags, DriverFlag {
  readonly vehicle?: readonly string[];
}

export function defineVisits(noun: Command, open: () => Context): void {
  const visits = noun
    .command('visits')
    .description('list the visits of vehicles to geofences over a period (getSnapshots, getGeofences, getVehicles)')
    .argument('[geofence...]', 'ids or names, or unique parts of names (on a terminal); default: all')
    .option('--from <time>', 'start of the period')
    .option('--to <time>', 'end of the period, exclusive: 2026-11 for all of October (default: now)')
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"')
    .option('--vehicle <vehicle>', 'only the visits of this vehicle; repeat for more (default: all)', repeatable)
    .option(...driverOption('visits'));
  addVehicleFlags(visits)
    .addHelpText(
      'after',
      `${examples(
        ['fleet geofences visits "Depot Tartu" --on yesterday', ''],
        ['fleet geofences visits "Depot Tartu" --from "yesterday 08:00" --to "yesterday 10:00"', 'part of a day'],
        ['fleet geofences visits --vehicle "Van 02" --on yesterday', 'where a van was'],
        ['fleet geofences visits "Depot Tartu" --on yesterday --filter "dwellSeconds>600"', 'ten minutes or more'],
        ['fleet geofences visits --group "Long haul" --on yesterday -o csv > visits.csv', ''],
      )}

- Visits are computed from the positions of the vehicles, not from reports of the service.
- A vehicle enters with its first position inside. It has left when it is more than 50 m outside.
  lastSeenAt is its last position before it left.
- "before", "still there" and "later" stand for visits that go beyond the period. Their enteredAt
  or leftAt is null. DWELL is then the part inside of the period, with ≥ before it.
- A parked vehicle is at its last position of the ${LONGEST_LOOK_BACK_DAYS} days before. A warning names vehicles without one.
- DRIVER lists who was identified when the vehicle entered and while it was inside.
- With --driver a visit with several drivers is cut: it begins or ends when another one is
  identified.${periodHelp}`,
    )
    .action((geofences: readonly string[], flags: VisitFlags) => list(open(), geofences, flags));
}

async function list(context: Context, names: readonly string[], flags: VisitFlags): Promise<void> {
  const ofVehicles = flags.vehicle ?? [];
  onlyVehicle(ofVehicles, flags);
  const period = periodOfVisits(context, expandPeriodFlags(context, flags));
  const choose = vehicleChoice(context, ofVehicles, flags);
  // Fields are checked before anything is sent; `isOver` is known only later.
  const shapeFor = (isOver: boolean) => listShape(context, visitView({ geofence: names.length !== 1, isOver }), 'view');
  shapeFor(false);
  const needsDriver = context.globals.fields === undefined || isFieldNamed(context, ['driver']);
  const client = await connect(context);
  const { rows, span, end, isOver, geofences, failed } = await visitsIn(context, client, {
    names,
    choose,
    period,
    needsDriver,
    driver: flags.driver,
  });
  const shape = shapeFor(isOver);
  const zone = { zone: context.zone.name, offset: null };
  const between = `between ${localTime(span.from, 'minute', zone)} and ${localTime(end, 'minute', zone)}`;
  const where = names.length === 1 ? (geofences[0]?.name ?? 'the geofence') : 'a geofence';
  const view = { ...shape.view, period: periodText(span, context.zone.name) };
  await printRows(context, shape.rows(rows), view, `No vehicle was in ${where} ${between}.`);
  failed.report(context.report);
  // The summary counts all visits, so it is omitted when rows are filtered.
  const isWhole = context.globals.filter === undefined && context.globals.fields === undefined;
  if (formatOf(context).forPeople && isWhole && rows.length > 0) note(context, summaryOf(rows, between));
}

interface VisitSearch {
  /** Empty for all. */
  readonly names: readonly string[];
  readonly choose: ReturnType<typeof vehicleChoice>;
  readonly period: PeriodExpression;
  readonly needsDriver: boolean;
  readonly driver: string | undefined;
}

interface FoundVisits {
  readonly rows: readonly VisitRow[];
  readonly span: PeriodSpan;
  /** Or now, if earlier. */
  readonly end: number;
  readonly isOver: boolean;
  readonly geofences: readonly NamedGeofence[];
  readonly failed: FailedVehicles;
}

/** Returns the visits, sorted by geofence and time. */
async function visitsIn(
  context: Context,
  client: FleetClient,
  { names, choose, period, needsDriver, driver }: VisitSearch,
): Promise<FoundVisits> {
  const [vehicles, geofences, drivers, driverId] = await Promise.all([
    choose(client, { lastData: positionSelection }),
    namedGeofences(context, client, names),
    needsDriver ? driverNames(context, client) : new Map<string, string>(),
    findDriverId(context, client, driver),
  ]);
  const span = await period.span(context, client);
  const now = serviceNow(context);
  const end = Math.min(span.end, now);
  const read = await readVisits(context, client, vehicles, geofences, { ...span, to: Math.min(span.to, now) });
  const geofenceNames = new Map(geofences.map(({ id, name }) => [id, name]));
  const rows = vehicles
    .flatMap(({ id, name, row }) =>
      partsOf(read.visits.get(id)?.all ?? [], driverId).map(
        ({ geofenceId, entered, left, lastSeen, driverIds }): VisitRow => ({
          geofence: geofenceNames.get(geofenceId) ?? geofenceId,
          vehicle: name,
          licensePlate: row?.licensePlate ?? null,
          driver: driverIds.map((driverId) => drivers.get(driverId) ?? driverId).join(', '),
          enteredAt: entered === null ? null : timestamp(entered),
          leftAt: left === null ? null : timestamp(left),
          dwellSeconds: Math.round(((left ?? end) - (entered ?? span.from)) / 1_000),
          lastSeenAt: timestamp(lastSeen),
          geofenceId,
          vehicleId: id,
          driverIds,
        }),
      ),
    )
    .sort(byPlaceAndTime);
  return { rows, span, end, isOver: span.end < now, geofences, failed: read.failed };
}

interface ListedVisit extends StayInGeofence {
  readonly driverIds: readonly string[];
}

/** Cuts the visits to the part of a driver. `driverId`: in lower case; null for all. */
function partsOf(visits: readonly VehicleVisit[], driverId: string | null): readonly ListedVisit[] {
  return visits.flatMap(({ drivers, ...visit }) => {
    if (driverId === null) return { ...visit, driverIds: [...new Set(drivers.map((one) => one.driverId))] };
    const own = drivers.filter((one) => isDriver(one.driverId, driverId));
    return own.map((one) => ({
      ...visit,
      entered: one.from,
      left: one.to,
      lastSeen: Math.min(visit.lastSeen, one.to ?? visit.lastSeen),
      driverIds: [one.driverId],
    }));
  });
}

interface ReadVisits {
  readonly visits: ReadonlyMap<string, VehicleVisits>;
  readonly failed: FailedVehicles;
}

/** Reads the positions at the start of the period, then the snapshots in it. */
async function readVisits(
  context: Context,
  client: FleetClient,
  vehicles: readonly ChosenVehicle[],
  geofences: readonly NamedGeofence[],
  { from, to }: PeriodSpan,
): Promise<ReadVisits> {
  const readings = new Readings();
  const { positions, failedIds, failed } = await readPastPositions(context, client, vehicles, from, readings);
  const shapes = shapesById(geofences);
  // Omits vehicles with a failed read: incomplete visits would look complete.
  const readable = vehicles.filter(({ id }) => !failedIds.has(id));
  const visits = new Map(
    readable.map(({ id }) => [id, new VehicleVisits(shapes, readings, positions.get(id)?.fix ?? null)]),
  );
  // The other vehicles have sent nothing since the period began.
  const vehicleIds = readable.filter((vehicle) => mayHaveSent(vehicle, from)).map(({ id }) => id);
  await takeSnapshots(context, client, vehicleIds, vehicles.length, { from, to }, { visits, failed });
  readings.require('position', 'getSnapshots');
  for (const { message } of readings.warnings()) context.report.warn(message);
  const unknown = vehicles.filter(({ id }) => visits.get(id)?.hasPosition === false);
  if (unknown.length > 0) {
    const names = namesText(unknown.map(({ name }) => name));
    context.report.warn(
      `Visits are unknown for ${names}: no position in the period or the ${LONGEST_LOOK_BACK_DAYS} days before.`,
    );
  }
  return { visits, failed };
}

/** Adds the snapshots of the period to the visits of their vehicles. */
async function takeSnapshots(
  context: Context,
  client: FleetClient,
  vehicleIds: readonly string[],
  vehicleCount: number,
  { from, to }: Pick<PeriodSpan, 'from' | 'to'>,
  { visits, failed }: { readonly visits: Map<string, VehicleVisits>; readonly failed: FailedVehicles },
): Promise<void> {
  if (vehicleIds.length === 0) return;
  const progress = progressOn(context);
  const what = `reading ${wholeNumber(vehicleIds.length)} of ${wholeNumber(vehicleCount)} vehicles`;
  const share = new ReadShare({ from, to: Math.min(to, serviceNow(context)), vehicles: vehicleIds.length });
  let rowCount = 0;
  const finish = (vehicleId: string) => {
    share.reach(vehicleId, to);
    progress.show(`${what}, ${share.text}`);
  };
  progress.show(what);
  try {
    const rows = client.streamSnapshots(
      { vehicleIds, from: timestamp(from), to: timestamp(to) },
      {
        select: visitSelection,
        partial: true,
        signal: context.io.signal,
        onEvent(event) {
          if (event.type === 'error') {
            visits.delete(event.vehicleId);
            failed.add(event.vehicleId, event.error);
          }
          if (event.type === 'error' || event.type === 'complete') finish(event.vehicleId);
        },
      },
    );
    for await (const row of despiteFailures(rows)) {
      visits.get(row.vehicleId)?.take(row);
      share.take(row.vehicleId, row.timestamp);
      if (rowCount++ % PROGRESS_EVERY_ROWS === 0) progress.show(`${what}, ${share.text}`);
    }
  } finally {
    progress.clear();
  }
}

function mayHaveSent({ row }: ChosenVehicle, from: number): boolean {
  const newest = timestampMs(row?.lastData?.timestamp);
  return newest === null || newest >= from;
}

function byPlaceAndTime(one: VisitRow, other: VisitRow): number {
  return (
    compareValues(one.geofence, other.geofence) ||
    (one.enteredAt ?? '').localeCompare(other.enteredAt ?? '') ||
    compareValues(one.vehicle, other.vehicle)
  );
}

function summaryOf(rows: readonly VisitRow[], between: string): string {
  const vehicles = new Set(rows.map(({ vehicleId }) => vehicleId)).size;
  const open = rows.filter(({ enteredAt, leftAt }) => enteredAt === null || leftAt === null).length;
  const visits = `${wholeNumber(rows.length)} ${rows.length === 1 ? 'visit' : 'visits'}`;
  const beyond = open === 0 ? '' : `; ${wholeNumber(open)} of them ${open === 1 ? 'goes' : 'go'} beyond that time`;
  return `${visits} of ${wholeNumber(vehicles)} ${vehicles === 1 ? 'vehicle' : 'vehicles'} ${between}${beyond}.`;
}

function periodOfVisits(run: ServiceRun, { from, to }: PeriodFlags): PeriodExpression {
  if (from === undefined) {
    throw refusal('--on or --from is missing.', {
      hint: 'Which period? Add --on today, --on yesterday, or --from "yesterday 08:00" --to "yesterday 10:00".',
    });
  }
  return readPeriodExpression(run, from, to, () => endsTooEarly(to));
}
