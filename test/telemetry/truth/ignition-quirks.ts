// Quirks of the ignition, and of the driver.
import { type DeviceRow, each, put, type Quirk, type Report } from './device.js';
import type { Moment } from './route.js';

const ignition = (value: (isOn: boolean, moment: Moment, at: number) => unknown): Quirk =>
  put('ignition', (moment, _, __, at) => ({ engineStatus: value(moment.isOn, moment, at) }));

export const ignitionNull = ignition(() => null);
export const ignitionMissing: Quirk = each((row) => ({ ...row, ignition: null }));
export const ignitionAlwaysOff = ignition(() => false);
export const ignitionAlwaysOn = ignition(() => true);
export const ignitionHalfMissing = ignition((isOn, _, at) => (at % 2 === 0 ? null : isOn));
/** A loose contact: one row in this many reports off. */
export const ignitionFlaps = (one: number) => ignition((isOn, _, at) => isOn && at % one !== 3);
/** Wired to the alternator: on some time after the engine. */
export const ignitionLate =
  (seconds: number): Quirk =>
  (all, random) => {
    let [onSince, wasOn] = [0, false];
    return ignition((isOn, { time }) => {
      if (isOn && !wasOn) onSince = time;
      wasOn = isOn;
      return isOn && time - onSince >= seconds * 1000;
    })(all, random);
  };
/** The row in which the ignition goes off is lost. */
export const offRowLost: Quirk = (all) => {
  let wasOn = false;
  return all.filter(({ moment: { isOn } }) => {
    const isLost = wasOn && !isOn;
    wasOn = isOn;
    return !isLost;
  });
};
/** The engine is reported as the ignition, and stops at red lights. */
export const engineStopsWithVehicle: Quirk = (all, random) => {
  let standsSince: number | null = null;
  return ignition((isOn, { speedKmh, time }) => {
    if (speedKmh > 0.1 || !isOn) standsSince = null;
    else standsSince ??= time;
    // It restarts during a long stop, for the battery.
    return isOn && (standsSince === null || time - standsSince < 5_000 || time - standsSince > 60_000);
  })(all, random);
};
/** Off for a moment while the starter runs. */
export const starterBlink: Quirk = (all, random) => {
  let [onSince, wasOn] = [0, false];
  return ignition((isOn, { time }) => {
    if (isOn && !wasOn) onSince = time;
    wasOn = isOn;
    return isOn && (time - onSince < 5_000 || time - onSince > 15_000);
  })(all, random);
};
export const onOffAsText = ignition((isOn) => (isOn ? 'ON' : 'OFF'));
export const onOffAsNumbers = ignition((isOn) => (isOn ? 1 : 0));

/** A second device without ignition wire and bus sends a row after each row of the first. */
export const secondDevice: Quirk = (all) =>
  all.flatMap(({ moment, row }) => {
    const later = new Date(moment.time + 400).toISOString();
    const second: DeviceRow = {
      ...row,
      timestamp: later,
      ignition: { engineStatus: false },
      driver: null,
      canBus: null,
    };
    return [
      { moment, row },
      { moment, row: second },
    ];
  });

/** Another complete device in the vehicle, a few seconds later and some metres away. */
export const twoWholeDevices: Quirk = (all) =>
  all
    .flatMap(({ moment, row }): readonly Report[] => {
      const gps = row.gps && { ...row.gps, latitude: Number(row.gps.latitude) + 0.00009 };
      return [
        { moment, row },
        { moment, row: { ...row, timestamp: new Date(moment.time + 3_000).toISOString(), gps } },
      ];
    })
    .sort((one, other) => Date.parse(String(one.row.timestamp)) - Date.parse(String(other.row.timestamp)));

const driver = (value: (driverId: unknown, moment: Moment, at: number) => unknown): Quirk =>
  put('driver', (moment, _, row, at) => ({ driverId: value(row.driver?.driverId ?? null, moment, at) }));

export const driverHalfMissing = driver((id, _, at) => (at % 2 === 0 ? null : id));
export const driverOnceOnly: Quirk = (all, random) => {
  let last: unknown = null;
  return driver((id) => {
    if (id === null) last = null;
    if (id === last) return null;
    last = id;
    return id;
  })(all, random);
};
export const driverAsNumber = driver((id) => (typeof id === 'string' ? Number(id.replace('driver-', '')) : id));
export const nobodyIsEmpty = driver((id) => id ?? '');
export const nobodyIsZero = driver((id) => id ?? 0);
