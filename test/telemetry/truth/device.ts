// A device is a function of the truth: the seconds that it reports, and the quirks of its rows.
import { randomFromName, type SeededRandom } from '../../../src/mock/world/random.js';
import type { Moment, World } from './route.js';

/** A snapshot as a device writes it. A quirk may replace any value. */
export interface DeviceRow {
  readonly vehicleId: string;
  readonly timestamp: unknown;
  readonly gps: {
    readonly state: unknown;
    readonly latitude: unknown;
    readonly longitude: unknown;
    readonly speed: unknown;
  } | null;
  readonly ignition: { readonly engineStatus: unknown } | null;
  readonly driver: { readonly driverId: unknown } | null;
  readonly canBus: {
    readonly canDistance: unknown;
    readonly canSpeed: unknown;
    readonly canTripFuelUsed: unknown;
    readonly canhrFuelUsed: unknown;
    readonly canFuelUsed: unknown;
  } | null;
}

/** A row, and the moment at which the device made it. */
export interface Report {
  readonly moment: Moment;
  readonly row: DeviceRow;
}

/** Changes the reports of a device. `random` depends on the name of the device. */
export type Quirk = (reports: readonly Report[], random: SeededRandom) => readonly Report[];

export const vehicleId = '77777777-0000-5000-8000-000000000007';

/** Returns reports without quirks: at an interval, at ignition changes, parked in 10 minutes. */
function reports(world: World, everySeconds: number): readonly Report[] {
  let [last, wasOn, litresAtStart, offSince] = [Number.NEGATIVE_INFINITY, false, 0, Number.NEGATIVE_INFINITY];
  return world.moments.flatMap((moment, second) => {
    const { isOn } = moment;
    const hasChanged = isOn !== wasOn;
    if (hasChanged && !isOn) offSince = second;
    if (hasChanged && isOn && second - offSince > 120) litresAtStart = moment.litres;
    wasOn = isOn;
    if (!hasChanged && second - last < (isOn ? everySeconds : Math.max(everySeconds, 600))) return [];
    last = second;
    return { moment, row: rowOf(moment, moment.litres - litresAtStart) };
  });
}

function rowOf(moment: Moment, tripLitres: number): DeviceRow {
  const { time, latitude, longitude, speedKmh, odometerKm, isOn, litres, driverId } = moment;
  return {
    vehicleId,
    timestamp: new Date(time).toISOString(),
    gps: {
      state: true,
      latitude: rounded(latitude, 1e6),
      longitude: rounded(longitude, 1e6),
      speed: Math.round(speedKmh),
    },
    ignition: { engineStatus: isOn },
    driver: { driverId: isOn ? driverId : null },
    canBus: {
      canDistance: rounded(odometerKm, 1000),
      canSpeed: isOn ? Math.round(speedKmh) : 0,
      canTripFuelUsed: rounded(tripLitres, 10),
      canhrFuelUsed: rounded(litres, 1000),
      canFuelUsed: rounded(litres, 2),
    },
  };
}

/** Returns the rows of a device with these quirks, in the order of their arrival. */
export function rowsOf(
  name: string,
  world: World,
  everySeconds: number,
  quirks: readonly Quirk[],
): readonly DeviceRow[] {
  const random = randomFromName(name);
  let all = reports(world, everySeconds);
  for (const quirk of quirks) all = quirk(all, random);
  return all.map(({ row }) => row);
}

export function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

/** Changes each row. `at` is the index of the row; null drops the row. */
export function each(
  change: (row: DeviceRow, moment: Moment, random: SeededRandom, at: number) => DeviceRow | null,
): Quirk {
  return (all, random) =>
    all.flatMap(({ moment, row }, at) => {
      const changed = change(row, moment, random, at);
      return changed === null ? [] : { moment, row: changed };
    });
}

type Part = 'gps' | 'canBus' | 'ignition' | 'driver';

/** Sets values in a part of each row, if the device has that part. */
export function put<Name extends Part>(
  part: Name,
  values: (moment: Moment, random: SeededRandom, row: DeviceRow, at: number) => Partial<NonNullable<DeviceRow[Name]>>,
): Quirk {
  return each((row, moment, random, at) =>
    row[part] === null ? row : { ...row, [part]: { ...row[part], ...values(moment, random, row, at) } },
  );
}

/** Returns a random number with normal distribution, mean 0 and deviation 1 (Box-Muller). */
export function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
