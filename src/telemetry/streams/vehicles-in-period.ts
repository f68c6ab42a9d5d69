// Checks the vehicles and periods of a stream before any request.
import { isObject } from '../../core/json.js';
import { refusedInput } from '../../core/refused-input.js';
import { printableName } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import { checkVariables, mismatchOf } from '../../request/variables.js';
import { type Period, readPeriod } from '../period.js';

/** The snapshots of one vehicle in a period, including its start and end. */
export interface VehiclePeriod {
  readonly vehicleId: string;
  /** RFC 3339 text with an offset, or a Date. */
  readonly from: string | Date;
  /** RFC 3339 text with an offset, or a Date; not before `from`. */
  readonly to: string | Date;
}

/**
 * The snapshots of several vehicles in a period, including its start and end:
 * `{ vehicleIds, from, to }`, or `{ vehicles: [{ vehicleId, from }], to }` for a separate start of
 * each vehicle.
 */
export type VehiclesPeriod =
  | {
      readonly vehicleIds: readonly string[];
      /** RFC 3339 text with an offset, or a Date. */
      readonly from: string | Date;
      /** RFC 3339 text with an offset, or a Date; not before `from`. */
      readonly to: string | Date;
      readonly vehicles?: never;
    }
  | {
      /** Each vehicle once, with its start: RFC 3339 text with an offset, or a Date. */
      readonly vehicles: readonly { readonly vehicleId: string; readonly from: string | Date }[];
      /** RFC 3339 text with an offset, or a Date; not before the `from` of any vehicle. */
      readonly to: string | Date;
      readonly vehicleIds?: never;
      readonly vehicleId?: never;
      readonly from?: never;
    };

export interface VehicleInPeriod {
  readonly vehicleId: string;
  readonly period: Period;
}

export interface VehiclesInPeriod {
  readonly vehicles: readonly VehicleInPeriod[];
  /** The id of a single vehicle: the stream throws its error, and its rows are not checked. */
  readonly singleId: string | null;
}

const { args } = operations.getSnapshots;
const LIST_NAMES: readonly string[] = ['vehicleIds', 'vehicles'];

/** Returns true for several vehicles. A null list is ignored, unless no vehicle is named at all. */
export function isForManyVehicles(variables: VehiclePeriod | VehiclesPeriod): variables is VehiclesPeriod {
  if (!isObject(variables)) return false;
  const supplied = suppliedNames(variables);
  if (LIST_NAMES.some((list) => supplied.includes(list))) return true;
  return !supplied.includes('vehicleId') && LIST_NAMES.some((list) => list in variables);
}

/**
 * Checks the variables.
 * @throws {InvalidInputError}
 */
export function readVehicles(caller: string, variables: VehiclePeriod | VehiclesPeriod): VehiclesInPeriod {
  if (!isForManyVehicles(variables)) {
    checkVariables(caller, args, isObject(variables) ? withoutLists(variables) : variables);
    const { vehicleId, from, to } = variables;
    return { vehicles: [{ vehicleId, period: readPeriod(caller, from, to) }], singleId: vehicleId };
  }
  const vehicles =
    (variables.vehicles ?? null) === null ? withSamePeriod(caller, variables) : withOwnPeriods(caller, variables);
  return { vehicles, singleId: null };
}

function withSamePeriod(caller: string, variables: VehiclesPeriod): readonly VehicleInPeriod[] {
  const { vehicleIds, from, to, ...others } = variables;
  const [other] = suppliedNames(others);
  if (other !== undefined) {
    throw refusedInput(
      `${caller} was given vehicleIds and ${printableName(other)}. With vehicleIds it takes nothing but from and to.`,
      caller,
    );
  }
  if (!Array.isArray(vehicleIds) || vehicleIds.length === 0) {
    throw refusedInput(`vehicleIds of ${caller} must be a list of ids that is not empty.`, caller);
  }
  const period = readPeriod(caller, from, to);
  const places = new Map<string, number>();
  // Unlike map, Array.from visits missing items.
  const ids = Array.from(vehicleIds, (supplied: unknown, at) => {
    const vehicleId = readId(caller, `vehicleIds[${at}]`, supplied);
    const before = places.get(vehicleId.toLowerCase());
    // Rows use the caller's spelling of an id, so it must be unique.
    if (before !== undefined && vehicleIds[before] !== vehicleId) {
      throw refusedInput(`${sameVehicle(caller, 'vehicleIds', at, before)}, in another letter case.`, caller);
    }
    places.set(vehicleId.toLowerCase(), before ?? at);
    return vehicleId;
  });
  return [...new Set(ids)].map((vehicleId) => ({ vehicleId, period }));
}

function withOwnPeriods(caller: string, variables: VehiclesPeriod): readonly VehicleInPeriod[] {
  const { vehicles, to, ...others } = variables;
  const [other] = suppliedNames(others);
  if (other !== undefined) {
    throw refusedInput(
      `${caller} was given vehicles and ${printableName(other)}. With vehicles it takes nothing but to; each vehicle has a vehicleId and a from of its own.`,
      caller,
    );
  }
  if (!Array.isArray(vehicles) || vehicles.length === 0) {
    throw refusedInput(
      `vehicles of ${caller} must be a list of objects with vehicleId and from that is not empty.`,
      caller,
    );
  }
  const places = new Map<string, number>();
  return Array.from(vehicles, (vehicle: unknown, at) => {
    const read = readVehicle(caller, `vehicles[${at}]`, vehicle, to);
    const id = read.vehicleId.toLowerCase();
    const before = places.get(id);
    if (before !== undefined) throw refusedInput(`${sameVehicle(caller, 'vehicles', at, before)}.`, caller);
    places.set(id, at);
    return read;
  });
}

function sameVehicle(caller: string, list: string, at: number, before: number): string {
  return `${list}[${at}] of ${caller} is the same vehicle as ${list}[${before}]`;
}

function readVehicle(caller: string, path: string, vehicle: unknown, to: unknown): VehicleInPeriod {
  if (!isObject(vehicle)) throw refusedInput(`${path} of ${caller} must be an object with vehicleId and from.`, caller);
  const { vehicleId, from, ...others } = vehicle;
  const [other] = suppliedNames(others);
  if (other !== undefined) {
    throw refusedInput(
      `${path} of ${caller} has no member ${printableName(other)}. It takes vehicleId and from.`,
      caller,
    );
  }
  return {
    vehicleId: readId(caller, `${path}.vehicleId`, vehicleId),
    period: readPeriod(caller, from, to, `${path}.`),
  };
}

function readId(caller: string, path: string, id: unknown): string {
  const mismatch = mismatchOf(path, 'UUID!', id);
  if (mismatch === null && typeof id === 'string') return id;
  throw refusedInput(`${path} of ${caller} must be ${mismatch?.expected ?? 'text'}.`, caller);
}

function suppliedNames(members: object): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => ((value ?? null) === null ? [] : [name]));
}

function withoutLists(variables: object): object {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !LIST_NAMES.includes(name)));
}
