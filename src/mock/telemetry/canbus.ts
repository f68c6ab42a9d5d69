// CAN bus messages about driving (several a minute) and the engine (one a minute). A row has the
// fields of one message. Those about the body are in canbus-body.ts.
import { dayMs, weekMs } from '../core/durations.js';
import { altitudeAt, type DrivenLeg, engineHours, odometerKm, roundTo, tankLitres } from './driven-leg.js';
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { SimulatedMotion } from './motion.js';
import type { CanBusRow } from './types.js';
import type { VehicleSchedule } from './vehicle-schedule.js';

/** A mutable message: assigning fields one by one is twenty times faster than spreading objects. */
export type MutableCanBusRow = { -readonly [Field in keyof CanBusRow]: CanBusRow[Field] };

const coolantTimeConstantMs = 330_000;

/** True when the device reads the CAN bus; devices of older cars do not. */
export function hasCanBus(schedule: VehicleSchedule): boolean {
  return schedule.vehicle.kind !== 'car' || schedule.hash % 6 !== 0;
}

/** Returns engine speed and gear. Each gear covers a wider speed range than the previous one. */
function gearAt(drivenLeg: DrivenLeg, kmh: number): { rpm: number; gear: number } {
  const { gears, rpm, cruiseKmh } = drivenLeg.schedule.traits;
  const [idle, low, high] = rpm;
  if (kmh < 1) return { rpm: idle, gear: 0 };
  const top = cruiseKmh * 0.75;
  let gear = 1;
  let floor = 0;
  let ceiling = top / gears ** 1.25;
  while (gear < gears && kmh > ceiling) {
    gear++;
    floor = ceiling;
    ceiling = top * (gear / gears) ** 1.25;
  }
  if (gear === gears) ceiling = cruiseKmh * 1.25;
  const share = Math.min(1, (kmh - floor) / (ceiling - floor));
  const bottom = gear === 1 ? idle : low;
  return { rpm: bottom + (high - bottom) * share, gear };
}

export function drivingMessage(drivenLeg: DrivenLeg, motion: SimulatedMotion, rowHash: number): CanBusRow {
  const { schedule } = drivenLeg;
  const { kind } = schedule.vehicle;
  const { traits } = schedule;
  const kmh = motion.speed * 3.6;
  const acceleration = motion.acceleration;
  const isMoving = kmh > 1;
  const { rpm, gear } = gearAt(drivenLeg, kmh);
  const isBraking = acceleration < -0.5 || (!isMoving && kmh < 0.5);
  const effort = isMoving
    ? Math.min(1, Math.max(0, 0.14 + kmh / 330 + (acceleration / traits.harshAcceleration) * 0.75))
    : 0.08;
  const pedal = acceleration < -0.3 || !isMoving ? 0 : Math.min(100, effort * 105);
  const brake = isBraking ? (isMoving ? Math.min(100, (-acceleration / traits.harshDeceleration) * 80) : 15) : 0;
  const isHardBraking = acceleration <= -traits.harshDeceleration + 0.01;
  const isSlipping = acceleration >= traits.harshAcceleration - 0.01;
  const isCruising = isMoving && acceleration === 0 && motion.limit >= 70;
  const row: MutableCanBusRow = {
    canSpeed: roundTo(kmh, 10),
    canrpm: Math.round(rpm + randomBetween(rowHash, 1, -8, 8)),
    acceleratorPedalPosition: roundTo(pedal, 10),
    brakePedalState: isBraking,
    engineThrottlePosition: roundTo(Math.max(pedal * 0.9, 4), 10),
    enginePercentLoad: Math.round(effort * 100),
    accelerationX: roundTo(acceleration, 100),
    absStatus: isHardBraking && toUnit(rowHash) < 0.5,
    tractionControl: isSlipping,
    gear: isMoving ? 'D' : kind === 'truck' ? 'N' : 'D',
  };
  if (kind === 'car') {
    row.massAirFlow = roundTo(1.6 + effort * rpm * 0.028, 100);
    row.intakeAirTemperature = Math.round(drivenLeg.ambient + 7 + (isMoving ? 0 : 6));
    row.accelerationY = roundTo(randomBetween(rowHash, 2, -0.6, 0.6) * (isMoving ? 1 : 0), 100);
    row.brakePedalPosition = roundTo(brake, 10);
    row.clutchPedalState = isMoving && gear < 4 && toUnit(mixHash(rowHash, 3)) < 0.1;
    row.cruiseControlActive = isCruising && schedule.hash % 3 !== 0;
    return row;
  }
  const litresPerHour = motion.fuelRate * 3.6;
  row.canFuelRate = roundTo(litresPerHour, 100);
  row.canFuelEconomy = isMoving ? roundTo(kmh / litresPerHour, 100) : 0;
  row.canFuelConsumption = isMoving ? roundTo((litresPerHour / kmh) * 100, 10) : 0;
  row.cruiseControlActive = isCruising;
  row.cruiseControlState = isCruising ? 1 : 0;
  row.clutchPedalState = isMoving && gear < 4 && toUnit(mixHash(rowHash, 3)) < 0.15;
  row.canWheelSpeed = roundTo(kmh * 1.002, 10);
  if (kind === 'van') {
    row.brakePedalPosition = roundTo(brake, 10);
    row.tractionControlBrake = isSlipping;
    return row;
  }
  row.brakeApplicationPressure = isBraking ? Math.round(brake * 7) : 0;
  addRetarder(row, isMoving && acceleration < -0.3 ? -acceleration : 0, drivenLeg.load);
  row.tractionControlBrake = isSlipping;
  row.tractionControlPowerTrain = isSlipping && toUnit(rowHash) < 0.7;
  return row;
}

