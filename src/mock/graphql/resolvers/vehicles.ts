// Vehicles and what hangs on them: devices, labels, types, schedules, sensors, custom fields.
import type { CustomFieldInput, VehicleInput } from '../../../generated/contract-types.js';
import type { DeviceRecord, LabelRecord, VehicleRecord, WorkScheduleRecord } from '../../store/records.js';
import { changed } from '../../store/store.js';
import type { Context } from '../context.js';
import { badRequest, notFound } from '../errors.js';
import { flag, given, keptText, knownIds, withCustomField } from './inputs.js';
import { latestData } from './latest-data.js';
import { shownSnapshot } from './snapshots.js';

interface ById {
  readonly id: string;
}

interface BySerial {
  readonly serial: string;
}

function device(id: string, { scope, fleet }: Context): DeviceRecord | null {
  const found = fleet.devices.get(id);
  return found !== undefined && scope.seesDevice(found) ? found : null;
}

function devicesBySerial({ serial }: BySerial, { scope, fleet }: Context): DeviceRecord[] {
  return fleet.devices.by('serial', serial).filter((found) => scope.seesDevice(found));
}

/** What a tracking device of each kind of vehicle has wired to its inputs. */
const mappedSensors: Readonly<Record<VehicleRecord['kind'], readonly { name: string; source: string }[]>> = {
  car: [{ name: 'Ignition', source: 'DIN1' }],
  van: [
    { name: 'Ignition', source: 'DIN1' },
    { name: 'Side door', source: 'DIN2' },
  ],
  truck: [
    { name: 'Ignition', source: 'DIN1' },
    { name: 'PTO', source: 'DIN3' },
    { name: 'Cargo temperature', source: '1WIRE1' },
  ],
};

function workSchedule(vehicle: VehicleRecord, { fleet }: Context): WorkScheduleRecord | null {
  if (vehicle.workScheduleId !== null) return fleet.workSchedules.get(vehicle.workScheduleId) ?? null;
  for (const schedule of fleet.workSchedules.values()) if (schedule.isDefault) return schedule;
  return null;
}

/** A vehicle that is deactivated already stays so since then. */
function usage(vehicle: VehicleRecord, deactivated: boolean, now: number): Partial<VehicleRecord> {
  return { deactivated, deactivatedAt: deactivated ? (vehicle.deactivatedAt ?? now) : null };
}

const oldestYear = 1900;

function updateVehicle(
  { vehicleId, vehicleInput: input }: { readonly vehicleId: string; readonly vehicleInput: VehicleInput },
  { scope, fleet, now }: Context,
): VehicleRecord {
  const vehicle = scope.theVehicle(vehicleId);
  const name = keptText(input.name, 'name');
  const { vehicleTypeId, workScheduleId, labelIds, year } = input;
  if (typeof year === 'number' && (year < oldestYear || year > new Date(now).getUTCFullYear() + 2)) {
    throw badRequest('year is not the year of a vehicle.');
  }
  if (typeof vehicleTypeId === 'string' && fleet.vehicleTypes.get(vehicleTypeId) === undefined) {
    throw notFound('vehicle type', vehicleTypeId);
  }
  if (typeof workScheduleId === 'string' && fleet.workSchedules.get(workScheduleId) === undefined) {
    throw notFound('work schedule', workScheduleId);
  }
  return fleet.vehicles.put(
    changed(vehicle, now, {
      ...given(input, ['vin', 'licensePlate', 'make', 'model', 'year', 'vehicleTypeId', 'workScheduleId']),
      ...(name === undefined ? {} : { name }),
      ...(input.deactivated === undefined ? {} : usage(vehicle, flag(input.deactivated), now)),
      ...(labelIds === undefined
        ? {}
        : { labelIds: knownIds(labelIds ?? [], 'label', (id) => fleet.labels.get(id) !== undefined) }),
    }),
  );
}

