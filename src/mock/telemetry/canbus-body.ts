// CAN bus messages about the body: doors, seats, belts, tires, axle loads and weights.

import type { TirePressureStatus } from '../../generated/contract-types.js';
import { weekMs } from '../core/durations.js';
import type { MutableCanBusRow } from './canbus.js';
import type { DrivenLeg } from './driven-leg.js';
import { mixHash, randomBetween, toUnit } from './hash.js';
import type { CanBusRow } from './types.js';

/** Tires per axle, front to rear, and placard pressures (kPa). */
const wheelLayouts = {
  car: { axles: [2, 2], front: 230, rear: 220 },
  van: { axles: [2, 2], front: 330, rear: 400 },
  truck: { axles: [2, 4, 4], front: 850, rear: 800 },
} as const;

/** In kilograms: axles when empty, full load per axle, trailer, its full load, and the limit. */
const truckWeights = {
  axles: [5_600, 4_300, 2_600],
  perLoad: [1_400, 6_600, 5_400],
  trailer: 7_300,
  trailerLoad: 8_300,
  allowed: 40_000,
} as const;

/** Shares of the placard pressure below which a tire's status is Low or Alert. */
const lowBelow = 0.88;
const alertBelow = 0.72;

const wheelLocations = ['FRONT_LEFT', 'FRONT_RIGHT', 'REAR_LEFT', 'REAR_RIGHT'] as const;

function pressureStatus(pressure: number, placard: number): TirePressureStatus {
  const share = pressure / placard;
  return share < alertBelow ? 'Alert' : share < lowBelow ? 'Low' : 'Normal';
}

/** Returns a message about the body. Doors are used only while the vehicle stands. */
export function bodyMessage(drivenLeg: DrivenLeg, ms: number, isStanding: boolean, rowHash: number): CanBusRow {
  const { kind } = drivenLeg.schedule.vehicle;
  const { axles, front, rear } = wheelLayouts[kind];
  const week = Math.floor(drivenLeg.start / weekMs);
  const leak = mixHash(drivenLeg.schedule.hash, week);
  const tireCount = axles.reduce<number>((sum, count) => sum + count, 0);
  const leakingTire = toUnit(leak) < 0.12 ? leak % tireCount : -1;
  const loss = toUnit(mixHash(leak, 1)) < 0.3 ? 0.34 : 0.17;
  const warmth = 1 + 0.04 * (1 - Math.exp(-ms / 1_500_000));
  const tirePressure: { key: number[]; value: number }[] = [];
  const tirePressureStatus: { key: number[]; value: TirePressureStatus }[] = [];
  let worstTire = 0;
  let hasWarning = false;
  axles.forEach((count, axle) => {
    for (let position = 0; position < count; position++) {
      const tire = tirePressure.length;
      const placard = axle === 0 ? front : rear;
      const ownPressure =
        randomBetween(drivenLeg.schedule.hash, 300 + tire, 0.96, 1.03) * (tire === leakingTire ? 1 - loss : 1);
      const value = Math.round(placard * ownPressure * warmth);
      const key = [axle + 1, position + 1];
      const status = pressureStatus(value, placard);
      tirePressure.push({ key, value });
      tirePressureStatus.push({ key, value: status });
      if (status !== 'Normal') {
        hasWarning = true;
        worstTire = tire;
      }
    }
  });
  const isLoading = isStanding && toUnit(mixHash(rowHash, 1)) < 0.4;
  const hasPassenger = drivenLeg.hash % 4 === 0;
  const row: MutableCanBusRow = {
    seatBeltDriver: !isStanding,
    seatOccupiedDriver: !isLoading,
    parkingBrakeSwitch: isStanding,
    frontLeftDoorOpen: isLoading,
    tirePressureWarning: hasWarning,
    tirePressure,
    tirePressureStatus,
  };
  row.frontRightDoorStatus = isLoading && hasPassenger;
  if (kind === 'truck') {
    addWeights(row, drivenLeg, rowHash);
    return row;
  }
  row.seatBeltPassenger = hasPassenger && !isStanding;
  row.seatOccupiedPassenger = hasPassenger;
  row.rearLeftDoorOpen = isLoading && toUnit(mixHash(rowHash, 2)) < 0.3;
  row.rearRightDoorOpen = isLoading && toUnit(mixHash(rowHash, 3)) < 0.3;
  row.trunkOpen = isLoading && toUnit(mixHash(rowHash, 4)) < 0.5;
  row.hoodOpen = isStanding && toUnit(mixHash(rowHash, 5)) < 0.01;
  row.tirePressurePlacardFront = front;
  row.tirePressurePlacardRear = rear;
  row.tireLocation = wheelLocations[worstTire] ?? wheelLocations[0];
  if (kind === 'van') row.cargoWeight = Math.round(drivenLeg.load * 1150);
  return row;
}

/** Only some trucks send the combination weight; for others it is calculated. */
function addWeights(row: MutableCanBusRow, drivenLeg: DrivenLeg, rowHash: number): void {
  const canAxleWeights = truckWeights.axles.map((empty, i) => ({
    key: i + 1,
    value: Math.round((empty + (truckWeights.perLoad[i] ?? 0) * drivenLeg.load) / 10) * 10,
  }));
  const trailer = Math.round((truckWeights.trailer + truckWeights.trailerLoad * drivenLeg.load) / 10) * 10;
  const combination = canAxleWeights.reduce<number>((sum, { value }) => sum + value, trailer);
  const axle = canAxleWeights[rowHash % canAxleWeights.length];
  const cargo = truckWeights.perLoad.reduce<number>((sum, kg) => sum + kg, truckWeights.trailerLoad) * drivenLeg.load;
  row.canAxleWeights = canAxleWeights;
  row.canAxleNumber = axle?.key ?? 1;
  row.canAxleWeight = axle?.value ?? 0;
  row.cargoWeight = Math.round(cargo / 10) * 10;
  row.overweight = combination > truckWeights.allowed;
  if (drivenLeg.schedule.hash % 2 === 0) row.canCombinationWeight = combination;
  else row.combinationWeight = combination;
}
