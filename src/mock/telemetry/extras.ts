/** What the device measures beside position and CAN bus: temperatures, meta sensors, fuel and its own supply. */

import { hasBus } from './canbus.js';
import { between, mix, pick, unit } from './hash.js';
import type { VehiclePlan } from './plan.js';
import type { Entry, FleetMetaSensorsRow, FuelRow, MiscRow, TemperaturesRow } from './rows.js';
import { type LegRun, round, tankLitres, voltage } from './run.js';

/** The fleet's meta sensors whose readings `fleetMetaSensors` carries. */
export const metaSensors: readonly { readonly key: number; readonly name: string }[] = [
  { key: 1, name: 'Cargo door' },
  { key: 2, name: 'Power take-off' },
  { key: 3, name: 'Supply voltage' },
];

/** Hundredths of a degree would be noise: sensors send tenths. Cooled load beds send two sensors, the others none. */
export function temperatures(plan: VehiclePlan, time: number, ambient: number): TemperaturesRow | null {
  const { kind } = plan.vehicle;
  if (kind === 'car' || unit(mix(plan.hash, 41)) > 0.6) return null;
  const frozen = unit(mix(plan.hash, 42)) < 0.4;
  const setPoint = frozen ? -18 : 4;
  // Compressors run in cycles of about forty minutes.
  const wave = Math.sin((time / 2_400_000) * 2 * Math.PI + unit(plan.hash) * 6);
  const leak = (ambient - setPoint) * 0.02;
  return {
    temperatures: [
      { key: 1, value: round(setPoint + wave * 0.8 + leak, 10) },
      { key: 2, value: round(setPoint + wave * 0.6 + leak + 0.7, 10) },
    ],
    temperatureSensorIds: [
      { key: 1, value: sensorId(plan, 1) },
      { key: 2, value: sensorId(plan, 2) },
    ],
  };
}

/** The identifier of a 1-Wire thermometer: family code 28, then its serial number. */
function sensorId(plan: VehiclePlan, sensor: number): string {
  const serial = mix(plan.hash, 43 + sensor)
    .toString(16)
    .toUpperCase()
    .padStart(8, '0');
  return `28${serial}0000${(0x40 + sensor).toString(16)}`;
}

export function fleetMetaSensors(
  plan: VehiclePlan,
  engineOn: boolean,
  moving: boolean,
  moment: number,
): FleetMetaSensorsRow {
  const sensors: Entry<number>[] = [{ key: 3, value: voltage(plan, engineOn, moment) }];
  if (plan.vehicle.kind !== 'car') {
    const door = !moving && unit(mix(moment, 44)) < 0.5 ? 1 : 0;
    const takeOff = !moving && engineOn && plan.hash % 3 === 0 ? 1 : 0;
    sensors.unshift({ key: 1, value: door }, { key: 2, value: takeOff });
  }
  return { sensors };
}

export function fuelReadings(run: LegRun, fuelMl: number): FuelRow {
  const { plan, totals } = run;
  const litres = tankLitres(run, fuelMl);
  const { tankLitres: size } = plan.traits;
  const usedMl = totals.fuelMl + fuelMl;
  const twoTanks = plan.vehicle.kind === 'truck';
  const share = twoTanks ? 0.55 : 1;
  const level: Entry<number>[] = [{ key: 1, value: round(litres * share, 10) }];
  const raw: Entry<number>[] = [{ key: 1, value: Math.round((litres * share * 4096) / size) }];
  if (twoTanks) {
    level.push({ key: 2, value: round(litres * (1 - share), 10) });
    raw.push({ key: 2, value: Math.round((litres * (1 - share) * 4096) / size) });
  }
  return {
    fuel: round(litres, 10),
    rawFuel: raw,
    // A flow meter's pulse is five millilitres; only larger vehicles have one fitted.
    pulseCount: plan.vehicle.kind === 'car' ? null : Math.floor(usedMl / 5),
    fuelLevel: level,
    totalFuelEconomy: round((totals.metres + run.motion.metres) / usedMl, 100),
    fuelTankSize: size,
  };
}

export function power(plan: VehiclePlan, engineOn: boolean, moment: number): MiscRow {
  return {
    power: round(voltage(plan, engineOn, moment) + between(moment, 45, -0.05, 0.05), 100),
    vehicleBusType: hasBus(plan) ? plan.traits.busType : null,
  };
}

/** Chance of a heartbeat carrying the sensors too. */
export function sensorsWithHeartbeat(moment: number): boolean {
  return pick(moment, 46, 3) === 0;
}
