// The maximum error of the trips of each device. A device without an entry has to meet the default.
import { describe, expect, test } from 'vitest';
import type { Trip } from '../../../src/index.js';
import { deviceKey } from './accuracy-table.js';
import { deviceGroups } from './devices.js';
import { type Measurement, measure } from './measure.js';

const minute = 60;
const hour = 60 * minute;

interface Bar {
  /** For the worst trip: a share of its distance, or kilometres if it had none. */
  readonly distance: number;
  /** The maximum excess of a top speed, as a share of the true one. */
  readonly topSpeed: number;
  /** Seconds, over all trips. */
  readonly moving: number;
  readonly idle: number;
  /** The unseen seconds, with a tolerance. */
  readonly unseen: readonly [seconds: number, tolerance: number];
  /** A share of the fuel of all trips; `none` when unknown. */
  readonly fuel: number | 'none';
  readonly hasRightDrivers: boolean;
  /** The minimum and maximum number. */
  readonly trips: 'right' | readonly [least: number, most: number];
  readonly tripsBy: 'ignition' | 'movement';
  /** True when trips must report that sources disagree. */
  readonly hasDoubt: boolean | 'perhaps';
  readonly warnings: readonly string[];
}

const usual: Bar = {
  distance: 0.01,
  topSpeed: 0.1,
  moving: 2 * minute,
  idle: 2 * minute,
  unseen: [0, 0],
  fuel: 0.02,
  hasRightDrivers: true,
  trips: 'right',
  tripsBy: 'ignition',
  hasDoubt: false,
  warnings: [],
};

/** Trips by movement begin when moving, and an hour with the engine on at a customer ends one. */
const byMovement: Partial<Bar> = {
  tripsBy: 'movement',
  idle: 70 * minute,
  fuel: 0.15,
  trips: [5, 5],
  warnings: ['NO_IGNITION'],
};

const bars: Readonly<Record<string, Partial<Bar>>> = {
  'Tidy devices: a row per second': { moving: 10, idle: 10 },
  'Tidy devices: a row per minute': { moving: 5 * minute, idle: 5 * minute },
  'Tidy devices: a row per 5 minutes': { moving: 5 * minute, idle: 5 * minute },
  'Tidy devices: a row per second, no odometer': { moving: 10, idle: 10 },
  'Tidy devices: a row per 30 s, no odometer': { distance: 0.015 },

  'Few values: a row per minute, no odometer': { distance: 0.035, moving: 5 * minute, idle: 5 * minute },
  // The corners between the positions are lost.
  'Few values: a row per 5 minutes, no odometer': {
    distance: 0.25,
    topSpeed: 0.2,
    moving: 12 * minute,
    idle: 12 * minute,
  },
  'Few values: a receiver alone, without the bus of the vehicle': { fuel: 'none' },
  'Few values: positions only where the ignition changes, no odometer': { distance: 0.45, hasDoubt: true },
  'Few values: speed only: no odometer, no positions': { distance: 1, hasDoubt: true },

  'Odometer: 3 % short (worn tyres)': { distance: 0.035 },

  'Fuel: fuel of the trip always 0, no other counter': { fuel: 'none' },

  // The new computer's count cannot be joined to the old one.
  'Fuel: total fuel only, starts again from 0 under way': { fuel: 0.35 },

  'Positions: an hour with the engine on: 8 m of noise, and it seems to creep': {
    distance: 0.02,
    moving: 15 * minute,
    idle: 15 * minute,
    // Its speeds add up to nearly a kilometre.
    hasDoubt: true,
  },
  'Positions: reflections: now and then 60 m away': { distance: 0.05 },
  'Positions: three decimals': { distance: 0.07 },

  // The receiver reports a standing vehicle, and only the next position contradicts it.
  'Ten minutes of 30 in a tunnel: repeats the last position with speed 0': {
    moving: 11 * minute,
    idle: 11 * minute,
    hasDoubt: true,
  },
  'Ten minutes of 30 in a tunnel: 0,0 as if it were a position': {
    moving: 11 * minute,
    idle: 11 * minute,
    hasDoubt: true,
  },

  'Speed: none': { moving: 8 * minute, idle: 8 * minute },
  'Speed: none, no odometer': { moving: 8 * minute, idle: 8 * minute },
  'Speed: always 0': { moving: 8 * minute, idle: 8 * minute },
  'Speed: always 255': { moving: 8 * minute, idle: 8 * minute },
  'Speed: always -1': { moving: 8 * minute, idle: 8 * minute },
  'Speed: null while it stands': { moving: 8 * minute, idle: 8 * minute },
  'Speed: seems to creep while it stands': { moving: 15 * minute, idle: 15 * minute },
  'Speed: keeps the last speed while it stands': { moving: 75 * minute, idle: 75 * minute },

  // The vehicle could have been this fast.
  'Speed: one speed in 100 is 200 km/h': { topSpeed: 3 },

  'Ignition: null': byMovement,
  'Ignition: missing': byMovement,
  'Ignition: missing, no odometer': byMovement,
  'Ignition: missing, no odometer, 8 m of noise while it stands': byMovement,
  'Ignition: missing, and no speed': { ...byMovement, distance: 0.015, moving: 8 * minute },
  'Ignition: always off': byMovement,
  'Ignition: always off, no odometer': byMovement,
  // The parked time counts as idling.
  'Ignition: always on': { distance: 10, topSpeed: 2, idle: 24 * hour, trips: [1, 1], hasRightDrivers: false },
  'Ignition: null in every second row': { idle: 25 * minute },
  // While it is off, it does not idle.
  'Ignition: it is the engine, which stops at red lights': { idle: 10 * minute },
  // While it is reported off, it does not idle.
  'Ignition: a loose contact: off in every fifth row': { idle: 15 * minute },
  'Ignition: a second device without ignition wire': { idle: 70 * minute },
  'Ignition: a second device without ignition wire, no odometer': { idle: 70 * minute },
  'Ignition: on two minutes after the engine': {
    // The first kilometres are in no trip.
    warnings: ['NO_IGNITION'],
    distance: 0.13,
    moving: 10 * minute,
    fuel: 0.06,
    trips: [4, 5],
  },
  // The next row comes after ten minutes.
  'Ignition: the row that says "off" is lost': { idle: 45 * minute },

  'Time: four hours of standing with the ignition on, without rows': {
    idle: 4.1 * hour,
    unseen: [4 * hour, 3 * minute],
  },
  'Time: five hours of driving without rows': { moving: 5.1 * hour, unseen: [5 * hour, 3 * minute] },
  'Time: five hours of driving without rows, no odometer': {
    distance: 0.35,
    moving: 5.1 * hour,
    unseen: [5 * hour, 3 * minute],
  },
  'Time: off while parked: no row says "off"': {
    distance: 6,
    topSpeed: 2,
    unseen: [2.5 * hour, 3 * minute],
    trips: [2, 2],
    hasRightDrivers: false,
  },
  'Time: the last two minutes of each trip and the time parked are lost in a basement': {
    distance: 6,
    topSpeed: 2,
    moving: 9 * minute,
    unseen: [2.6 * hour, 9 * minute],
    fuel: 0.04,
    trips: [2, 2],
    hasRightDrivers: false,
  },
  // Rows of the parked vehicle are more than a minute apart.
  'Time: five rows at once, the newest first': { warnings: ['ROWS_OUT_OF_ORDER'] },
  'Time: one row in 50 is of the year 1980': { warnings: ['ROWS_OUT_OF_ORDER'] },
  'Time: one row in 50 is 1,024 weeks ahead': { warnings: ['DEVICE_CLOCK'] },
};

