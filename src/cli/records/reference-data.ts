// Read-only records: labels, roles, vehicle types, rules, schedules and sensors.
import type { Label, MetaSensor, Role, Rule, VehicleType, WorkSchedule } from '../../index.js';
import type { View } from '../output/view.js';
import { ruleView } from '../views/rule.js';
import { scheduleView } from '../views/schedule.js';
import type { ReadableKind, RecordKind } from './record-kind.js';

const byName = [{ noun: 'name', form: 'name', members: ['name'] }] as const;

function namedView<Row extends { readonly id?: string | null; readonly name?: string | null }>(
  fields: readonly string[],
): View<Row> {
  return {
    columns: [
      { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
      { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 0 },
    ],
    fields,
  };
}

export const labelKind: RecordKind<Label> = {
  noun: 'label',
  plural: 'labels',
  placeholder: 'label',
  listCommand: 'fleet labels list',
  list: 'getLabels',
  byId: null,
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: namedView(['id', 'name', 'createdAt', 'updatedAt']),
};

export const roleKind: RecordKind<Role> = {
  noun: 'role',
  plural: 'roles',
  placeholder: 'role',
  listCommand: 'fleet roles list',
  list: 'getRoles',
  byId: null,
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: namedView(['id', 'name', 'createdAt', 'updatedAt']),
};

export const vehicleTypeKind: RecordKind<VehicleType> = {
  noun: 'vehicle type',
  plural: 'vehicle types',
  placeholder: 'type',
  listCommand: 'fleet vehicles types',
  list: 'getVehicleTypes',
  byId: null,
  texts: byName,
  identity: { id: true, name: true },
  view: namedView(['id', 'name']),
};

export const ruleKind: ReadableKind<Rule> = {
  noun: 'rule',
  plural: 'rules',
  placeholder: 'rule',
  listCommand: 'fleet rules list',
  list: 'getRules',
  byId: 'getRuleById',
  texts: byName,
  identity: { id: true, name: true },
  view: ruleView,
};

export const scheduleKind: ReadableKind<WorkSchedule> = {
  noun: 'work schedule',
  plural: 'work schedules',
  placeholder: 'schedule',
  listCommand: 'fleet schedules list',
  list: 'getWorkSchedules',
  byId: 'getWorkScheduleById',
  texts: byName,
  identity: { id: true, name: true, isDeleted: true },
  view: scheduleView,
};

/** The view of sensors. Sensors have no ids, so they have no kind. */
export const metaSensorView: View<MetaSensor> = {
  columns: [
    { title: 'SENSOR', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'KEY', text: ({ key }) => (typeof key === 'number' ? String(key) : ''), align: 'right', rank: 0 },
  ],
  fields: ['name', 'key'],
};
