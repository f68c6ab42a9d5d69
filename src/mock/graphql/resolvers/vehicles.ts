// Vehicles with their devices, labels, types, work schedules, sensors and custom fields.
import type { CustomFieldInput, VehicleInput } from '../../../generated/contract-types.js';
import { badRequest, notFoundError } from '../../core/refusals.js';
import { withChanges } from '../../store/store.js';
import type { DeviceRecord, LabelRecord, VehicleRecord, WorkScheduleRecord } from '../../store/tables.js';
import type { RequestContext } from '../request-context.js';
import { isTrue, optionalText, pickDefined, requireRecords, setCustomField } from './inputs.js';
import { latestData } from './latest-data.js';
import { withVehicleAndDriver } from './snapshots.js';

interface IdArgs {
  readonly id: string;
}

interface SerialArgs {
  readonly serial: string;
}

function visibleDevice(id: string, { scope, fleet }: RequestContext): DeviceRecord | null {
  const found = fleet.devices.get(id);
  return found !== undefined && scope.canSeeDevice(found) ? found : null;
}

function devicesBySerial({ serial }: SerialArgs, { scope, fleet }: RequestContext): DeviceRecord[] {
  return fleet.devices.findBy('serial', serial).filter((found) => scope.canSeeDevice(found));
}

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

function workSchedule(vehicle: VehicleRecord, { fleet }: RequestContext): WorkScheduleRecord | null {
  if (vehicle.workScheduleId !== null) return fleet.workSchedules.get(vehicle.workScheduleId) ?? null;
  for (const schedule of fleet.workSchedules.values()) if (schedule.isDefault) return schedule;
  return null;
}

/** Deactivating a vehicle again keeps the first deactivation time. */
function deactivationFields(vehicle: VehicleRecord, deactivated: boolean, now: number): Partial<VehicleRecord> {
  return { deactivated, deactivatedAt: deactivated ? (vehicle.deactivatedAt ?? now) : null };
}

const minYear = 1900;

function updateVehicle(
  { vehicleId, vehicleInput: input }: { readonly vehicleId: string; readonly vehicleInput: VehicleInput },
  { scope, fleet, now }: RequestContext,
): VehicleRecord {
  const vehicle = scope.requireVehicle(vehicleId);
  const name = optionalText(input.name, 'name');
  const { vehicleTypeId, workScheduleId, labelIds, year } = input;
  if (typeof year === 'number' && (year < minYear || year > new Date(now).getUTCFullYear() + 2)) {
    throw badRequest('year is not a plausible model year.');
  }
  if (typeof vehicleTypeId === 'string' && fleet.vehicleTypes.get(vehicleTypeId) === undefined) {
    throw notFoundError('vehicle type', vehicleTypeId);
  }
  if (typeof workScheduleId === 'string' && fleet.workSchedules.get(workScheduleId) === undefined) {
    throw notFoundError('work schedule', workScheduleId);
  }
  return fleet.vehicles.put(
    withChanges(vehicle, now, {
      ...pickDefined(input, ['vin', 'licensePlate', 'make', 'model', 'year', 'vehicleTypeId', 'workScheduleId']),
      ...(name === undefined ? {} : { name }),
      ...(input.deactivated === undefined ? {} : deactivationFields(vehicle, isTrue(input.deactivated), now)),
      ...(labelIds === undefined
        ? {}
        : { labelIds: requireRecords(labelIds ?? [], 'label', (id) => fleet.labels.get(id) !== undefined) }),
    }),
  );
}

