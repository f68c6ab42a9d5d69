/** What the CAN bus says of the body: doors, seats, belts, tires, axle loads and weights. */
import type { TirePressureStatus } from '../../generated/contract-types.js';
import type { Draft } from './canbus.js';
import { between, mix, unit } from './hash.js';
import type { CanBusRow } from './rows.js';
import type { LegRun } from './run.js';

/** Tires on each axle, front to rear, and the pressures the placard asks for (kPa). */
const wheels = {
  car: { axles: [2, 2], front: 230, rear: 220 },
  van: { axles: [2, 2], front: 330, rear: 400 },
  truck: { axles: [2, 4, 4], front: 850, rear: 800 },
} as const;

/** Kilograms: the empty vehicle's axles, what a full load adds to each, the trailer with its load, and the limit. */
const weights = {
  axles: [5_600, 4_300, 2_600],
  perLoad: [1_400, 6_600, 5_400],
  trailer: 7_300,
  trailerLoad: 8_300,
  allowed: 40_000,
} as const;

/** A tire below this share of its placard pressure is Low; below the second one it is an Alert. */
const lowBelow = 0.88;
const alertBelow = 0.72;

const cornerNames = ['FRONT_LEFT', 'FRONT_RIGHT', 'REAR_LEFT', 'REAR_RIGHT'] as const;

function statusOf(pressure: number, placard: number): TirePressureStatus {
  const share = pressure / placard;
  return share < alertBelow ? 'Alert' : share < lowBelow ? 'Low' : 'Normal';
}

/** One message about the body; `standing` says that the vehicle is at a stop, with its doors in use. */
export function bodyMessage(run: LegRun, ms: number, standing: boolean, moment: number): CanBusRow {
  const { kind } = run.plan.vehicle;
  const { axles, front, rear } = wheels[kind];
  const week = Math.floor(run.start / 604_800_000);
  const leak = mix(run.plan.hash, week);
  const tires = axles.reduce<number>((sum, count) => sum + count, 0);
  const leaking = unit(leak) < 0.12 ? leak % tires : -1;
  const loss = unit(mix(leak, 1)) < 0.3 ? 0.34 : 0.17;
  const warmth = 1 + 0.04 * (1 - Math.exp(-ms / 1_500_000));
  const tirePressure: { key: number[]; value: number }[] = [];
  const tirePressureStatus: { key: number[]; value: TirePressureStatus }[] = [];
  let worst = 0;
  let warning = false;
  axles.forEach((count, axle) => {
    for (let position = 0; position < count; position++) {
      const tire = tirePressure.length;
      const placard = axle === 0 ? front : rear;
      const own = between(run.plan.hash, 300 + tire, 0.96, 1.03) * (tire === leaking ? 1 - loss : 1);
      const value = Math.round(placard * own * warmth);
      const key = [axle + 1, position + 1];
      const status = statusOf(value, placard);
      tirePressure.push({ key, value });
      tirePressureStatus.push({ key, value: status });
      if (status !== 'Normal') {
        warning = true;
        worst = tire;
      }
    }
  });
  const loading = standing && unit(mix(moment, 1)) < 0.4;
  const passenger = run.hash % 4 === 0;
  const row: Draft = {
    seatBeltDriver: !standing,
    seatOccupiedDriver: !loading,
    parkingBrakeSwitch: standing,
    frontLeftDoorOpen: loading,
    tirePressureWarning: warning,
    tirePressure,
    tirePressureStatus,
  };
  row.frontRightDoorStatus = loading && passenger;
  if (kind === 'truck') {
    addLoads(row, run, moment);
    return row;
  }
  row.seatBeltPassenger = passenger && !standing;
  row.seatOccupiedPassenger = passenger;
  row.rearLeftDoorOpen = loading && unit(mix(moment, 2)) < 0.3;
  row.rearRightDoorOpen = loading && unit(mix(moment, 3)) < 0.3;
  row.trunkOpen = loading && unit(mix(moment, 4)) < 0.5;
  row.hoodOpen = standing && unit(mix(moment, 5)) < 0.01;
  row.tirePressurePlacardFront = front;
  row.tirePressurePlacardRear = rear;
  row.tireLocation = cornerNames[worst] ?? cornerNames[0];
  if (kind === 'van') row.cargoWeight = Math.round(run.load * 1150);
  return row;
}

/** Axle loads and weights. Some trucks' buses send the combination's weight; for the others it is calculated. */
function addLoads(row: Draft, run: LegRun, moment: number): void {
  const canAxleWeights = weights.axles.map((empty, i) => ({
    key: i + 1,
    value: Math.round((empty + (weights.perLoad[i] ?? 0) * run.load) / 10) * 10,
  }));
  const trailer = Math.round((weights.trailer + weights.trailerLoad * run.load) / 10) * 10;
  const combination = canAxleWeights.reduce<number>((sum, { value }) => sum + value, trailer);
  const one = canAxleWeights[moment % canAxleWeights.length];
  const cargo = weights.perLoad.reduce<number>((sum, kg) => sum + kg, weights.trailerLoad) * run.load;
  row.canAxleWeights = canAxleWeights;
  row.canAxleNumber = one?.key ?? 1;
  row.canAxleWeight = one?.value ?? 0;
  row.cargoWeight = Math.round(cargo / 10) * 10;
  row.overweight = combination > weights.allowed;
  if (run.plan.hash % 2 === 0) row.canCombinationWeight = combination;
  else row.combinationWeight = combination;
}
