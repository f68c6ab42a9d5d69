/** Rows contain every field of the contract, with consistent values. */
import { readFileSync } from 'node:fs';
import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  GeneratedTelemetry,
  metaSensors,
  regions,
  type TelemetryRow,
  type TelemetryVehicle,
} from '../../../src/mock/telemetry/telemetry.js';
import { byTime, day, freshFixes, kindNames, vehicle } from './fleet.js';

const telemetry = new GeneratedTelemetry(1);
const monday = Date.UTC(2026, 2, 2);
const fleet = Array.from({ length: 18 }, (_, i) =>
  vehicle(`values-${i}`, kindNames[i % 3], regions[i % regions.length]?.name),
);

function rows(v: TelemetryVehicle, days = 1, from = monday): TelemetryRow[] {
  return byTime(telemetry.snapshots(v, from, from + days * day));
}

describe('the contract', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const fieldsOf = (name: string): string[] => {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`no type ${name}`);
    return Object.keys(type.getFields());
  };
  const seen = new Map<string, Set<string>>();
  const note = (type: string, value: object | null): void => {
    if (value === null) return;
    const fields = seen.get(type) ?? new Set<string>();
    for (const [key, member] of Object.entries(value)) if (member !== null && member !== undefined) fields.add(key);
    seen.set(type, fields);
  };
  const perKind = { car: new Set<string>(), van: new Set<string>(), truck: new Set<string>() };
  for (const v of fleet)
    for (const row of rows(v)) {
      note('CanBus', row.canBus);
      note('Gps', row.gps);
      note('Ignition', row.ignition);
      note('DriverBehaviour', row.driverBehaviour);
      note('Temperatures', row.temperatures);
      note('FleetMetaSensors', row.fleetMetaSensors);
      note('Fuel', row.fuel);
      note('Misc', row.misc);
      for (const key of Object.keys(row.canBus ?? {})) perKind[v.kind].add(key);
    }

  it.each(['CanBus', 'Gps', 'Ignition', 'DriverBehaviour', 'Temperatures', 'FleetMetaSensors', 'Fuel', 'Misc'])(
    'every field of %s has a value in some row, and there are no other fields',
    (name) => {
      expect([...(seen.get(name) ?? [])].sort()).toEqual(fieldsOf(name).sort());
    },
  );

  it('cars send fewer fields than trucks', () => {
    expect(perKind.car.size).toBeLessThan(perKind.truck.size);
  });

  it('combinationWeight is sent only when canCombinationWeight is absent', () => {
    const senders = { bus: 0, calculated: 0 };
    for (const v of fleet.filter(({ kind }) => kind === 'truck')) {
      const keys = new Set(rows(v).flatMap(({ canBus }) => Object.keys(canBus ?? {})));
      expect(keys.has('canCombinationWeight')).not.toBe(keys.has('combinationWeight'));
      senders[keys.has('canCombinationWeight') ? 'bus' : 'calculated']++;
    }
    expect(senders.bus).toBeGreaterThan(0);
    expect(senders.calculated).toBeGreaterThan(0);
  });

  it('tires are keyed by axle and position, in kPa, with a status that fits the pressure', () => {
    const statuses = new Set<string>();
    for (let i = 0; i < 60; i++) {
      const v = vehicle(`tires-${i}`, kindNames[i % 3]);
      const body = rows(v, 0.6, monday + day).find(({ canBus }) => canBus?.tirePressure !== undefined)?.canBus;
      const pressures = body?.tirePressure ?? [];
      const status = body?.tirePressureStatus ?? [];
      expect(status.map((entry) => entry?.key)).toEqual(pressures.map((entry) => entry?.key));
      let warned = false;
      pressures.forEach((tire, n) => {
        const [axle, position] = tire?.key ?? [];
        expect(axle).toBeGreaterThanOrEqual(1);
        expect(position).toBeGreaterThanOrEqual(1);
        const placard = { car: [230, 220], van: [330, 400], truck: [850, 800] }[v.kind][axle === 1 ? 0 : 1] ?? 0;
        const share = (tire?.value ?? 0) / placard;
        const expected = share < 0.72 ? 'Alert' : share < 0.88 ? 'Low' : 'Normal';
        expect(status[n]?.value).toBe(expected);
        statuses.add(expected);
        warned ||= expected !== 'Normal';
      });
      if (body) expect(body.tirePressureWarning).toBe(warned);
    }
    expect([...statuses].sort()).toEqual(['Alert', 'Low', 'Normal']);
  });
});

