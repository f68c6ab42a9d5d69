// The devices of the benchmark, as in docs/telemetry.md: each is a world, an interval, and quirks.
import * as counter from './counter-quirks.js';
import type { Quirk } from './device.js';
import * as ignition from './ignition-quirks.js';
import * as position from './position-quirks.js';
import type { World } from './route.js';
import * as speed from './speed-quirks.js';
import * as time from './time-quirks.js';
import { ferry, idlingHour, longHaul, longTunnel, longWait, slowDrive, workingDay } from './worlds.js';

export interface Device {
  /** A description for the table. */
  readonly name: string;
  readonly world: World;
  readonly everySeconds: number;
  readonly quirks: readonly Quirk[];
  /** The lead of its clock: its trips are shifted back for the comparison. */
  readonly clockAheadMs?: number;
}

export interface DeviceGroup {
  readonly about: string;
  readonly devices: readonly Device[];
}

const day = (name: string, ...quirks: readonly Quirk[]): Device => ({
  name,
  world: workingDay,
  everySeconds: 10,
  quirks,
});
const dayEvery = (everySeconds: number, name: string, ...quirks: readonly Quirk[]): Device => ({
  ...day(name, ...quirks),
  everySeconds,
});
const inWorld = (world: World, name: string, ...quirks: readonly Quirk[]): Device => ({
  ...day(name, ...quirks),
  world,
});
const tunnel = (name: string, ...quirks: readonly Quirk[]) => inWorld(longTunnel, name, ...quirks);

const { noOdometer } = counter;

/** Devices without errors, at short or long intervals. */
const tidyDevices: readonly Device[] = [
  dayEvery(1, 'a row per second'),
  day('a row per 10 s'),
  dayEvery(30, 'a row per 30 s'),
  dayEvery(60, 'a row per minute'),
  dayEvery(300, 'a row per 5 minutes'),
  dayEvery(1, 'a row per second, no odometer', noOdometer),
  day('a row per 10 s, no odometer', noOdometer),
  dayEvery(30, 'a row per 30 s, no odometer', noOdometer),
  day('odometer in steps of 100 m', counter.odometerInSteps(0.1)),
  day('odometer in whole kilometres', counter.odometerInSteps(1)),
];

