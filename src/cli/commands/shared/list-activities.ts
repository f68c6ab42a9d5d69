// Lists the trips or stops of one vehicle, several or all, from one stream.

import type { Command } from 'commander';
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type { CallOptions } from '../../../core/operation.js';
import type { FleetClient, Trip, VehiclesStreamOptions } from '../../../index.js';
import { despiteFailures } from '../../../telemetry/streams/despite-failures.js';
import { connect } from '../../connection/connect.js';
import type { Context, Run, ServiceRun } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { type DriverFlag, driverOption, findDriverId } from '../../find/driver.js';
import { findId } from '../../find/record.js';
import { type ChosenVehicle, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import type { View } from '../../output/view.js';
import {
  endsTooEarly,
  expandPeriodFlags,
  type PeriodExpression,
  type PeriodFlags,
  type PeriodSpan,
  readPeriodExpression,
  timestamp,
} from '../../parse/time.js';
import { type DriversAndPlaces, readDriversAndPlaces } from '../../places/drivers-and-places.js';
import type { Places } from '../../places/places.js';
import { vehicleKind } from '../../records/vehicle.js';
import { listShape } from '../../shape/list-shape.js';
import { isFieldNamed } from '../../shape/named-fields.js';
import { periodText } from '../../time/period-text.js';
import { beyondPeriod } from '../trips/beyond-period.js';
import { tripProgress, withProgress } from '../trips/progress.js';

type ListedActivity = Pick<Trip, 'vehicleId' | 'startedAt' | 'endedAt' | 'lastSeenAt' | 'isOpen' | 'driverIds'>;

interface ActivityNeeds {
  readonly vehicle: boolean;
  readonly driver: boolean;
  readonly places: boolean;
}

interface Bounds {
  readonly from: string;
  readonly to: string;
}

/** A period with its vehicles. With `vehicleId`, an error of the vehicle ends the stream. */
type ActivityPeriod = Bounds & ({ readonly vehicleId: string } | { readonly vehicleIds: readonly string[] });

export interface ActivityList<Item extends ListedActivity, Row extends Item> {
  readonly noun: 'trip' | 'stop';
  readonly view: View<Row>;
  /** Has the name of each vehicle. */
  readonly fleetView: View<Row>;
  readonly places: readonly string[];
  readonly placesIn: (item: Item, places: Places) => object;
  /** `isCut`: `partsOf` is called for each item. */
  readonly stream: (
    client: FleetClient,
    period: ActivityPeriod,
    options: CallOptions & VehiclesStreamOptions & { readonly clip: boolean },
    isCut: boolean,
  ) => AsyncIterable<Item>;
  /** Returns the parts of a driver. `driverId`: in lower case. */
  readonly partsOf: (item: Item, driverId: string) => readonly Item[];
}

export interface ActivityFlags extends PeriodFlags, VehicleFlags, DriverFlag {
  readonly clip?: true;
}

export function addActivityFlags(command: Command, noun: 'trip' | 'stop'): Command {
  const inProgress = noun === 'trip' ? 'under way' : 'in progress';
  return command
    .option('--from <time>', `start of the period; a ${noun} ${inProgress} at that time is listed completely`)
    .option(
      '--to <time>',
      `end of the period, exclusive: 2026-11 for all of October (default: now); a ${noun} ${inProgress} at that time is listed as open`,
    )
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"')
    .option(...driverOption(`${noun}s`))
    .option(
      '--clip',
      `cut ${noun}s that cross the start or end of the period, list only the part inside${noun === 'trip' ? ', as sums do' : ''}`,
    );
}

export async function listActivities<Item extends ListedActivity, Row extends Item>(
  context: Context,
  names: readonly string[],
  flags: ActivityFlags,
  list: ActivityList<Item, Row>,
): Promise<void> {
  const { noun } = list;
  const only = onlyVehicle(names, flags);
  const period = periodOfTrips(context, expandPeriodFlags(context, flags));
  const shape = listShape<Row>(context, only === null ? list.fleetView : list.view, 'view');
  const needs = needsOf(context, list.places, only === null || formatOf(context).forPeople);
  const choose = only === null ? vehicleChoice(context, names, flags) : chooseOnly(context, only, needs.vehicle);
  const client = await connect(context);
  const clip = flags.clip === true;
  const found = await activityRows<Item, Row>(context, client, {
    choose,
    needs,
    clip,
    list,
    isOfOne: only !== null,
    driver: flags.driver,
    span: () => period.span(context, client),
  });
  if (found === null) return printRows(context, [], shape.view, 'There is no such vehicle.');
  const inPeriod = periodText(found.span, context.zone.name);
  const beyond = beyondPeriod(context, found.span, noun);
  const rows = shape.rows(found.rows, beyond.take);
  await printRows(context, rows, { ...shape.view, period: inPeriod }, `There is no ${noun} ${inPeriod}.`);
  if (!clip) beyond.warn();
  found.end();
}

export function periodOfTrips(run: ServiceRun, flags: PeriodFlags): PeriodExpression {
  if (flags.from === undefined) {
    throw refusal('--on or --from is missing.', {
      hint: 'Which period? Add --on today, --on yesterday, or --from -7d for the last seven days.',
    });
  }
  return readPeriodExpression(run, flags.from, flags.to, () => endsTooEarly(flags.to));
}

/** Returns the fields to add. `byDefault`: adds names and places when --fields is missing. */
function needsOf(run: Run, places: readonly string[], byDefault: boolean): ActivityNeeds {
  const all = byDefault && run.globals.fields === undefined;
  const requested = (names: readonly string[]) => isFieldNamed(run, names);
  // A map labels each row by its vehicle.
  const isMap = formatOf(run).map !== null;
  return {
    vehicle: isMap || requested(['vehicle']),
    driver: all || requested(['driver']),
    places: all || requested(places),
  };
}

/** Returns a choice of the one named vehicle. Its full name is read only when needed. */
function chooseOnly(context: Context, name: string, needsName: boolean) {
  return async (client: FleetClient): Promise<readonly ChosenVehicle[]> => {
    const id = await findId(context, client, vehicleKind, name, { substring: true });
    if (needsName) return vehicleChoice(context, [id], {})(client);
    return [{ id, name: '', row: null }];
  };
}

interface ActivitiesToRead<Item extends ListedActivity, Row extends Item> {
  readonly choose: (client: FleetClient, select?: SelectionTree) => Promise<readonly ChosenVehicle[]>;
  readonly isOfOne: boolean;
  readonly needs: ActivityNeeds;
  readonly driver: string | undefined;
  readonly span: () => Promise<PeriodSpan>;
  readonly clip: boolean;
  readonly list: Pick<ActivityList<Item, Row>, 'noun' | 'placesIn' | 'stream' | 'partsOf'>;
}

/** Returns the bounds for the service. Clipped periods of adjacent days meet without a gap. */
export function boundsOf({ from, to, end }: Pick<PeriodSpan, 'from' | 'to' | 'end'>, clip: boolean): Bounds {
  return { from: timestamp(from), to: timestamp(clip ? end : to) };
}

/** True for a part that overlaps the period: the other parts of a shared trip may not. */
function isIn(
  { startedAt, endedAt, lastSeenAt }: Pick<Trip, 'startedAt' | 'endedAt' | 'lastSeenAt'>,
  { from, end }: PeriodSpan,
): boolean {
  return Date.parse(startedAt) < end && Date.parse(endedAt ?? lastSeenAt) > from;
}

interface ActivityRows<Row> {
  readonly span: PeriodSpan;
  readonly rows: AsyncIterable<Row>;
  /** Reports failures after the rows were printed. Throws CliError ABORTED after an interrupt. */
  readonly end: () => void;
}

/** Reads the activities; null when no vehicle is chosen. */
async function activityRows<Item extends ListedActivity, Row extends Item>(
  context: Context,
  client: FleetClient,
  chosen: ActivitiesToRead<Item, Row>,
): Promise<ActivityRows<Row> | null> {
  const { isOfOne, driver } = chosen;
  const needs = isOfOne
    ? chosen.needs
    : { ...chosen.needs, vehicle: context.globals.fields === undefined || chosen.needs.vehicle };
  // The lists become one request. For one vehicle they are read with its first row, if any.
  const [vehicles, driverId, lookups] = await Promise.all([
    chosen.choose(client),
    findDriverId(context, client, driver),
    isOfOne ? null : readDriversAndPlaces(context, client, needs),
  ]);
  if (vehicles.length === 0) return null;
  const span = await chosen.span();
  const reader = new ActivityReader(context, client, { ...chosen, needs, vehicles, driverId, lookups, span });
  const isGrouped = !isOfOne && formatOf(context).forPeople && context.globals.sort === undefined;
  const atFirst = context.globals.limit === undefined ? vehicles.length : 1;
  return {
    span,
    rows: isGrouped ? grouped(vehicles, atFirst, reader) : reader.read(vehicles),
    end: () => reader.end(),
  };
}

interface ChosenActivities<Item extends ListedActivity, Row extends Item>
  extends Pick<ActivitiesToRead<Item, Row>, 'isOfOne' | 'needs' | 'clip' | 'list'> {
  readonly vehicles: readonly ChosenVehicle[];
  /** In lower case; null for all drivers. */
  readonly driverId: string | null;
  readonly lookups: DriversAndPlaces | null;
  readonly span: PeriodSpan;
}

/** Reads the rows of some vehicles at a time. Failed vehicles are reported at the end. */
class ActivityReader<Item extends ListedActivity, Row extends Item> {
  isInterrupted = false;
  readonly #context: Context;
  readonly #client: FleetClient;
  readonly #chosen: ChosenActivities<Item, Row>;
  readonly #nameById: ReadonlyMap<string, string>;
  readonly #failed: FailedVehicles;
  readonly #progress: ReturnType<typeof tripProgress>;
  readonly #seen = new Set<string>();
  #lookups: DriversAndPlaces | null;
  #count = 0;

  constructor(context: Context, client: FleetClient, chosen: ChosenActivities<Item, Row>) {
    const { vehicles, span, list, isOfOne, lookups } = chosen;
    this.#context = context;
    this.#client = client;
    this.#chosen = chosen;
    this.#nameById = new Map(vehicles.map(({ id, name }) => [id, name]));
    this.#failed = new FailedVehicles('getSnapshots', (id) => this.#nameOf(id));
    this.#progress = tripProgress(context, span, list.noun, isOfOne ? undefined : vehicles.length);
    this.#lookups = lookups;
  }

  async *read(some: readonly ChosenVehicle[]): AsyncGenerator<Row, void, undefined> {
    const { isOfOne, driverId, needs, list, span } = this.#chosen;
    try {
      for await (const item of withProgress(this.#progress, despiteFailures(this.#stream(some)))) {
        const parts = driverId === null ? [item] : list.partsOf(item, driverId).filter((part) => isIn(part, span));
        for (const part of parts) {
          this.#lookups ??= await readDriversAndPlaces(this.#context, this.#client, needs);
          this.#count++;
          this.#seen.add(item.vehicleId);
          yield this.#rowOf(part, this.#lookups);
        }
      }
    } catch (error) {
      if (isOfOne || !this.#context.io.signal.aborted) throw error;
      // Rows that were read are printed before the error.
      this.isInterrupted = true;
    }
  }

  end(): void {
    this.#failed.report(this.#context.report);
    if (!this.isInterrupted) return;
    const { list, vehicles } = this.#chosen;
    throw new CliError('ABORTED', 'Interrupted.', {
      hint: `${this.#count} ${list.noun}s of ${this.#seen.size} of ${vehicles.length} vehicles had arrived and are printed; the rest is missing.`,
    });
  }

  #stream(some: readonly ChosenVehicle[]): AsyncIterable<Item> {
    const { list, span, clip, isOfOne, driverId } = this.#chosen;
    const [only] = some;
    const ofSeveral: VehiclesStreamOptions = {
      onEvent: (event) => {
        if (event.type === 'error') this.#failed.addOfStream(event);
        if (event.type === 'error' || event.type === 'complete') this.#progress.reach(event.vehicleId, span.end);
      },
    };
    return list.stream(
      this.#client,
      {
        ...(isOfOne && only !== undefined ? { vehicleId: only.id } : { vehicleIds: some.map(({ id }) => id) }),
        ...boundsOf(span, clip),
      },
      { partial: true, signal: this.#context.io.signal, clip, ...(isOfOne ? {} : ofSeveral) },
      driverId !== null,
    );
  }

  #rowOf(item: Item, { names, places }: DriversAndPlaces): Row {
    const { needs, list } = this.#chosen;
    // Safe cast: the missing fields of a row are added here.
    return {
      ...(needs.vehicle ? { vehicle: this.#nameOf(item.vehicleId) } : {}),
      ...(needs.driver ? { driver: item.driverIds.map((id) => names.get(id) ?? id).join(', ') } : {}),
      ...item,
      ...(needs.places ? list.placesIn(item, places) : {}),
    } as Row;
  }

  #nameOf(id: string): string {
    return this.#nameById.get(id) ?? id;
  }
}

/** Yields the rows by vehicle and time. `atFirst`: vehicles in the first read, then doubled. */
async function* grouped<Row extends ListedActivity>(
  vehicles: readonly ChosenVehicle[],
  atFirst: number,
  reader: { readonly isInterrupted: boolean; read(some: readonly ChosenVehicle[]): AsyncIterable<Row> },
): AsyncGenerator<Row, void, undefined> {
  let count = atFirst;
  for (let at = 0; at < vehicles.length && !reader.isInterrupted; at += count, count *= 2) {
    const some = vehicles.slice(at, at + count);
    // Rows of one vehicle are already in order.
    if (some.length === 1) yield* reader.read(some);
    else yield* inOrder(some, reader.read(some));
  }
}

async function* inOrder<Row extends ListedActivity>(
  vehicles: readonly ChosenVehicle[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void, undefined> {
  const byVehicle = new Map<string, Row[]>();
  for await (const row of rows) {
    const own = byVehicle.get(row.vehicleId);
    if (own) own.push(row);
    else byVehicle.set(row.vehicleId, [row]);
  }
  for (const { id } of vehicles) {
    yield* (byVehicle.get(id) ?? []).sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  }
}