describe('the values agree', () => {
  it('the bus and the satellites see the same speed and the same odometer', () => {
    for (const v of fleet)
      for (const { gps, canBus, odometerKm, timestamp, locationTimestamp } of rows(v)) {
        if (canBus?.canDistance !== undefined) expect(canBus.canDistance).toBe(odometerKm);
        if (canBus?.canSpeed !== undefined && gps?.state && locationTimestamp === timestamp)
          expect(canBus.canSpeed).toBeCloseTo(gps.speed, 5);
      }
  });

  it('the engine turns faster the more it is asked, idles when standing, and warms up', () => {
    for (const v of fleet) {
      const [trip] = telemetry.trips(v, monday, monday + 7 * day);
      if (trip === undefined) throw new Error('no trip');
      const temperatures: number[] = [];
      for (const { canBus } of byTime(telemetry.snapshots(v, trip.start, trip.end - 1))) {
        if (canBus?.canEngineCoolantTemperature !== undefined) temperatures.push(canBus.canEngineCoolantTemperature);
        const rpm = canBus?.canrpm;
        if (rpm === undefined) continue;
        expect(rpm).toBeGreaterThan(550);
        expect(rpm).toBeLessThan(v.kind === 'truck' ? 1600 : 2500);
        if (canBus?.canSpeed === 0) expect(rpm).toBeLessThan(850);
      }
      temperatures.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(temperatures[i - 1] ?? -40);
        expect(value).toBeLessThanOrEqual(90);
      });
      if (temperatures.length > 0) expect(temperatures.at(-1)).toBeGreaterThan((temperatures[0] ?? 0) + 10);
    }
  });

  it('the tank falls while driving, is filled near full while parked, and never runs dry', () => {
    for (const kind of kindNames) {
      const v = vehicle(`tank-${kind}`, kind, 'Madrid');
      let before: number | null = null;
      let engineWasOn = false;
      let refuels = 0;
      for (const row of telemetry.snapshots(v, monday, monday + 40 * day)) {
        if (row.ignition === null || row.fuel === null) continue;
        const { fuel, fuelTankSize } = row.fuel;
        expect(fuel).toBeGreaterThan(fuelTankSize * 0.04);
        expect(fuel).toBeLessThanOrEqual(fuelTankSize);
        if (before !== null && fuel > before + fuelTankSize * 0.01) {
          refuels++;
          expect(engineWasOn).toBe(false);
          expect(fuel).toBeGreaterThan(fuelTankSize * 0.7);
        }
        before = fuel;
        engineWasOn = row.ignition.engineStatus;
      }
      expect(refuels).toBeGreaterThan(1);
    }
  });

  it('counts fuel once: the readings add up to the trip', () => {
    const v = vehicle('adds-up');
    for (const trip of telemetry.trips(v, monday, monday + day)) {
      const readings = byTime(telemetry.snapshots(v, trip.start, trip.end + 10_000)).flatMap(({ canBus }) =>
        canBus?.canhrFuelUsed === undefined ? [] : [canBus],
      );
      const used = (readings.at(-1)?.canhrFuelUsed ?? 0) - (readings[0]?.canhrFuelUsed ?? 0);
      expect(used).toBeCloseTo(trip.fuelLitres, 1);
      const metres = readings.reduce((sum, { canDeltaDistance = 0 }) => sum + Math.round(canDeltaDistance * 1000), 0);
      expect(Math.abs(metres - trip.distanceKm * 1000)).toBeLessThan(readings.length + 2);
      const litres = readings.reduce((sum, { deltaFuelUsed = 0 }) => sum + deltaFuelUsed, 0);
      expect(Math.abs(litres - trip.fuelLitres)).toBeLessThan(0.0006 * readings.length + 0.01);
    }
  });

  it('reports harsh moments with the speed and force they had', () => {
    const types = new Set<string>();
    for (const v of fleet)
      for (const row of rows(v, 5)) {
        const event = row.driverBehaviour;
        if (event === null) continue;
        types.add(event.driverBehaviourType);
        expect(row.gps?.state).toBe(true);
        const speed = row.gps?.speed ?? 0;
        if (event.driverBehaviourType === 'MAX_SPEED_EXCEEDED')
          expect(speed).toBeGreaterThan({ car: 130, van: 115, truck: 90 }[v.kind]);
        if (event.driverBehaviourType === 'SPEED_SIGN_VIOLATION') expect(speed).toBeGreaterThan(55);
        if (event.driverBehaviourType.startsWith('HARSH')) expect(event.driverBehaviourValue).toBeGreaterThan(1.5);
        if (event.driverBehaviourType === 'HARSH_BRAKING') expect(speed).toBeGreaterThan(5);
      }
    expect([...types].sort()).toEqual([
      'DRIVER_BEHAVIOUR_TYPE_UNKNOWN',
      'HARSH_ACCELERATION',
      'HARSH_BRAKING',
      'MAX_SPEED_EXCEEDED',
      'SPEED_SIGN_VIOLATION',
    ]);
  });

  it('sends 0,0 without a fix now and then, only just after the engine has started', () => {
    let without = 0;
    let starts = 0;
    for (const v of fleet) {
      const trips = [...telemetry.trips(v, monday, monday + 5 * day)];
      starts += trips.length;
      for (const row of rows(v, 5)) {
        if (row.gps === null || row.gps.state) continue;
        without++;
        expect(row.gps).toMatchObject({ latitude: 0, longitude: 0, speed: 0 });
        expect(row.locationTimestamp).toBeNull();
        expect(trips.some(({ start }) => row.timestamp - start >= 0 && row.timestamp - start < 10_000)).toBe(true);
      }
    }
    expect(without).toBeGreaterThan(starts / 20);
    expect(without).toBeLessThan(starts);
  });

  it('says when a position is not new, and never from the future', () => {
    let old = 0;
    for (const row of rows(vehicle('old'), 3)) {
      if (row.gps === null) expect(row.locationTimestamp).toBeNull();
      if (row.locationTimestamp === null) continue;
      expect(row.locationTimestamp).toBeLessThanOrEqual(row.timestamp);
      if (row.locationTimestamp < row.timestamp) old++;
    }
    expect(old).toBeGreaterThan(200);
  });

  it('carries nothing where there is nothing: heartbeats have no bus data, meta sensors are known', () => {
    const sensorKeys = new Set(metaSensors.map(({ key }) => key));
    const sunday = rows(vehicle('quiet'), 0.5, monday + 6.2 * day);
    expect(sunday.length).toBeGreaterThan(3);
    for (const row of sunday) expect(row.canBus).toBeNull();
    for (const v of fleet)
      for (const row of rows(v))
        for (const { key } of row.fleetMetaSensors?.sensors ?? []) expect(sensorKeys).toContain(key);
  });

  it('rounds, so that rows are short', () => {
    for (const v of fleet.slice(0, 3)) {
      const all = rows(v);
      expect(freshFixes(all).length).toBeGreaterThan(100);
      for (const text of all.map((row) => JSON.stringify(row))) expect(text).not.toMatch(/\.\d{7}|e-\d|null\d/);
    }
  });
});
