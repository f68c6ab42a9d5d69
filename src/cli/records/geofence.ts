// Geofences: areas on the map.
import type { Geofence } from '../../index.js';
import { areaOf, isFlaw } from '../geofences/area.js';
import { geofenceView } from '../views/geofence.js';
import { type Differences, type MemberChange, type Members, memberDifferences } from './differences.js';
import type { EditableKind, ReadableKind } from './record-kind.js';

export const geofenceKind = {
  noun: 'geofence',
  plural: 'geofences',
  placeholder: 'geofence',
  listCommand: 'fleet geofences list',
  list: 'getGeofences',
  byId: 'getGeofenceById',
  texts: [{ noun: 'name', form: 'name', members: ['name'] }],
  identity: { id: true, name: true, isDeleted: true },
  view: geofenceView,
  type: 'Geofence',
  idVariable: 'geofenceId',
  create: { operation: 'createGeofence', variable: 'geofenceInput', type: 'CreateGeofenceInput' },
  update: { operation: 'updateGeofence', variable: 'geofenceInput', type: 'GeofenceInput' },
  remove: 'deleteGeofence',
  groups: {
    operation: 'changeGeofenceGroups',
    variable: 'changeGeofenceGroupsInput',
    type: 'ChangeGeofenceGroupsInput',
  },
  lacks: ({ geojson }) => (geojson === undefined || geojson === null ? 'a new geofence needs a shape, geojson' : null),
  differences,
} satisfies EditableKind<Geofence> & ReadableKind<Geofence>;

function differences({ geojson, color, ...members }: Members, present: object): Differences {
  const current: Members = { ...present };
  const isNewShape = geojson !== undefined && !isSameShape(geojson, current.geojson);
  const shape: readonly MemberChange[] = isNewShape
    ? [{ field: 'geojson', before: current.geojson ?? null, after: geojson }]
    : [];
  // The case of colors is ignored, because KML writes them differently.
  const isNewColor = color !== undefined && String(current.color).toLowerCase() !== String(color).toLowerCase();
  const others = memberDifferences(isNewColor ? { ...members, color } : members, current);
  return {
    changes: [...others.changes, ...shape],
    send: isNewShape ? { ...others.send, geojson } : others.send,
  };
}

/** Compares shapes, ignoring altitudes and the direction of rings. */
function isSameShape(one: unknown, other: unknown): boolean {
  const [first, second] = [areaOf(one), areaOf(other)];
  return !isFlaw(first) && !isFlaw(second) && JSON.stringify(first) === JSON.stringify(second);
}