export const rootFields = {
  getVehicles: (_args: object, { scope }: Context) => scope.vehicles(),
  getActiveVehicles: (_args: object, { scope }: Context) => scope.vehicles().filter((vehicle) => !vehicle.deactivated),
  getVehicleById: ({ id }: ById, { scope }: Context) => scope.vehicle(id),
  getVehiclesByVin: ({ vin }: { readonly vin: string }, { scope, fleet }: Context) =>
    fleet.vehicles.by('vin', vin).filter((vehicle) => scope.seesVehicle(vehicle)),
  getDeviceById: ({ id }: ById, context: Context) => device(id, context),
  getDeviceBySerial: (args: BySerial, context: Context) => devicesBySerial(args, context)[0] ?? null,
  getDevicesBySerial: devicesBySerial,
  getLabels: (_args: object, { fleet }: Context) => [...fleet.labels.values()],
  getMetaSensors: (_args: object, { fleet }: Context) => fleet.metaSensors,
  getVehicleTypes: (_args: object, { fleet }: Context) => [...fleet.vehicleTypes.values()],
  getWorkSchedules: (_args: object, { fleet }: Context) => [...fleet.workSchedules.values()],
  getWorkScheduleById: ({ id }: ById, { fleet }: Context) => fleet.workSchedules.get(id) ?? null,
  getVehicleCustomFields: ({ vehicleId }: { readonly vehicleId: string }, { scope }: Context) =>
    scope.vehicle(vehicleId)?.customFields ?? null,
  getVehicleMappedSensors: ({ vehicleId }: { readonly vehicleId: string }, { scope }: Context) => {
    const vehicle = scope.vehicle(vehicleId);
    if (vehicle === null) return null;
    return vehicle.deviceIds.length === 0 ? [] : mappedSensors[vehicle.kind];
  },
  getUserInfo: (_args: object, { login }: Context) => login.users,
  updateVehicle,
  updateVehicleCustomField(
    { vehicleId, field: change }: { readonly vehicleId: string; readonly field: CustomFieldInput },
    { scope, fleet, now, strict }: Context,
  ) {
    const vehicle = scope.theVehicle(vehicleId);
    const { fields, field } = withCustomField(vehicle.customFields, fleet.vehicleFieldNames, change, strict);
    fleet.vehicles.put(changed(vehicle, now, { customFields: fields }));
    return field;
  },
};

export const typeFields = {
  Vehicle: {
    latestData(vehicle: VehicleRecord, context: Context): object | null {
      const known = context.latestData.get(vehicle.id);
      if (known !== undefined) return known;
      const made = latestData(vehicle, context);
      context.latestData.set(vehicle.id, made);
      return made;
    },
    lastData: (vehicle: VehicleRecord, context: Context) => {
      const row = context.latest(vehicle);
      return row === null ? null : shownSnapshot(row, vehicle, context);
    },
    lastOdometer: (vehicle: VehicleRecord, context: Context) => context.latest(vehicle)?.odometerKm ?? null,
    lastWorkingHours: (vehicle: VehicleRecord, context: Context) => context.latest(vehicle)?.engineHours ?? null,
    assignedGroups(vehicle: VehicleRecord, context: Context) {
      if (!context.spend(vehicle.groupIds.length)) return [];
      return vehicle.groupIds.map((id) => context.scope.group(id)).filter((group) => group !== null);
    },
    assignedDevices: (vehicle: VehicleRecord, { fleet }: Context): DeviceRecord[] =>
      vehicle.deviceIds.flatMap((id) => fleet.devices.get(id) ?? []),
    assignedLabels: (vehicle: VehicleRecord, { fleet }: Context): LabelRecord[] =>
      vehicle.labelIds.flatMap((id) => fleet.labels.get(id) ?? []),
    vehicleType: (vehicle: VehicleRecord, { fleet }: Context) =>
      vehicle.vehicleTypeId === null ? null : (fleet.vehicleTypes.get(vehicle.vehicleTypeId) ?? null),
    workSchedule,
  },
};
