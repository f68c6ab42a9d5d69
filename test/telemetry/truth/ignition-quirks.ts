// Quirks of the ignition, and of the driver.
import { type DeviceRow, each, put, type Quirk } from './device.js';
import type { Moment } from './route.js';

const ignition = (value: (isOn: boolean, moment: Moment, at: number) => unknown): Quirk =>
  put('ignition', (moment, _, __, at) => ({ engineStatus: value(moment.isOn, moment, at) }));

export const ignitionNull = ignition(() => null);
export const ignitionMissing: Quirk = each((row) => ({ ...row, ignition: null }));
export const ignitionAlwaysOff = ignition(() => false);
export const ignitionAlwaysOn = ignition(() => true);
export const ignitionHalfMissing = ignition((isOn, _, at) => (at % 2 === 0 ? null : isOn));
/** A loose contact: one row in so many says off. */
export const ignitionFlaps = (one: number) => ignition((isOn, _, at) => isOn && at % one !== 3);
/** It hangs on the alternator, and is on some time after the engine. */
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
export const onOffAsText = ignition((isOn) => (isOn ? 'ON' : 'OFF'));
export const onOffAsNumbers = ignition((isOn) => (isOn ? 1 : 0));

/** A second device in the vehicle, without ignition wire and bus, sends a row after each row of the first one. */
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
