// Checks the state of a checkpoint, which a program may have stored as JSON.
import { isObject } from '../../core/json.js';

type IsGood = (value: unknown) => boolean;

const isText: IsGood = (value) => typeof value === 'string';
const isFlag: IsGood = (value) => typeof value === 'boolean';
const orNull =
  (isGood: IsGood): IsGood =>
  (value) =>
    value === null || isGood(value);
const orMissing =
  (isGood: IsGood): IsGood =>
  (value) =>
    value === undefined || isGood(value);
const listOf =
  (isGood: IsGood): IsGood =>
  (value) =>
    Array.isArray(value) && value.every((item) => isGood(item));
const objectOf =
  (members: Readonly<Record<string, IsGood>>): IsGood =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, isGood]) => isGood(Reflect.get(value, name)));
const pairOf =
  (isGood: IsGood): IsGood =>
  (value) =>
    Array.isArray(value) && isText(value[0]) && isGood(value[1]);

const place = { latitude: Number.isFinite, longitude: Number.isFinite };
const isPlace = objectOf(place);
const isLocated = objectOf({ ...place, time: Number.isFinite });
const stretch = { since: Number.isFinite, until: Number.isFinite, position: orNull(isPlace) };
const isCondition = objectOf({
  ...{ ...stretch, rule: isText, subject: isText, isEmitted: isFlag, awaitsEnd: orMissing(isFlag) },
  ...{ value: orNull(Number.isFinite), driverId: orNull(isText) },
});
const isCleaner = objectOf({
  ...{ last: orNull(isLocated), suspect: orNull(isLocated), isAtRest: isFlag },
  ...{ since: Number.isFinite, until: Number.isFinite },
});
const isVehicle = objectOf({
  ...{ seenAt: Number.isFinite, position: orNull(isPlace), positions: orMissing(isCleaner) },
  ...{ inside: listOf(isText), engineOn: orNull(isFlag), isIdling: isFlag, movement: orNull(objectOf(stretch)) },
  ...{ anchor: orNull(isPlace), zone: orMissing(isText), isUnseen: orMissing(isFlag) },
  ...{ rules: listOf(isText), conditions: listOf(isCondition) },
});

export const isEventState: IsGood = objectOf({
  version: (version) => version === 1,
  vehicles: listOf(pairOf(isVehicle)),
  geofences: orNull(listOf(pairOf(isText))),
});