/** `slowing`: the deceleration in m/s²; 0 when the vehicle does not slow down. */
function addRetarder(row: MutableCanBusRow, slowing: number, load: number): void {
  row.brakeTorque = Math.round(slowing * 9000 * (0.6 + load * 0.4));
  row.retarderTorqueMode = slowing > 0 ? 2 : 0;
  row.actualRetarderLevel = Math.min(100, Math.round(slowing * 28));
  row.nonEngineRetarderSelectionLevel = Math.min(100, Math.round(slowing * 20));
}

/** The values that the messages of an engine share. */
interface EngineState {
  readonly ms: number;
  readonly isOn: boolean;
  readonly rpm: number;
  readonly totalKm: number;
  readonly serviceKm: number;
  readonly litres: number;
  readonly rowHash: number;
}

/** Returns the temperature `ms` after a start at `from`; it approaches `to`. */
function warmedUp(from: number, to: number, ms: number, timeConstantMs: number): number {
  return from + (to - from) * (1 - Math.exp(-ms / timeConstantMs));
}

function oilTemperature({ engineAtStart }: DrivenLeg, ms: number): number {
  return Math.round(warmedUp(engineAtStart, 97, ms, 620_000));
}

/** Returns the message at `ms` after engine start. `previous` is the previous message's motion. */
export function engineMessage(
  drivenLeg: DrivenLeg,
  ms: number,
  motion: SimulatedMotion,
  previous: SimulatedMotion,
  rowHash: number,
  engineOn: boolean,
): CanBusRow {
  const { schedule } = drivenLeg;
  const { traits, hash } = schedule;
  const { kind } = schedule.vehicle;
  const totalKm = odometerKm(drivenLeg.totals.metres + motion.metres);
  const litres = tankLitres(drivenLeg, motion.fuel);
  const { rpm } = gearAt(drivenLeg, motion.speed * 3.6);
  const serviceKm = traits.serviceKm - (totalKm % traits.serviceKm);
  const row: MutableCanBusRow = {
    canDistance: totalKm,
    canSpeed: roundTo(motion.speed * 3.6, 10),
    canrpm: engineOn ? Math.round(rpm) : 0,
    canFuel: roundTo(litres, 10),
    canEngineCoolantTemperature: Math.round(warmedUp(drivenLeg.engineAtStart, 88, ms, coolantTimeConstantMs)),
    ambientAirTemperature: drivenLeg.ambient,
    barometricPressure: roundTo(
      101.3 * Math.exp(-altitudeAt(schedule, motion.latitude, motion.longitude) / 8434) +
        randomBetween(rowHash, 4, -0.3, 0.3),
      10,
    ),
    canServiceDistance: Math.round(serviceKm),
    serviceNowWarning: serviceKm < 600,
    checkEngineWarning: mixHash(hash, Math.floor(drivenLeg.start / weekMs)) % 40 === 0,
    engineRunTime: Math.floor(ms / 1000),
    engineFuelType: kind === 'car' && hash % 2 === 0 ? 1 : 4,
    canTripDistance: roundTo(motion.metres / 1000, 1000),
  };
  const engine = { ms, isOn: engineOn, rpm, totalKm, serviceKm, litres, rowHash };
  if (kind === 'car') {
    addCarEngine(row, drivenLeg, engine);
    return row;
  }
  addEngineCounters(row, drivenLeg, motion, previous, engine);
  if (kind === 'truck') addTruckEngine(row, drivenLeg, engine);
  else row.washerFluidLevel = 20 + ((Math.floor(totalKm / 55) * 89) % 80);
  return row;
}

