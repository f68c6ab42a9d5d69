// The worlds that devices observe: a working day, and short worlds for single quirks.
import { randomFromName } from '../../../src/mock/world/random.js';
import { type Part, type World, worldOf } from './route.js';

const minute = 60;
const hour = 60 * minute;

const parked = (seconds: number): Part => ({ seconds, isOn: false });
const waiting = (seconds: number): Part => ({ seconds, isOn: true });

/** Returns streets with bends, slow corners, and some red lights. */
function city(name: string, blocks: number): readonly Part[] {
  const random = randomFromName(name);
  return Array.from({ length: blocks }, (_, block): readonly Part[] => [
    { metres: random.int(500, 900), kmh: random.int(38, 52), turn: random.int(-12, 12) },
    { metres: 90, kmh: 24, turn: random.pick([-60, -45, 45, 60]) },
    ...(block % 4 === 2 ? [waiting(random.int(12, 50))] : []),
  ]).flat();
}

/** Returns a road with long curves. */
function road(name: string, km: number, kmh: number, seesSky = true): readonly Part[] {
  const random = randomFromName(name);
  return Array.from({ length: km }, () => ({ metres: 1000, kmh, turn: random.int(-15, 15), seesSky }));
}

/** A garage, a customer, a motorway with a tunnel, deliveries with two drivers, and a midnight. */
export const workingDay: World = worldOf([
  parked(7 * hour),
  { seconds: 40, isOn: true, seesSky: false },
  { metres: 80, kmh: 12, turn: 90, seesSky: false },
  ...city('to the customer', 14),
  // An hour at the customer's with the engine on.
  waiting(hour),
  ...city('on from the customer', 8),
  parked(hour),
  waiting(20),
  ...city('to the motorway', 4),
  ...road('motorway', 28, 105),
  ...road('tunnel', 4, 85, false),
  ...road('motorway on', 22, 105),
  ...city('from the motorway', 3),
  waiting(30),
  parked(90 * minute),
  waiting(15),
  ...road('country road', 15, 70),
  // A delivery: the engine is off for a minute.
  { seconds: 60, isOn: false },
  ...road('country road on', 8, 70),
  { seconds: 4 * minute, isOn: true, nextDriver: 'driver-2' },
  ...road('country road home', 12, 75),
  parked(11 * hour + 17 * minute),
  waiting(10),
  ...road('by night', 55, 90),
  ...city('home', 3),
  parked(2 * hour),
]);

/** The engine runs for an hour without movement. */
export const idlingHour: World = worldOf([parked(hour), waiting(hour), parked(hour)]);

/** A long tunnel in the middle of 30 km: ten minutes without satellites. */
export const longTunnel: World = worldOf([
  parked(hour),
  waiting(20),
  ...road('to the tunnel', 10, 60),
  ...road('long tunnel', 10, 60, false),
  ...road('from the tunnel', 10, 60),
  waiting(20),
  parked(hour),
]);

/** 15 km at 30 km/h without a stop. */
export const slowDrive: World = worldOf([
  parked(hour),
  waiting(20),
  ...road('slow', 15, 30),
  waiting(20),
  parked(hour),
]);

/** 20 km to a ferry, 30 km on it with the engine off, and 20 km on. */
export const ferry: World = worldOf([
  parked(hour),
  waiting(20),
  ...road('to the ferry', 20, 70),
  parked(20 * minute),
  { metres: 30_000, kmh: 35, turn: 20, isCarried: true },
  parked(10 * minute),
  waiting(10),
  ...road('from the ferry', 20, 70),
  parked(hour),
]);

/** Seven hours on the motorway. */
export const longHaul: World = worldOf([
  parked(hour),
  waiting(20),
  ...road('long haul', 560, 80),
  waiting(20),
  parked(hour),
]);

/** Half an hour of driving, four hours of standing with the ignition on, and half an hour back. */
export const longWait: World = worldOf([
  parked(hour),
  waiting(20),
  ...road('to the site', 30, 60),
  waiting(4 * hour),
  ...road('from the site', 30, 60),
  parked(hour),
]);