export const rootResolvers = {
  getVehicles: (_args: object, { scope }: RequestContext) => scope.vehicles(),
  getActiveVehicles: (_args: object, { scope }: RequestContext) =>
    scope.vehicles().filter((vehicle) => !vehicle.deactivated),
  getVehicleById: ({ id }: IdArgs, { scope }: RequestContext) => scope.vehicle(id),
  getVehiclesByVin: ({ vin }: { readonly vin: string }, { scope, fleet }: RequestContext) =>
    fleet.vehicles.findBy('vin', vin).filter((vehicle) => scope.canSeeVehicle(vehicle)),
  getDeviceById: ({ id }: IdArgs, context: RequestContext) => visibleDevice(id, context),
  getDeviceBySerial: (args: SerialArgs, context: RequestContext) => devicesBySerial(args, context)[0] ?? null,
  getDevicesBySerial: devicesBySerial,
  getLabels: (_args: object, { fleet }: RequestContext) => [...fleet.labels.values()],
  getMetaSensors: (_args: object, { fleet }: RequestContext) => fleet.metaSensors,
  getVehicleTypes: (_args: object, { fleet }: RequestContext) => [...fleet.vehicleTypes.values()],
  getWorkSchedules: (_args: object, { fleet }: RequestContext) => [...fleet.workSchedules.values()],
  getWorkScheduleById: ({ id }: IdArgs, { fleet }: RequestContext) => fleet.workSchedules.get(id) ?? null,
  getVehicleCustomFields: ({ vehicleId }: { readonly vehicleId: string }, { scope }: RequestContext) =>
    scope.vehicle(vehicleId)?.customFields ?? null,
  getVehicleMappedSensors: ({ vehicleId }: { readonly vehicleId: string }, { scope }: RequestContext) => {
    const vehicle = scope.vehicle(vehicleId);
    if (vehicle === null) return null;
    return vehicle.deviceIds.length === 0 ? [] : mappedSensors[vehicle.kind];
  },
  getUserInfo: (_args: object, { login }: RequestContext) => login.users,
  updateVehicle,
  updateVehicleCustomField(
    { vehicleId, field: change }: { readonly vehicleId: string; readonly field: CustomFieldInput },
    { scope, fleet, now, strict }: RequestContext,
  ) {
    const vehicle = scope.requireVehicle(vehicleId);
    const { fields, field } = setCustomField(vehicle.customFields, fleet.vehicleFieldNames, change, strict);
    fleet.vehicles.put(withChanges(vehicle, now, { customFields: fields }));
    return field;
  },
};

export const typeResolvers = {
  Vehicle: {
    latestData(vehicle: VehicleRecord, context: RequestContext): object | null {
      const cached = context.latestData.get(vehicle.id);
      if (cached !== undefined) return cached;
      const data = latestData(vehicle, context);
      context.latestData.set(vehicle.id, data);
      return data;
    },
    lastData: (vehicle: VehicleRecord, context: RequestContext) => {
      const row = context.latestSnapshot(vehicle);
      return row === null ? null : withVehicleAndDriver(row, vehicle, context);
    },
    lastOdometer: (vehicle: VehicleRecord, context: RequestContext) =>
      context.latestSnapshot(vehicle)?.odometerKm ?? null,
    lastWorkingHours: (vehicle: VehicleRecord, context: RequestContext) =>
      context.latestSnapshot(vehicle)?.engineHours ?? null,
    assignedGroups(vehicle: VehicleRecord, context: RequestContext) {
      // Beyond the limit an error replaces the whole response.
      if (!context.tryAddRecords(vehicle.groupIds.length)) return [];
      return vehicle.groupIds.map((id) => context.scope.group(id)).filter((group) => group !== null);
    },
    assignedDevices: (vehicle: VehicleRecord, { fleet }: RequestContext): DeviceRecord[] =>
      vehicle.deviceIds.flatMap((id) => fleet.devices.get(id) ?? []),
    assignedLabels: (vehicle: VehicleRecord, { fleet }: RequestContext): LabelRecord[] =>
      vehicle.labelIds.flatMap((id) => fleet.labels.get(id) ?? []),
    vehicleType: (vehicle: VehicleRecord, { fleet }: RequestContext) =>
      vehicle.vehicleTypeId === null ? null : (fleet.vehicleTypes.get(vehicle.vehicleTypeId) ?? null),
    workSchedule,
  },
};
