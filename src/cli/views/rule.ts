// View of event rules.
import type { Rule } from '../../index.js';
import type { View } from '../output/view.js';

export const ruleView: View<Rule> = {
  columns: [
    { title: 'NAME', text: (rule) => rule.name ?? '', min: 18, rank: 0 },
    { title: 'TYPE', text: (rule) => rule.ruleType ?? '', rank: 2 },
    {
      title: 'ENABLED',
      text: enabledText,
      paint: (text, { enabled }, { colors }) => (enabled === true ? colors.green(text) : colors.dim(text)),
      rank: 1,
    },
    { title: 'VEHICLES', text: vehiclesText, rank: 3 },
    { title: 'GEOFENCES', text: geofencesText, align: 'right', rank: 4 },
    { title: 'ID', text: (rule) => rule.id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (rule) => rule.name ?? '' },
    { title: 'Type', text: (rule) => rule.ruleType ?? '' },
    { title: 'Enabled', text: enabledText },
    { title: 'Vehicles', text: vehiclesText },
    { title: 'Vehicle ids', text: ({ vehicles }) => listText(vehicles?.assignedVehicleIds) },
    { title: 'Group ids', text: ({ vehicles }) => listText(vehicles?.assignedGroupIds) },
    { title: 'Geofence ids', text: ({ geofenceIds }) => listText(geofenceIds) },
    { title: 'Id', text: (rule) => rule.id ?? '' },
  ],
  fields: [
    'id',
    'name',
    'ruleType',
    'enabled',
    'vehicles.assignedToAll',
    'vehicles.assignedVehicleIds',
    'vehicles.assignedGroupIds',
    'geofenceIds',
  ],
};

function enabledText({ enabled }: Rule): string {
  return typeof enabled === 'boolean' ? (enabled ? 'yes' : 'no') : '';
}

/** Returns `all`, or the number of vehicles and groups. */
function vehiclesText({ vehicles }: Rule): string {
  if (!vehicles) return '';
  if (vehicles.assignedToAll) return 'all';
  const parts = [
    counted(vehicles.assignedVehicleIds?.length ?? 0, 'vehicle'),
    counted(vehicles.assignedGroupIds?.length ?? 0, 'group'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function geofencesText({ geofenceIds }: Rule): string {
  return geofenceIds && geofenceIds.length > 0 ? String(geofenceIds.length) : '';
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listText(ids: readonly (string | null)[] | null | undefined): string {
  return (ids ?? []).filter((id) => id !== null).join(', ');
}
