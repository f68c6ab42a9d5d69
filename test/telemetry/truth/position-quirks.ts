// Quirks of positions and of their receiver.
import type { SeededRandom } from '../../../src/mock/world/random.js';
import { type DeviceRow, each, gaussian, put, type Quirk, rounded } from './device.js';
import type { Moment } from './route.js';

type Position = Partial<NonNullable<DeviceRow['gps']>>;

const metresPerDegree = (Math.PI / 180) * 6_371_008.8;

/** Returns the position moved by metres to the north and to the east. */
function moved({ gps }: DeviceRow, north: number, east: number): Position {
  if (typeof gps?.latitude !== 'number' || typeof gps.longitude !== 'number') return {};
  const perDegreeEast = metresPerDegree * Math.cos((gps.latitude * Math.PI) / 180);
  return {
    latitude: rounded(gps.latitude + north / metresPerDegree, 1e6),
    longitude: rounded(gps.longitude + east / perDegreeEast, 1e6),
  };
}

const position = (value: (row: DeviceRow, moment: Moment, random: SeededRandom, at: number) => Position): Quirk =>
  put('gps', (moment, random, row, at) => value(row, moment, random, at));

const stands = ({ speedKmh }: Moment): boolean => speedKmh < 0.1;

/** Noise in each position, in metres (root mean square). */
export const noise = (metres: number, isThen: (moment: Moment) => boolean = () => true): Quirk =>
  position((row, moment, random) => {
    const [north, east] = [gaussian(random), gaussian(random)];
    return isThen(moment) ? moved(row, (north * metres) / Math.SQRT2, (east * metres) / Math.SQRT2) : {};
  });

export const noiseWhileStanding = (metres: number): Quirk => noise(metres, stands);
export const noiseWhileParked = (metres: number): Quirk => noise(metres, ({ isOn }) => !isOn);

/** The position of a standing vehicle drifts within this many metres: reflections change slowly. */
export const wandersWhileStanding =
  (metres: number): Quirk =>
  (all, random) => {
    let [north, east, before] = [0, 0, Number.NEGATIVE_INFINITY];
    return position((row, moment, chance) => {
      // The error decays within minutes.
      const memory = Math.exp(-(moment.time - before) / 180_000);
      before = moment.time;
      const fresh = (metres / Math.SQRT2) * Math.sqrt(1 - memory ** 2);
      north = north * memory + gaussian(chance) * fresh;
      east = east * memory + gaussian(chance) * fresh;
      return stands(moment) ? moved(row, north, east) : {};
    })(all, random);
  };

/** Returns the quirk of a receiver without satellites. */
const blind =
  (what: (lastSeen: DeviceRow['gps'], row: DeviceRow) => Partial<DeviceRow>): Quirk =>
  (all, random) => {
    let lastSeen: DeviceRow['gps'] = null;
    return each((row, { seesSky }) => {
      if (seesSky) {
        lastSeen = row.gps;
        return row;
      }
      return { ...row, ...what(lastSeen, row) };
    })(all, random);
  };

export const repeatsWithoutFix = blind((last) => ({ gps: last && { ...last, state: false, speed: 0 } }));
export const holdsWithFix = blind((last) => ({ gps: last && { ...last, speed: 0 } }));
/** The speed is true, the position is repeated. */
export const holdsPositionOnly = blind((last, { gps }) => ({ gps: last && { ...last, speed: gps?.speed ?? null } }));
export const holdsLastSpeedToo = blind((last) => ({ gps: last }));
export const zeroZero = blind(() => ({ gps: { state: false, latitude: 0, longitude: 0, speed: 0 } }));
export const zeroZeroWithFix = blind(() => ({ gps: { state: true, latitude: 0, longitude: 0, speed: 0 } }));
export const nullPosition = blind(() => ({ gps: { state: false, latitude: null, longitude: null, speed: null } }));
export const noRowsWithoutSky: Quirk = each((row, { seesSky }) => (seesSky ? row : null));

/** One position in `one` is wrong by kilometres, each time elsewhere. */
export const outliers = (one: number): Quirk =>
  position((row, _, random, at) =>
    at % one === 5 ? moved(row, random.int(-50_000, 50_000), random.int(-50_000, 50_000)) : {},
  );
/** One position in `one` is a place that the vehicle visited long ago. */
export const outliersToOnePlace = (one: number): Quirk =>
  position((_, __, ___, at) => (at % one === 5 ? { latitude: 59.1, longitude: 25.6 } : {}));
/** One position in `one` has lost its longitude. */
export const longitudeZero = (one: number): Quirk =>
  position((_, __, ___, at) => (at % one === 5 ? { longitude: 0 } : {}));
/** The position lags by some rows, the other values are current. */
export const positionLags =
  (rows: number): Quirk =>
  (all) =>
    all.map(({ moment, row }, at) => {
      const { gps } = all[Math.max(0, at - rows)]?.row ?? row;
      const { latitude, longitude } = gps ?? {};
      return { moment, row: row.gps === null ? row : { ...row, gps: { ...row.gps, latitude, longitude } } };
    });
/** Between buildings: sometimes a reflection, some tens of metres away. */
export const reflections = (one: number, metres: number): Quirk =>
  position((row, _, random) =>
    random.int(1, one) === 1 ? moved(row, gaussian(random) * metres, gaussian(random) * metres) : {},
  );
export const invalidWhileStanding: Quirk = position((_, moment) => (stands(moment) ? { state: false } : {}));
export const stateNull: Quirk = position(() => ({ state: null }));
export const alwaysWithoutFix: Quirk = position(() => ({ state: false }));
export const decimals = (count: number): Quirk =>
  position(({ gps }) => ({
    latitude: typeof gps?.latitude === 'number' ? rounded(gps.latitude, 10 ** count) : null,
    longitude: typeof gps?.longitude === 'number' ? rounded(gps.longitude, 10 ** count) : null,
  }));
export const noPositions: Quirk = position(() => ({ state: null, latitude: null, longitude: null }));
/** Positions only at changes of the ignition. */
export const positionsAtIgnitionChanges: Quirk = (all, random) => {
  let wasOn = false;
  return position((_, { isOn }) => {
    const hasChanged = isOn !== wasOn;
    wasOn = isOn;
    return hasChanged ? {} : { state: null, latitude: null, longitude: null };
  })(all, random);
};
/** After ignition on, the receiver repeats an old position: its last one, or a certain one. */
export const slowFirstFix =
  (seconds: number): Quirk =>
  (all, random) => {
    let [onSince, last, wasOn]: [number, DeviceRow['gps'], boolean] = [0, null, false];
    return each((row, { isOn, time }) => {
      if (isOn && !wasOn) onSince = time;
      wasOn = isOn;
      if (isOn && time - onSince < seconds * 1000 && last !== null)
        return { ...row, gps: { ...last, state: false, speed: 0 } };
      last = row.gps;
      return row;
    })(all, random);
  };