function addCarEngine(row: MutableCanBusRow, drivenLeg: DrivenLeg, engine: EngineState): void {
  const { traits, hash } = drivenLeg.schedule;
  const { totalKm, serviceKm, litres } = engine;
  row.canRawFuel = roundTo((litres / traits.tankLitres) * 100, 10);
  row.oilLifeRemaining = Math.round((serviceKm / traits.serviceKm) * 100);
  row.washerFluidLevel = 20 + ((Math.floor(totalKm / 40) * 97) % 80);
  row.engineOilLevel = 70 + (hash % 25);
  row.engineOilTemperature = oilTemperature(drivenLeg, engine.ms);
  row.fuelDeliveryPressure = engine.isOn ? 380 + randomBelow(engine.rowHash, 5, 20) : 0;
}

/** Adds the counters that vans and trucks send: fuel, distance and engine hours. */
function addEngineCounters(
  row: MutableCanBusRow,
  drivenLeg: DrivenLeg,
  { metres, fuel, idle }: SimulatedMotion,
  previous: SimulatedMotion,
  { ms, isOn, rpm }: EngineState,
): void {
  const { totals } = drivenLeg;
  const usedLitres = (totals.fuelMl + fuel) / 1000;
  const tripLitres = fuel / 1000;
  row.canFuelUsed = roundTo(usedLitres, 10);
  row.canhrFuelUsed = roundTo(usedLitres, 1000);
  row.deltaFuelUsed = roundTo((fuel - previous.fuel) / 1000, 1000);
  row.canDeltaDistance = roundTo((metres - previous.metres) / 1000, 1000);
  row.canTripFuelUsed = roundTo(tripLitres, 1000);
  row.canTripFuelUsedPercent = roundTo((tripLitres / drivenLeg.schedule.traits.tankLitres) * 100, 10);
  row.canEngineHours = engineHours(totals.engineMs + ms);
  row.engineIdleTime = engineHours(totals.idleMs + idle);
  row.engineWorkTime = engineHours(totals.engineMs - totals.idleMs + ms - idle);
  row.engineOilTemperature = oilTemperature(drivenLeg, ms);
  row.engineOilPressure = isOn ? Math.round(160 + rpm * 0.13) : 0;
}

function addTruckEngine(row: MutableCanBusRow, drivenLeg: DrivenLeg, engine: EngineState): void {
  const { hash } = drivenLeg.schedule;
  const { ms, isOn } = engine;
  const warmth = warmedUp(0, 1, ms, coolantTimeConstantMs);
  row.canRawFuel = Math.round(engine.litres * 10);
  row.engineCoolantLevel = 84 + (hash % 14);
  row.engineCoolantPressure = isOn ? Math.round(70 + warmth * 45) : 0;
  row.engineOilLevel = 78 + (hash % 20);
  row.fuelDeliveryPressure = isOn ? 540 + randomBelow(engine.rowHash, 5, 40) : 0;
  row.transmissionOilTemperature = Math.round(warmedUp(drivenLeg.ambient, 81, ms, 900_000));
  row.intakeAirTemperature = Math.round(drivenLeg.ambient + 14 + warmth * 12);
  row.waterInFuel = mixHash(hash, Math.floor(drivenLeg.start / dayMs)) % 120 === 0;
  row.canProgramNumber = 1 + (hash % 4);
}
