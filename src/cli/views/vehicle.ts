// View of vehicles, with the live status computed from the last snapshot.

import { type LiveStatus, liveStatus } from '../../telemetry/live-status.js';
import { readNumber } from '../../telemetry/readings.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { positionText, shortAge, timeAndAge, wholeNumber } from './humanize.js';
import { vehicleMap } from './map-views.js';
import { placeColumns, placeFields, placeTextIn } from './place.js';
import { liveColumns, paintStatus, shownStatus } from './status.js';
import { dayText, hourStrip } from './vehicle-day.js';
import type { VehicleInDetail, VehicleRow } from './vehicle-row.js';

function statusOf({ lastData }: VehicleRow, { now }: RenderOptions): LiveStatus {
  return liveStatus(lastData, { now });
}

function speed(vehicle: VehicleRow, options: RenderOptions): string {
  const value = readNumber(vehicle.lastData?.gps?.speed);
  return typeof value === 'number' && statusOf(vehicle, options) === 'moving' ? `${wholeNumber(value)} km/h` : '';
}

function statusText(vehicle: VehicleRow, options: RenderOptions): string {
  return shownStatus(statusOf(vehicle, options), vehicle.deactivated);
}

function paintStatusOf(text: string, vehicle: VehicleRow, options: RenderOptions): string {
  if (vehicle.deactivated === true) return options.colors.dim(text);
  return paintStatus(text, statusOf(vehicle, options), options.colors);
}

function ignitionText({ lastData }: VehicleRow): string {
  const isOn = lastData?.ignition?.engineStatus;
  return typeof isOn === 'boolean' ? (isOn ? 'on' : 'off') : '';
}

function makeAndModel({ make, model, year }: VehicleRow): string {
  return [make, model, year].filter((part) => part !== null && part !== undefined && part !== '').join(' ');
}

function names(members: readonly ({ readonly name?: string | null } | null)[] | null | undefined): string {
  return (members ?? []).flatMap((member) => (member?.name ? [member.name] : [])).join(', ');
}

/** Returns a whole number with its unit; empty for other values. */
function quantityText(value: unknown, name: string): string {
  const number = readNumber(value);
  return typeof number === 'number' ? `${wholeNumber(number)} ${name}` : '';
}

const position = ['lastData.gps.latitude', 'lastData.gps.longitude'] as const;

export const vehicleView: View<VehicleInDetail> = {
  columns: [
    { title: 'NAME', text: (vehicle) => vehicle.name ?? '', min: 10, rank: 0 },
    { title: 'PLATE', text: (vehicle) => vehicle.licensePlate ?? '', shows: ['licensePlate'], min: 8, rank: 1 },
    { title: 'STATUS', text: statusText, paint: paintStatusOf, rank: 2 },
    {
      title: 'SEEN',
      text: (vehicle, { now }) => {
        const moment = timestampMs(vehicle.lastData?.timestamp);
        return moment === null ? '' : shortAge(moment, now);
      },
      shows: ['lastData.timestamp'],
      align: 'right',
      rank: 3,
    },
    { title: 'SPEED', text: speed, align: 'right', rank: 4 },
    { title: 'MAKE AND MODEL', text: makeAndModel, shows: ['make', 'model', 'year'], min: 14, rank: 8.5 },
    ...placeColumns({ min: 16, rank: 3.5, addressRank: 9.5 }),
    {
      title: 'POSITION',
      text: ({ lastData }) => positionText(lastData?.gps),
      shows: ['lastData.gps.latitude', 'lastData.gps.longitude'],
      rank: 9,
    },
    {
      title: 'ODOMETER',
      text: (vehicle) => quantityText(vehicle.lastOdometer, 'km'),
      shows: ['lastOdometer'],
      align: 'right',
      rank: 7,
    },
    { title: 'GROUPS', text: (vehicle) => names(vehicle.assignedGroups), shows: ['assignedGroups'], min: 12, rank: 8 },
    { title: 'ID', text: (vehicle) => vehicle.id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (vehicle) => vehicle.name ?? '' },
    { title: 'Plate', text: (vehicle) => vehicle.licensePlate ?? '' },
    { title: 'VIN', text: (vehicle) => vehicle.vin ?? '' },
    { title: 'Make and model', text: makeAndModel },
    { title: 'Type', text: (vehicle) => vehicle.vehicleType?.name ?? '' },
    {
      title: 'Status',
      text: (vehicle, options) => [statusOf(vehicle, options), speed(vehicle, options)].join(' ').trimEnd(),
      paint: paintStatusOf,
    },
    {
      title: 'Last seen',
      text: (vehicle, options) => timeAndAge(vehicle.lastData?.timestamp, options),
    },
    { title: 'Ignition', text: ignitionText },
    { title: 'Driver', text: ({ driver }) => driver ?? '' },
    { title: 'Today', text: ({ day }) => (day ? dayText(day) : '') },
    { title: 'Trips by hour', text: ({ day }, options) => (day ? hourStrip(day, options) : '') },
    {
      title: 'Fuel',
      text: ({ fuel }) => quantityText(fuel, '(the service names no unit; litres are usual)'),
    },
    { title: 'Place', text: placeTextIn },
    { title: 'Address', text: ({ address }) => address ?? '' },
    { title: 'Position', text: ({ lastData }) => positionText(lastData?.gps) },
    { title: 'Odometer', text: (vehicle) => quantityText(vehicle.lastOdometer, 'km') },
    {
      title: 'Working hours',
      text: ({ lastWorkingHours }) => quantityText(lastWorkingHours, 'h'),
    },
    { title: 'Groups', text: (vehicle) => names(vehicle.assignedGroups) },
    { title: 'Labels', text: (vehicle) => names(vehicle.assignedLabels) },
    {
      title: 'Devices',
      text: (vehicle) => (vehicle.assignedDevices ?? []).flatMap((device) => device?.serial ?? []).join(', '),
    },
    { title: 'Work schedule', text: (vehicle) => vehicle.workSchedule?.name ?? '' },
    {
      title: 'Custom fields',
      text: (vehicle) =>
        (vehicle.customFields ?? [])
          .flatMap((field) => (field?.value ? `${field.name}: ${field.value}` : []))
          .join(', '),
    },
    { title: 'Deactivated', text: (vehicle) => (vehicle.deactivated ? 'yes' : '') },
    { title: 'Id', text: (vehicle) => vehicle.id ?? '' },
    { title: 'Fleet id', text: (vehicle) => vehicle.fleetId ?? '' },
  ],
  map: vehicleMap,
  computed: liveColumns('lastData.', ({ lastData }) => lastData),
  added: Object.fromEntries(placeFields.map((name) => [name, position])),
  fields: [
    'id',
    'name',
    'licensePlate',
    'vin',
    'make',
    'model',
    'year',
    'vehicleType.name',
    'deactivated',
    'lastData.timestamp',
    'lastData.gps.latitude',
    'lastData.gps.longitude',
    'lastData.gps.speed',
    'lastData.gps.direction',
    'lastData.ignition.engineStatus',
    'lastOdometer',
    'lastWorkingHours',
    'assignedGroups.name',
    'assignedLabels.name',
  ],
};

/** The view of `vehicles get`, which reads addresses too. */
export const vehicleAddressView: View<VehicleInDetail> = {
  ...vehicleView,
  added: { ...vehicleView.added, address: ['id'] },
};