const devices = deviceGroups.flatMap(({ about, devices: group }) =>
  group.map((device) => ({ key: deviceKey(about, device.name), device })),
);

test('each bar is about a device', () => {
  const keys = devices.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Object.keys(bars).filter((key) => !keys.includes(key))).toEqual([]);
});

describe('the trips of a device keep to its bar', () => {
  test.each(devices)('$key', async ({ key, device }) => {
    expect(missed(await measure(device), { ...usual, ...bars[key] })).toEqual([]);
  });
});

/** Returns the values that miss the bar. */
function missed(measurement: Measurement, bar: Bar): readonly string[] {
  const { truth, found, worstDistance, hasRightDrivers, hasRightTrips, trips, warnings, failure } = measurement;
  if (failure !== null) return [failure];
  const [unseen, unseenTolerance] = bar.unseen;
  const hasDoubt = trips.some(({ distanceDoubt }) => distanceDoubt !== null);
  const codes = warnings.map(({ code }) => code);
  const checks: readonly (readonly [isMissed: boolean, what: string])[] = [
    [worstDistance > bar.distance, `distance: ${worstDistance}`],
    [
      Math.abs(found.movingSeconds - truth.movingSeconds) > bar.moving,
      `moving: ${found.movingSeconds - truth.movingSeconds} s`,
    ],
    [Math.abs(found.idleSeconds - truth.idleSeconds) > bar.idle, `idle: ${found.idleSeconds - truth.idleSeconds} s`],
    [Math.abs(found.unseenSeconds - unseen) > unseenTolerance, `unseen: ${found.unseenSeconds} s`],
    [isFuelMissed(measurement, bar.fuel), `fuel: ${found.litres} l`],
    [hasRightDrivers !== bar.hasRightDrivers, `right drivers: ${hasRightDrivers}`],
    [
      bar.trips === 'right' ? !hasRightTrips : trips.length < bar.trips[0] || trips.length > bar.trips[1],
      `trips: ${trips.length}`,
    ],
    [measurement.worstTopSpeed > bar.topSpeed, `top speed: ${measurement.worstTopSpeed}`],
    [trips.some(isMeanAboveTop), 'mean above top speed'],
    [trips.some(({ tripsBy }) => tripsBy !== bar.tripsBy), `trips by: ${trips.map(({ tripsBy }) => tripsBy).join()}`],
    [
      bar.hasDoubt !== 'perhaps' && hasDoubt !== bar.hasDoubt,
      `doubts: ${trips.map(({ distanceDoubt }) => distanceDoubt).join()}`,
    ],
    [codes.join() !== bar.warnings.join(), `warnings: ${codes.join()}`],
  ];
  return checks.flatMap(([isMissed, what]) => (isMissed ? what : []));
}

function isMeanAboveTop({ meanSpeedKmh, topSpeedKmh }: Trip): boolean {
  return meanSpeedKmh !== null && topSpeedKmh !== null && meanSpeedKmh > topSpeedKmh + 0.1;
}

function isFuelMissed({ found, truth, hasFuel }: Measurement, bar: Bar['fuel']): boolean {
  if (bar === 'none') return hasFuel;
  return !hasFuel || Math.abs(found.litres / truth.litres - 1) > bar;
}
