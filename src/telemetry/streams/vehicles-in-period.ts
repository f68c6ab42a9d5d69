// Which vehicles a stream reads, and the time of each: what a caller gives, checked before anything is sent.
import { isObject } from '../../core/json.js';
import { printableName } from '../../core/printable-name.js';
import { refusedInput } from '../../core/refused-input.js';
import { operations } from '../../generated/operation-table.js';
import { mismatchOf } from '../../request/variable-types.js';
import { checkVariables } from '../../request/variables.js';
import { type Period, readPeriod } from '../period.js';

/** The snapshots of one vehicle in a period that includes its start and its end. */
export interface VehiclePeriod {
  readonly vehicleId: string;
  /** RFC 3339 text with an offset, or a Date. */
  readonly from: string | Date;
  /** RFC 3339 text with an offset, or a Date; not before `from`. */
  readonly to: string | Date;
}

/**
 * The snapshots of several vehicles in a period that includes its start and its end: `{ vehicleIds, from, to }`, or with a start of its own for
 * each vehicle `{ vehicles: [{ vehicleId, from }], to }`.
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
      /** Each vehicle once, with the time from which it is read: RFC 3339 text with an offset, or a Date. */
      readonly vehicles: readonly { readonly vehicleId: string; readonly from: string | Date }[];
      /** RFC 3339 text with an offset, or a Date; not before the `from` of any vehicle. */
      readonly to: string | Date;
      readonly vehicleIds?: never;
      readonly vehicleId?: never;
      readonly from?: never;
    };

/** A vehicle, and the time of it that is read. */
export interface VehicleInPeriod {
  readonly vehicleId: string;
  readonly period: Period;
}

/** The vehicles of a stream, checked. */
export interface VehiclesInPeriod {
  readonly vehicles: readonly VehicleInPeriod[];
  /** A vehicle that was given as such: its stream ends with its errors, and its rows are not asked for their vehicle. */
  readonly only: string | null;
}

const { name, args } = operations.getSnapshots;

/** Callers without types may give anything. */
export function isOfMany(variables: VehiclePeriod | VehiclesPeriod): variables is VehiclesPeriod {
  return typeof variables === 'object' && variables !== null && ('vehicleIds' in variables || 'vehicles' in variables);
}

/** @throws {InvalidInputError} */
export function readVehicles(caller: string, variables: VehiclePeriod | VehiclesPeriod): VehiclesInPeriod {
  if (!isOfMany(variables)) {
    checkVariables(caller, args, variables);
    const { vehicleId, from, to } = variables;
    return { vehicles: [{ vehicleId, period: readPeriod(caller, from, to) }], only: vehicleId };
  }
  const vehicles =
    variables.vehicles === undefined ? withSamePeriod(caller, variables) : withOwnPeriods(caller, variables);
  return { vehicles, only: null };
}

function withSamePeriod(
  caller: string,
  { vehicleIds, from, to }: Extract<VehiclesPeriod, { vehicleIds: unknown }>,
): readonly VehicleInPeriod[] {
  if (!Array.isArray(vehicleIds) || vehicleIds.length === 0) {
    throw refusedInput(`vehicleIds of ${caller} must be a list of ids that is not empty.`, caller);
  }
  for (const vehicleId of vehicleIds) checkVariables(name, args, { vehicleId, from, to });
  const period = readPeriod(caller, from, to);
  return [...new Set(vehicleIds)].map((vehicleId) => ({ vehicleId, period }));
}

function withOwnPeriods(
  caller: string,
  { vehicles, to, ...others }: Extract<VehiclesPeriod, { vehicles: unknown }>,
): readonly VehicleInPeriod[] {
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
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
  return vehicles.map((vehicle: unknown, at) => {
    const read = readVehicle(caller, `vehicles[${at}]`, vehicle, to);
    const id = read.vehicleId.toLowerCase();
    const before = places.get(id);
    if (before !== undefined) {
      throw refusedInput(`vehicles[${at}] of ${caller} is the same vehicle as vehicles[${before}].`, caller);
    }
    places.set(id, at);
    return read;
  });
}

function readVehicle(caller: string, path: string, vehicle: unknown, to: unknown): VehicleInPeriod {
  if (!isObject(vehicle)) throw refusedInput(`${path} of ${caller} must be an object with vehicleId and from.`, caller);
  const { vehicleId, from, ...others } = vehicle;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw refusedInput(
      `${path} of ${caller} has no member ${printableName(other)}. It takes vehicleId and from.`,
      caller,
    );
  }
  const mismatch = mismatchOf(`${path}.vehicleId`, 'UUID!', vehicleId);
  if (mismatch !== null || typeof vehicleId !== 'string') {
    throw refusedInput(`${path}.vehicleId of ${caller} must be ${mismatch?.expected ?? 'text'}.`, caller);
  }
  return { vehicleId, period: readPeriod(caller, from, to, `${path}.`) };
}
