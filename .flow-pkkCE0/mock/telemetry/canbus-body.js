import { weekMs } from "../core/durations.js";
import { mixHash, randomBetween, toUnit } from "./hash.js";
const wheelLayouts = {
  car: { axles: [2, 2], front: 230, rear: 220 },
  van: { axles: [2, 2], front: 330, rear: 400 },
  truck: { axles: [2, 4, 4], front: 850, rear: 800 }
};
const truckWeights = {
  axles: [5600, 4300, 2600],
  perLoad: [1400, 6600, 5400],
  trailer: 7300,
  trailerLoad: 8300,
  allowed: 4e4
};
const lowBelow = 0.88;
const alertBelow = 0.72;
const wheelLocations = ["FRONT_LEFT", "FRONT_RIGHT", "REAR_LEFT", "REAR_RIGHT"];
function pressureStatus(pressure, placard) {
  const share = pressure / placard;
  return share < alertBelow ? "Alert" : share < lowBelow ? "Low" : "Normal";
}
function bodyMessage(drivenLeg, ms, isStanding, rowHash) {
  const { kind } = drivenLeg.schedule.vehicle;
  const { axles, front, rear } = wheelLayouts[kind];
  const week = Math.floor(drivenLeg.start / weekMs);
  const leak = mixHash(drivenLeg.schedule.hash, week);
  const tireCount = axles.reduce((sum, count) => sum + count, 0);
  const leakingTire = toUnit(leak) < 0.12 ? leak % tireCount : -1;
  const loss = toUnit(mixHash(leak, 1)) < 0.3 ? 0.34 : 0.17;
  const warmth = 1 + 0.04 * (1 - Math.exp(-ms / 15e5));
  const tirePressure = [];
  const tirePressureStatus = [];
  let worstTire = 0;
  let hasWarning = false;
  axles.forEach((count, axle) => {
    for (let position = 0; position < count; position++) {
      const tire = tirePressure.length;
      const placard = axle === 0 ? front : rear;
      const ownPressure = randomBetween(drivenLeg.schedule.hash, 300 + tire, 0.96, 1.03) * (tire === leakingTire ? 1 - loss : 1);
      const value = Math.round(placard * ownPressure * warmth);
      const key = [axle + 1, position + 1];
      const status = pressureStatus(value, placard);
      tirePressure.push({ key, value });
      tirePressureStatus.push({ key, value: status });
      if (status !== "Normal") {
        hasWarning = true;
        worstTire = tire;
      }
    }
  });
  const isLoading = isStanding && toUnit(mixHash(rowHash, 1)) < 0.4;
  const hasPassenger = drivenLeg.hash % 4 === 0;
  const row = {
    seatBeltDriver: !isStanding,
    seatOccupiedDriver: !isLoading,
    parkingBrakeSwitch: isStanding,
    frontLeftDoorOpen: isLoading,
    tirePressureWarning: hasWarning,
    tirePressure,
    tirePressureStatus
  };
  row.frontRightDoorStatus = isLoading && hasPassenger;
  if (kind === "truck") {
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
  if (kind === "van") row.cargoWeight = Math.round(drivenLeg.load * 1150);
  return row;
}
function addWeights(row, drivenLeg, rowHash) {
  const canAxleWeights = truckWeights.axles.map((empty, i) => ({
    key: i + 1,
    value: Math.round((empty + (truckWeights.perLoad[i] ?? 0) * drivenLeg.load) / 10) * 10
  }));
  const trailer = Math.round((truckWeights.trailer + truckWeights.trailerLoad * drivenLeg.load) / 10) * 10;
  const combination = canAxleWeights.reduce((sum, { value }) => sum + value, trailer);
  const axle = canAxleWeights[rowHash % canAxleWeights.length];
  const cargo = truckWeights.perLoad.reduce((sum, kg) => sum + kg, truckWeights.trailerLoad) * drivenLeg.load;
  row.canAxleWeights = canAxleWeights;
  row.canAxleNumber = axle?.key ?? 1;
  row.canAxleWeight = axle?.value ?? 0;
  row.cargoWeight = Math.round(cargo / 10) * 10;
  row.overweight = combination > truckWeights.allowed;
  if (drivenLeg.schedule.hash % 2 === 0) row.canCombinationWeight = combination;
  else row.combinationWeight = combination;
}
export {
  bodyMessage
};
