// Quirks of the speed.
import type { SeededRandom } from '../../../src/mock/world/random.js';
import { gaussian, put, type Quirk } from './device.js';
import type { Moment } from './route.js';

const speed = (value: (kmh: number, moment: Moment, random: SeededRandom) => unknown): Quirk =>
  put('gps', (moment, random) => ({ speed: value(Math.round(moment.speedKmh), moment, random) }));
const busSpeed = (value: (kmh: number) => unknown): Quirk =>
  put('canBus', ({ speedKmh }) => ({ canSpeed: value(Math.round(speedKmh)) }));

export const noReceiverSpeed = speed(() => null);
export const noBusSpeed = busSpeed(() => null);
export const busSpeedZero = busSpeed(() => 0);
export const receiverSpeedZero = speed(() => 0);
export const noSpeedIs255 = speed((kmh, { seesSky }) => (seesSky ? kmh : 255));
export const noSpeedIsMinusOne = speed((kmh, { seesSky }) => (seesSky ? kmh : -1));
export const speedAlways255 = speed(() => 255);
export const speedAlwaysMinusOne = speed(() => -1);
export const nullWhileStanding = speed((kmh) => (kmh === 0 ? null : kmh));
export const metresPerSecond = speed((_, { speedKmh }) => Math.round(speedKmh / 3.6));
export const knots = speed((_, { speedKmh }) => Math.round(speedKmh / 1.852));
/** A standing vehicle seems to creep. */
export const creepsWhileStanding = speed((kmh, _, random) =>
  kmh === 0 ? Math.round(Math.abs(gaussian(random)) * 1.2) : kmh,
);
/** One speed in `one` is 200 km/h. */
export const spikes = (one: number): Quirk =>
  put('gps', (_, __, row, at) => (at % one === 7 ? { speed: 200 } : { speed: row.gps?.speed }));
/** A standing vehicle repeats its last speed: the device writes the speed of its last position. */
export const keepsLastSpeed: Quirk = (all, random) => {
  let last = 0;
  return speed((kmh) => {
    if (kmh > 0) last = kmh;
    return last;
  })(all, random);
};
export const keepsLastSpeedWhenParked: Quirk = (all, random) => {
  let last = 0;
  return speed((kmh, { isOn }) => {
    if (isOn && kmh > 0) last = kmh;
    return isOn ? kmh : last;
  })(all, random);
};
