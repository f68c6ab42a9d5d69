/**
 * What the CAN bus says of driving and of the engine. A reading carries the fields of one of its messages: `driving`
 * (several a minute), `engine` (one a minute) and the body's, which is in canbus-body.ts.
 */
import { between, mix, pick, unit } from './hash.js';
import type { VehiclePlan } from './plan.js';
import type { CanBusRow } from './rows.js';
import { altitudeAt, engineHours, type LegRun, odometerKm, round, tankLitres } from './run.js';

/**
 * A message being filled in. Fields are added one by one because spreading a message into the next, larger one costs twenty
 * times as much, and these are most of what a busy vehicle's rows cost.
 */
export type Draft = { -readonly [Field in keyof CanBusRow]: CanBusRow[Field] };

/** Whether the vehicle's bus is read at all: older cars have no such device. */
export function hasBus(plan: VehiclePlan): boolean {
  return plan.vehicle.kind !== 'car' || plan.hash % 6 !== 0;
}

/** Engine speed and gear at a road speed: gears share the speed range, each wider than the one before. */
function gearbox(run: LegRun, kmh: number): { rpm: number; gear: number } {
  const { gears, rpm, cruiseKmh } = run.plan.traits;
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

/** Speed, engine speed, pedals, gear and brakes at the moment `run.motion` is at. */
export function drivingMessage(run: LegRun, moment: number): CanBusRow {
  const { motion, plan } = run;
  const { kind } = plan.vehicle;
  const { traits } = plan;
  const kmh = motion.speed * 3.6;
  const a = motion.acceleration;
  const moving = kmh > 1;
  const { rpm, gear } = gearbox(run, kmh);
  const braking = a < -0.5 || (!moving && kmh < 0.5);
  const effort = moving ? Math.min(1, Math.max(0, 0.14 + kmh / 330 + (a / traits.harshAcceleration) * 0.75)) : 0.08;
  const pedal = a < -0.3 || !moving ? 0 : Math.min(100, effort * 105);
  const brake = braking ? (moving ? Math.min(100, (-a / traits.harshDeceleration) * 80) : 15) : 0;
  const hard = a <= -traits.harshDeceleration + 0.01;
  const slipping = a >= traits.harshAcceleration - 0.01;
  const cruising = moving && a === 0 && motion.limit >= 70;
  const perHour = motion.fuelRate * 3.6;
  const row: Draft = {
    canSpeed: round(kmh, 10),
    canrpm: Math.round(rpm + between(moment, 1, -8, 8)),
    acceleratorPedalPosition: round(pedal, 10),
    brakePedalState: braking,
    engineThrottlePosition: round(Math.max(pedal * 0.9, 4), 10),
    enginePercentLoad: Math.round(effort * 100),
    accelerationX: round(a, 100),
    absStatus: hard && unit(moment) < 0.5,
    tractionControl: slipping,
    gear: moving ? 'D' : kind === 'truck' ? 'N' : 'D',
  };
  if (kind === 'car') {
    row.massAirFlow = round(1.6 + effort * rpm * 0.028, 100);
    row.intakeAirTemperature = Math.round(run.ambient + 7 + (moving ? 0 : 6));
    row.accelerationY = round(between(moment, 2, -0.6, 0.6) * (moving ? 1 : 0), 100);
    row.brakePedalPosition = round(brake, 10);
    row.clutchPedalState = moving && gear < 4 && unit(mix(moment, 3)) < 0.1;
    row.cruiseControlActive = cruising && plan.hash % 3 !== 0;
    return row;
  }
  row.canFuelRate = round(perHour, 100);
  row.canFuelEconomy = moving ? round(kmh / perHour, 100) : 0;
  row.canFuelConsumption = moving ? round((perHour / kmh) * 100, 10) : 0;
  row.cruiseControlActive = cruising;
  row.cruiseControlState = cruising ? 1 : 0;
  row.clutchPedalState = moving && gear < 4 && unit(mix(moment, 3)) < 0.15;
  row.canWheelSpeed = round(kmh * 1.002, 10);
  if (kind === 'van') {
    row.brakePedalPosition = round(brake, 10);
    row.tractionControlBrake = slipping;
    return row;
  }
  const slowing = moving && a < -0.3;
  row.brakeApplicationPressure = braking ? Math.round(brake * 7) : 0;
  row.brakeTorque = slowing ? Math.round(-a * 9000 * (0.6 + run.load * 0.4)) : 0;
  row.retarderTorqueMode = slowing ? 2 : 0;
  row.actualRetarderLevel = slowing ? Math.min(100, Math.round(-a * 28)) : 0;
  row.nonEngineRetarderSelectionLevel = slowing ? Math.min(100, Math.round(-a * 20)) : 0;
  row.tractionControlBrake = slipping;
  row.tractionControlPowerTrain = slipping && unit(moment) < 0.7;
  return row;
}

/** What the instruments showed at the previous reading of the engine on this leg. */
export interface Reading {
  readonly metres: number;
  readonly fuel: number;
}

/** Totals, temperatures, pressures and levels at `ms` after the engine's start, where `run.motion` is. */
export function engineMessage(
  run: LegRun,
  ms: number,
  previous: Reading,
  moment: number,
  engineOn: boolean,
): CanBusRow {
  const { motion, plan, totals } = run;
  const { traits, hash } = plan;
  const { kind } = plan.vehicle;
  const { metres, fuel } = motion;
  const totalKm = odometerKm(totals.metres + metres);
  const usedLitres = (totals.fuelMl + fuel) / 1000;
  const litres = tankLitres(run, fuel);
  const warm = 1 - Math.exp(-ms / 330_000);
  const coolant = run.engineAtStart + (88 - run.engineAtStart) * warm;
  const oil = run.engineAtStart + (97 - run.engineAtStart) * (1 - Math.exp(-ms / 620_000));
  const { rpm } = gearbox(run, motion.speed * 3.6);
  const serviceKm = traits.serviceKm - (totalKm % traits.serviceKm);
  const row: Draft = {
    canDistance: totalKm,
    canSpeed: round(motion.speed * 3.6, 10),
    canrpm: engineOn ? Math.round(rpm) : 0,
    canFuel: round(litres, 10),
    canEngineCoolantTemperature: Math.round(coolant),
    ambientAirTemperature: run.ambient,
    barometricPressure: round(
      101.3 * Math.exp(-altitudeAt(plan, motion.latitude, motion.longitude) / 8434) + between(moment, 4, -0.3, 0.3),
      10,
    ),
    canServiceDistance: Math.round(serviceKm),
    serviceNowWarning: serviceKm < 600,
    checkEngineWarning: mix(hash, Math.floor(run.start / 604_800_000)) % 40 === 0,
    engineRunTime: Math.floor(ms / 1000),
    engineFuelType: kind === 'car' && hash % 2 === 0 ? 1 : 4,
    canTripDistance: round(metres / 1000, 1000),
  };
  if (kind === 'car') {
    row.canRawFuel = round((litres / traits.tankLitres) * 100, 10);
    row.oilLifeRemaining = Math.round((serviceKm / traits.serviceKm) * 100);
    row.washerFluidLevel = 20 + ((Math.floor(totalKm / 40) * 97) % 80);
    row.engineOilLevel = 70 + (hash % 25);
    row.engineOilTemperature = Math.round(oil);
    row.fuelDeliveryPressure = engineOn ? 380 + pick(moment, 5, 20) : 0;
    return row;
  }
  const tripLitres = fuel / 1000;
  row.canFuelUsed = round(usedLitres, 10);
  row.canhrFuelUsed = round(usedLitres, 1000);
  row.deltaFuelUsed = round((fuel - previous.fuel) / 1000, 1000);
  row.canDeltaDistance = round((metres - previous.metres) / 1000, 1000);
  row.canTripFuelUsed = round(tripLitres, 1000);
  row.canTripFuelUsedPercent = round((tripLitres / traits.tankLitres) * 100, 10);
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
  row.engineCoolantPressure = engineOn ? Math.round(70 + warm * 45) : 0;
  row.engineOilLevel = 78 + (hash % 20);
  row.fuelDeliveryPressure = engineOn ? 540 + pick(moment, 5, 40) : 0;
  row.transmissionOilTemperature = Math.round(run.ambient + (81 - run.ambient) * (1 - Math.exp(-ms / 900_000)));
  row.intakeAirTemperature = Math.round(run.ambient + 14 + warm * 12);
  row.waterInFuel = mix(hash, Math.floor(run.start / 86_400_000)) % 120 === 0;
  row.canProgramNumber = 1 + (hash % 4);
  return row;
}
