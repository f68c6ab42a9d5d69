// `fleet geofences create`: creates one geofence from flags, or one per feature of a map.

import type { Context } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { refusal } from '../../errors/cli-error.js';
import { change } from '../../plan/change.js';
import { creationOf } from '../../plan/change-spec.js';
import { addChangeFlags } from '../../plan/flags.js';
import { geofenceKind } from '../../records/geofence.js';
import {
  addGeofenceFlags,
  circleIn,
  circleMembers,
  type GeofenceFlags,
  geofenceMembers,
  refineShape,
} from './input.js';

export const defineCreate: DefineCommand = (noun, open) => {
  const command = noun.command('create').description('create a geofence (createGeofence)');
  addGeofenceFlags(command);
  addChangeFlags(command);
  command
    .addHelpText(
      'after',
      examples(
        ['fleet geofences create --name Depot --at 58.38,26.72 --radius 200m', 'a circle'],
        ['fleet geofences create --name Depot --geojson depot.geojson', ''],
        ['fleet geofences import customers.kml', 'one geofence per placemark'],
      ),
    )
    .action((flags: GeofenceFlags) => create(open(), flags));
};

async function create(context: Context, flags: GeofenceFlags): Promise<void> {
  if (flags.geojson !== undefined && flags.input !== undefined) {
    throw refusal('--geojson and --input both give a shape.', { hint: 'Leave out one of them.' });
  }
  await change(context, flags, {
    ...creationOf(geofenceKind),
    ...circleMembers,
    read: (members, where) => circleIn(members, flags.radius, where),
    flags: await geofenceMembers(context, flags),
    refine: requireShape,
  });
}

/** Throws when the name or the shape is missing, although the contract requires neither. */
function requireShape(input: Readonly<Record<string, unknown>>, where: string): Record<string, unknown> {
  for (const [member, flag] of [
    ['name', '--name'],
    ['geojson', '--geojson'],
  ] as const) {
    if (input[member] !== undefined && input[member] !== null && input[member] !== '') continue;
    throw refusal(`${where}The geofence has no ${member === 'name' ? 'name' : 'shape'}.`, {
      hint: `Give it with ${flag}, or as "${member}" in --input.`,
    });
  }
  return refineShape(input, where);
}
