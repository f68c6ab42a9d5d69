// How geofences of a file are compared with those of the service, and what is sent.

import type { Geofence } from '../../index.js';
import { type Target, textOf } from '../apply/plan-records.js';
import type { Members } from '../change/change-spec.js';
import { type Differences, memberDifferences } from '../change/differences.js';
import type { MemberChange } from '../change/record-change.js';
import { areaOf, isFlaw } from './area.js';

export const geofenceTarget: Target<Geofence> = {
  noun: 'geofence',
  plural: 'geofences',
  listCommand: 'fleet geofences list',
  id: ({ id }) => id,
  keys: [{ noun: 'name', of: ({ name }) => textOf(name) }],
  nameOf: ({ name }) => textOf(name) ?? '',
  lacks: ({ geojson }) => (geojson === undefined || geojson === null ? 'a new geofence needs a shape, geojson' : null),
  differences: geofenceDifferences,
  create: (geofenceInput) => ({ operation: 'createGeofence', variables: { geofenceInput }, idempotent: false }),
  change: (geofenceId, geofenceInput) => ({
    operation: 'updateGeofence',
    variables: { geofenceId, geofenceInput },
    idempotent: true,
  }),
  remove: (geofenceId) => ({ operation: 'deleteGeofence', variables: { geofenceId }, idempotent: false }),
};

export function geofenceDifferences(
  { geojson, color, ...members }: Members,
  known: Pick<Geofence, 'geojson' | 'color'> | Members,
): Differences {
  const isNewShape = geojson !== undefined && !isSameShape(geojson, known.geojson);
  const shape: readonly MemberChange[] = isNewShape
    ? [{ field: 'geojson', before: known.geojson ?? null, after: geojson }]
    : [];
  // KML writes colors in its own way.
  const isNewColor = color !== undefined && String(known.color).toLowerCase() !== String(color).toLowerCase();
  const others = memberDifferences(isNewColor ? { ...members, color } : members, known);
  return {
    changes: [...others.changes, ...shape],
    send: isNewShape ? { ...others.send, geojson } : others.send,
  };
}

/** The direction of rings and altitudes do not count. */
function isSameShape(one: unknown, other: unknown): boolean {
  const [first, second] = [areaOf(one), areaOf(other)];
  return !isFlaw(first) && !isFlaw(second) && JSON.stringify(first) === JSON.stringify(second);
}