export const deviceGroups: readonly DeviceGroup[] = [
  { about: 'Tidy devices', devices: tidyDevices },
  {
    about: 'Few values',
    devices: [
      dayEvery(60, 'a row per minute, no odometer', noOdometer),
      dayEvery(300, 'a row per 5 minutes, no odometer', noOdometer),
      day('a receiver alone, without the bus of the vehicle', counter.noBus),
      day('no positions', position.noPositions),
      day('positions only where the ignition changes', position.positionsAtIgnitionChanges),
      day('positions only where the ignition changes, no odometer', position.positionsAtIgnitionChanges, noOdometer),
      day('speed only: no odometer, no positions', position.noPositions, noOdometer),
    ],
  },
  {
    about: 'Odometer',
    devices: [
      day('always 0', counter.odometerZero),
      day('frozen', counter.odometerFrozen),
      day('freezes in the middle of each trip', counter.odometerFreezesHalfway),
      day('0 in every seventh row', counter.odometerZeroNowAndThen),
      day('missing in every second row', counter.odometerHalfMissing),
      day('only in rows with the ignition off', counter.odometerWhenOffOnly),
      day('passed on once in five minutes', counter.odometerEveryFiveMinutes),
      dayEvery(
        1,
        'once a minute, in rows that repeat the last position, and 2 s after start and end',
        counter.countersInRowsOfTheirOwn(true),
      ),
      dayEvery(1, 'once a minute, in rows that repeat the last position', counter.countersInRowsOfTheirOwn(false)),
      day('starts again from 0 under way', counter.odometerRestartsAt(81_260)),
      day('jumps by 5,000 km under way', counter.odometerJumps(5_000, 81_270)),
      day('two sources take turns, 12 km apart', counter.odometerOfTwoSources),
      day('goes back by 400 m in every ninth row', counter.odometerGoesBack),
      day('3 % short (worn tyres)', counter.odometerThreePercentShort),
      day('in miles', counter.odometerTimes(1 / 1.609344)),
      day('in metres', counter.odometerTimes(1_000)),
    ],
  },
  {
    about: 'Fuel',
    devices: [
      day('fuel of the trip always 0', counter.tripFuelZero),
      day('fuel of the trip frozen', counter.tripFuelFrozen),
      day('fuel of the trip 0 in every seventh row', counter.tripFuelZeroNowAndThen),
      day('fuel of the trip always 0, no other counter', counter.tripFuelOnly, counter.tripFuelZero),
      day('fuel of the trip only', counter.tripFuelOnly),
      day('total fuel only, in steps of half a litre', counter.totalFuelOnly),
      day('fuel of the trip starts again every half hour', counter.tripFuelRestarts),
      day('total fuel only, starts again from 0 under way', counter.totalFuelOnly, counter.totalFuelRestartsAt(12_355)),
      day('fuel missing in every second row', counter.fuelHalfMissing),
    ],
  },
  {
    about: 'Positions',
    devices: [
      inWorld(idlingHour, 'an hour with the engine on: 8 m of noise', noOdometer, position.noise(8)),
      inWorld(idlingHour, 'an hour with the engine on: 20 m of noise', noOdometer, position.noise(20)),
      inWorld(
        idlingHour,
        'an hour with the engine on: the position walks within 30 m',
        noOdometer,
        position.wandersWhileStanding(30),
      ),
      inWorld(
        idlingHour,
        'an hour with the engine on: 8 m of noise, and it seems to creep',
        noOdometer,
        position.noise(8),
        speed.creepsWhileStanding,
        speed.noBusSpeed,
      ),
      day('8 m of noise while it stands', noOdometer, position.noiseWhileStanding(8)),
      day('8 m of noise while it is parked', noOdometer, position.noiseWhileParked(8)),
      { ...inWorld(slowDrive, '4 m of noise each second, at 30 km/h', noOdometer, position.noise(4)), everySeconds: 1 },
      dayEvery(1, '4 m of noise each second', noOdometer, position.noise(4)),
      day('15 m of noise', noOdometer, position.noise(15)),
      day('reflections: now and then 60 m away', noOdometer, position.reflections(20, 60)),
      day('one position in 50 is wrong by kilometres', noOdometer, position.outliers(50)),
      day('one position in 50 is a place of long ago', noOdometer, position.outliersToOnePlace(50)),
      day('one longitude in 20 is 0', noOdometer, position.longitudeZero(20)),
      day('positions are 20 s old', noOdometer, position.positionLags(2)),
      day('three decimals', noOdometer, position.decimals(3)),
      day('four decimals', noOdometer, position.decimals(4)),
      day('says "no fix" while it stands', noOdometer, position.invalidWhileStanding),
      day('always says "no fix"', noOdometer, position.alwaysWithoutFix),
      day('never says whether it has a fix', noOdometer, position.stateNull),
      day('first fix two minutes after the ignition', noOdometer, position.slowFirstFix(120)),
    ],
  },
  {
    about: 'Ten minutes of 30 in a tunnel',
    devices: [
      tunnel('repeats the last position, says "no fix"', noOdometer, position.repeatsWithoutFix, speed.noBusSpeed),
      tunnel('repeats the last position, says "no fix", with odometer', position.repeatsWithoutFix),
      tunnel('repeats the last position with speed 0', noOdometer, position.holdsWithFix, speed.noBusSpeed),
      tunnel('repeats the last position with speed 0, with odometer', position.holdsWithFix),
      tunnel('repeats the last position and the last speed', noOdometer, position.holdsLastSpeedToo, speed.noBusSpeed),
      tunnel('repeats the last position, the speed is right', noOdometer, position.holdsPositionOnly),
      tunnel('0,0 and "no fix"', noOdometer, position.zeroZero, speed.noBusSpeed),
      tunnel('0,0 as if it were a position', noOdometer, position.zeroZeroWithFix, speed.noBusSpeed),
      tunnel('position and speed are null', noOdometer, position.nullPosition, speed.noBusSpeed),
      tunnel('no rows', noOdometer, position.noRowsWithoutSky),
      tunnel('no rows, with odometer', position.noRowsWithoutSky),
    ],
  },
  {
    about: 'Speed',
    devices: [
      day('of the bus only', speed.noReceiverSpeed),
      day('of the bus only, no odometer', speed.noReceiverSpeed, noOdometer),
      day('none', speed.noReceiverSpeed, speed.noBusSpeed),
      day('none, no odometer', speed.noReceiverSpeed, speed.noBusSpeed, noOdometer),
      day('always 0', speed.receiverSpeedZero, speed.noBusSpeed),
      day('of the bus always 0, of the receiver right', speed.busSpeedZero),
      day('255 where it is not known', speed.noSpeedIs255, speed.noBusSpeed),
      day('-1 where it is not known', speed.noSpeedIsMinusOne, speed.noBusSpeed),
      day('always 255', speed.speedAlways255, speed.noBusSpeed),
      day('always -1', speed.speedAlwaysMinusOne, speed.noBusSpeed),
      day('null while it stands', speed.nullWhileStanding, speed.noBusSpeed),
      day('seems to creep while it stands', speed.creepsWhileStanding, speed.noBusSpeed),
      day('keeps the last speed while it stands', speed.keepsLastSpeed, speed.noBusSpeed),
      day('keeps the last speed while it is parked', speed.keepsLastSpeedWhenParked, speed.noBusSpeed),
      day('one speed in 100 is 200 km/h', speed.spikes(100), speed.noBusSpeed),
      day('in metres per second', speed.metresPerSecond, speed.noBusSpeed),
      day('in knots', speed.knots, speed.noBusSpeed),
    ],
  },
  {
    about: 'Ignition',
    devices: [
      day('null', ignition.ignitionNull),
      day('missing', ignition.ignitionMissing),
      day('missing, no odometer', ignition.ignitionMissing, noOdometer),
      day(
        'missing, no odometer, 8 m of noise while it stands',
        ignition.ignitionMissing,
        noOdometer,
        position.noiseWhileStanding(8),
      ),
      day('missing, and no speed', ignition.ignitionMissing, speed.noReceiverSpeed, speed.noBusSpeed),
      day('always off', ignition.ignitionAlwaysOff),
      day('always off, no odometer', ignition.ignitionAlwaysOff, noOdometer),
      day('always on', ignition.ignitionAlwaysOn),
      day('null in every second row', ignition.ignitionHalfMissing),
      day('a loose contact: off in every fifth row', ignition.ignitionFlaps(5)),
      day('it is the engine, which stops at red lights', ignition.engineStopsWithVehicle),
      { ...day('off for a moment while the starter runs', ignition.starterBlink), everySeconds: 5 },
      inWorld(ferry, 'on a ferry, with the engine off'),
      inWorld(ferry, 'on a ferry, with the engine off, no odometer', noOdometer),
      day('on two minutes after the engine', ignition.ignitionLate(120)),
      day('the row that says "off" is lost', ignition.offRowLost),
      day('a second device without ignition wire', ignition.secondDevice),
      day('two whole devices, 10 m and 3 s apart', ignition.twoWholeDevices),
      day('two whole devices, 10 m and 3 s apart, no odometer', ignition.twoWholeDevices, noOdometer),
      day('a second device without ignition wire, no odometer', ignition.secondDevice, noOdometer),
    ],
  },
  {
    about: 'Drivers',
    devices: [
      day('missing in every second row', ignition.driverHalfMissing),
      day('only in the row in which it changes', ignition.driverOnceOnly),
      day('empty text for nobody', ignition.nobodyIsEmpty),
      day('a number', ignition.driverAsNumber),
      day('0 for nobody', ignition.nobodyIsZero),
    ],
  },
  {
    about: 'Time',
    devices: [
      inWorld(longWait, 'four hours of standing with the ignition on, without rows', time.silentWhileStanding),
      inWorld(longHaul, 'five hours of driving without rows', time.silentFor(5, 1800)),
      inWorld(longHaul, 'five hours of driving without rows, no odometer', time.silentFor(5, 1800), noOdometer),
      day('off while parked: no row says "off"', time.offWhileParked),
      day('the last two minutes of each trip and the time parked are lost in a basement', time.basement(120)),
      dayEvery(1, 'a row per 200 m, and one in five minutes of standing', time.perDistance(200)),
      day('five rows at once, the newest first', time.batchesNewestFirst(5)),
      day('times without seconds', time.wholeMinutes),
      day('times without seconds, no odometer', time.wholeMinutes, noOdometer),
      day('a clock that is set back by half a minute every hour', time.clockSetBack),
      day('rows up to 45 s late', time.late(45)),
      day('every row twice', time.duplicated),
      day('position and bus in two rows of one time', time.twins),
      day('times are milliseconds since 1970', time.epochMilliseconds),
      day('times are seconds since 1970', time.epochSeconds),
      day('times with +05:30', time.timeWithOffset),
      day('"ON", "59.43"', ignition.onOffAsText, time.numbersAsText),
      day('1 and 0 for the ignition', ignition.onOffAsNumbers),
      { ...day('a clock 400 days ahead', time.clockAhead(400)), clockAheadMs: 400 * 24 * 3_600_000 },
      day('one row in 50 is of the year 1980', time.oldClockNowAndThen),
      day('one row in 50 is 1,024 weeks ahead', time.futureClockNowAndThen),
    ],
  },
];
