// Checks the state of a checkpoint, which a program may have stored as JSON.
import { isObject } from '../../core/json.js';

type ValueCheck = (value: unknown) => boolean;

const isText: ValueCheck = (value) => typeof value === 'string';
const isFlag: ValueCheck = (value) => typeof value === 'boolean';
const orNull =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === null || check(value);
const orMissing =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every((item) => check(item));
const objectOf =
  (members: Readonly<Record<string, ValueCheck>>): ValueCheck =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(Reflect.get(value, name)));
const pairOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && isText(value[0]) && check(value[1]);

const place = { latitude: Number.isFinite, longitude: Number.isFinite };
const isPlace = objectOf(place);
const isLocated = objectOf({ ...place, time: Number.isFinite });
const stretch = { since: Number.isFinite, until: Number.isFinite, position: orNull(isPlace) };
const isCondition = objectOf({
  ...stretch,
  rule: isText,
  subject: isText,
  isEmitted: isFlag,
  awaitsEnd: orMissing(isFlag),
  value: orNull(Number.isFinite),
  driverId: orNull(isText),
});
const isCleaner = objectOf({
  last: orNull(isLocated),
  suspect: orNull(isLocated),
  isAtRest: isFlag,
  since: Number.isFinite,
  until: Number.isFinite,
});
const isVehicle = objectOf({
  seenAt: Number.isFinite,
  position: orNull(isPlace),
  positions: orMissing(isCleaner),
  inside: listOf(isText),
  engineOn: orNull(isFlag),
  isIdling: isFlag,
  movement: orNull(objectOf(stretch)),
  anchor: orNull(isPlace),
  zone: orMissing(isText),
  isUnseen: orMissing(isFlag),
  rules: listOf(isText),
  conditions: listOf(isCondition),
});

export const isEventState: ValueCheck = objectOf({
  version: (version) => version === 1,
  vehicles: listOf(pairOf(isVehicle)),
  geofences: orNull(listOf(pairOf(isText))),
});
