// Device readings besides position and CAN bus: temperatures, meta sensors, fuel, supply voltage.

import { hasCanBus } from './canbus.js';
import { type DrivenLeg, roundTo, tankLitres, voltage } from './driven-leg.js';
import { mixHash, randomBelow, randomBetween, toUnit } from './hash.js';
import type { SimulatedMotion } from './motion.js';
import type { Entry, FleetMetaSensorsRow, FuelRow, MiscRow, TemperaturesRow } from './types.js';
import type { VehicleSchedule } from './vehicle-schedule.js';

/** The fleet's meta sensors; `fleetMetaSensors` has their readings. */
export const metaSensors: readonly { readonly key: number; readonly name: string }[] = [
  { key: 1, name: 'Cargo door' },
  { key: 2, name: 'Power take-off' },
  { key: 3, name: 'Supply voltage' },
];

/** Returns the two temperatures of a refrigerated vehicle; null for other vehicles. */
export function temperatures(schedule: VehicleSchedule, time: number, ambient: number): TemperaturesRow | null {
  const { kind } = schedule.vehicle;
  if (kind === 'car' || toUnit(mixHash(schedule.hash, 41)) > 0.6) return null;
  const isFrozen = toUnit(mixHash(schedule.hash, 42)) < 0.4;
  const setPoint = isFrozen ? -18 : 4;
  // The compressor runs in cycles of about 40 minutes.
  const wave = Math.sin((time / 2_400_000) * 2 * Math.PI + toUnit(schedule.hash) * 6);
  const leak = (ambient - setPoint) * 0.02;
  return {
    temperatures: [
      { key: 1, value: roundTo(setPoint + wave * 0.8 + leak, 10) },
      { key: 2, value: roundTo(setPoint + wave * 0.6 + leak + 0.7, 10) },
    ],
    temperatureSensorIds: [
      { key: 1, value: sensorId(schedule, 1) },
      { key: 2, value: sensorId(schedule, 2) },
    ],
  };
}

/** Returns the id of a 1-Wire thermometer: family code 28 and serial number. */
function sensorId(schedule: VehicleSchedule, sensor: number): string {
  const serial = mixHash(schedule.hash, 43 + sensor)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0');
  return `28${serial}0000${(0x40 + sensor).toString(16)}`;
}

export function fleetMetaSensors(
  schedule: VehicleSchedule,
  isEngineOn: boolean,
  isMoving: boolean,
  rowHash: number,
): FleetMetaSensorsRow {
  const sensors: Entry<number>[] = [{ key: 3, value: voltage(schedule, isEngineOn, rowHash) }];
  if (schedule.vehicle.kind !== 'car') {
    const door = !isMoving && toUnit(mixHash(rowHash, 44)) < 0.5 ? 1 : 0;
    const takeOff = !isMoving && isEngineOn && schedule.hash % 3 === 0 ? 1 : 0;
    sensors.unshift({ key: 1, value: door }, { key: 2, value: takeOff });
  }
  return { sensors };
}

export function fuelReadings(drivenLeg: DrivenLeg, { metres, fuel: fuelMl }: SimulatedMotion): FuelRow {
  const { schedule, totals } = drivenLeg;
  const litres = tankLitres(drivenLeg, fuelMl);
  const { tankLitres: size } = schedule.traits;
  const usedMl = totals.fuelMl + fuelMl;
  const twoTanks = schedule.vehicle.kind === 'truck';
  const share = twoTanks ? 0.55 : 1;
  const level: Entry<number>[] = [{ key: 1, value: roundTo(litres * share, 10) }];
  const raw: Entry<number>[] = [{ key: 1, value: Math.round((litres * share * 4096) / size) }];
  if (twoTanks) {
    level.push({ key: 2, value: roundTo(litres * (1 - share), 10) });
    raw.push({ key: 2, value: Math.round((litres * (1 - share) * 4096) / size) });
  }
  return {
    fuel: roundTo(litres, 10),
    rawFuel: raw,
    // A pulse of the flow meter is 5 ml; cars have no flow meter.
    pulseCount: schedule.vehicle.kind === 'car' ? null : Math.floor(usedMl / 5),
    fuelLevel: level,
    totalFuelEconomy: roundTo((totals.metres + metres) / usedMl, 100),
    fuelTankSize: size,
  };
}

export function powerReadings(schedule: VehicleSchedule, isEngineOn: boolean, rowHash: number): MiscRow {
  return {
    power: roundTo(voltage(schedule, isEngineOn, rowHash) + randomBetween(rowHash, 45, -0.05, 0.05), 100),
    vehicleBusType: hasCanBus(schedule) ? schedule.traits.busType : null,
  };
}

export function heartbeatHasSensors(rowHash: number): boolean {
  return randomBelow(rowHash, 46, 3) === 0;
}
