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
  const litresPerHour = motion.fuelRate * 3.6;
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
  const slowing = isMoving && acceleration < -0.3;
  row.brakeApplicationPressure = isBraking ? Math.round(brake * 7) : 0;
  row.brakeTorque = slowing ? Math.round(-acceleration * 9000 * (0.6 + drivenLeg.load * 0.4)) : 0;
  row.retarderTorqueMode = slowing ? 2 : 0;
  row.actualRetarderLevel = slowing ? Math.min(100, Math.round(-acceleration * 28)) : 0;
  row.nonEngineRetarderSelectionLevel = slowing ? Math.min(100, Math.round(-acceleration * 20)) : 0;
  row.tractionControlBrake = isSlipping;
  row.tractionControlPowerTrain = isSlipping && toUnit(rowHash) < 0.7;
  return row;
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
  const { schedule, totals } = drivenLeg;
  const { traits, hash } = schedule;
  const { kind } = schedule.vehicle;
  const { metres, fuel } = motion;
  const totalKm = odometerKm(totals.metres + metres);
  const usedLitres = (totals.fuelMl + fuel) / 1000;
  const litres = tankLitres(drivenLeg, fuel);
  const warmth = 1 - Math.exp(-ms / 330_000);
  const coolant = drivenLeg.engineAtStart + (88 - drivenLeg.engineAtStart) * warmth;
  const oil = drivenLeg.engineAtStart + (97 - drivenLeg.engineAtStart) * (1 - Math.exp(-ms / 620_000));
  const { rpm } = gearAt(drivenLeg, motion.speed * 3.6);
  const serviceKm = traits.serviceKm - (totalKm % traits.serviceKm);
  const row: MutableCanBusRow = {
    canDistance: totalKm,
    canSpeed: roundTo(motion.speed * 3.6, 10),
    canrpm: engineOn ? Math.round(rpm) : 0,
    canFuel: roundTo(litres, 10),
    canEngineCoolantTemperature: Math.round(coolant),
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
    canTripDistance: roundTo(metres / 1000, 1000),
  };
  if (kind === 'car') {
    row.canRawFuel = roundTo((litres / traits.tankLitres) * 100, 10);
    row.oilLifeRemaining = Math.round((serviceKm / traits.serviceKm) * 100);
    row.washerFluidLevel = 20 + ((Math.floor(totalKm / 40) * 97) % 80);
    row.engineOilLevel = 70 + (hash % 25);
    row.engineOilTemperature = Math.round(oil);
    row.fuelDeliveryPressure = engineOn ? 380 + randomBelow(rowHash, 5, 20) : 0;
    return row;
  }
  const tripLitres = fuel / 1000;
  row.canFuelUsed = roundTo(usedLitres, 10);
  row.canhrFuelUsed = roundTo(usedLitres, 1000);
  row.deltaFuelUsed = roundTo((fuel - previous.fuel) / 1000, 1000);
  row.canDeltaDistance = roundTo((metres - previous.metres) / 1000, 1000);
  row.canTripFuelUsed = roundTo(tripLitres, 1000);
  row.canTripFuelUsedPercent = roundTo((tripLitres / traits.tankLitres) * 100, 10);
  row.canEngineHours = engineHours(totals.engineMs + ms);
  row.engineIdleTime = engineHours(totals.idleMs + motion.idle);
  row.engineWorkTime = engineHours(totals.engineMs - totals.idleMs + ms - motion.idle);
  row.engineOilTemperature = Math.round(oil);
  row.engineOilPressure = engineOn ? Math.round(160 + rpm * 0.13) : 0;
  if (kind === 'van') {
    row.washerFluidLevel = 20 + ((Math.floor(totalKm / 55) * 89) % 80);
    return row;
  }
  row.canRawFuel = Math.round(litres * 10);
  row.engineCoolantLevel = 84 + (hash % 14);
  row.engineCoolantPressure = engineOn ? Math.round(70 + warmth * 45) : 0;
  row.engineOilLevel = 78 + (hash % 20);
  row.fuelDeliveryPressure = engineOn ? 540 + randomBelow(rowHash, 5, 40) : 0;
  row.transmissionOilTemperature = Math.round(
    drivenLeg.ambient + (81 - drivenLeg.ambient) * (1 - Math.exp(-ms / 900_000)),
  );
  row.intakeAirTemperature = Math.round(drivenLeg.ambient + 14 + warmth * 12);
  row.waterInFuel = mixHash(hash, Math.floor(drivenLeg.start / dayMs)) % 120 === 0;
  row.canProgramNumber = 1 + (hash % 4);
  return row;
}
