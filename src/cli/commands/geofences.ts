// `fleet geofences`: manages areas on the map.

import { type DefineCommand, examples } from '../context/define-command.js';
import { change } from '../plan/change.js';
import { updateOf } from '../plan/change-spec.js';
import { addChangeFlags } from '../plan/flags.js';
import { geofenceKind } from '../records/geofence.js';
import { defineCreate } from './geofences/create.js';
import { defineGeofenceGroups } from './geofences/groups.js';
import { defineImport } from './geofences/import.js';
import {
  addGeofenceFlags,
  circleIn,
  circleMembers,
  type GeofenceFlags,
  geofenceMembers,
  refineShape,
} from './geofences/input.js';
import { defineVisits } from './geofences/visits.js';
import { defineDeletion } from './shared/define-deletion.js';
import { defineList } from './shared/define-list.js';
import { defineGetRecords } from './shared/get-records.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet geofences list', ''],
      ['fleet geofences visits "Depot Tartu" --on yesterday', 'who was there, from when to when'],
      ['fleet geofences list -o geojson > geofences.geojson', 'for a map'],
      ['fleet geofences import customers.kml', 'create the new ones, change the others'],
      ['fleet geofences import geofences.csv', 'the same from a spreadsheet'],
      ['fleet geofences delete "Depot Tartu"', 'asks for confirmation; add --yes in a script'],
    ),
  );
  defineList(noun, open, {
    description: 'list the geofences visible to the user (getGeofences)',
    help: examples(
      ['fleet geofences list --filter type=DEPOT --sort name', ''],
      ['fleet geofences list -o geojson > geofences.geojson', 'a FeatureCollection of their areas; kml too'],
    ),
    operation: 'getGeofences',
    view: geofenceKind.view,
    emptyText: 'No geofence is visible to this user.',
  });
  defineGetRecords(
    noun,
    open,
    geofenceKind,
    'show geofences (getGeofenceById; several: getGeofences)',
    examples(
      ['fleet geofences get "Depot Tartu"', ''],
      ['fleet geofences get "Depot Tartu" -o geojson', 'its area'],
      ['fleet geofences get "Depot Tartu" "Depot Vilnius" -o geojson', 'several areas'],
    ),
  );
  defineVisits(noun, open);
  defineCreate(noun, open);
  defineImport(noun, open);
  defineUpdate(noun, open);
  defineDeletion(noun, open, {
    kind: geofenceKind,
    names: 'ids or names',
    filters: true,
    help: examples(
      ['fleet geofences delete "Depot Tartu" --yes', ''],
      ['fleet geofences delete "Customer Tartu" "Customer Vilnius"', 'asks once; all of them or none'],
      ['fleet geofences delete --filter type=CUSTOMER --dry-run', 'what a filter would delete'],
    ),
  });
  defineGeofenceGroups(noun, open);
};

const defineUpdate: DefineCommand = (noun, open) => {
  const update = noun
    .command('update')
    .description('change a geofence (updateGeofence); what is not given stays unchanged')
    .argument('[geofence]', 'id or name; leave out with --input');
  addGeofenceFlags(update);
  addChangeFlags(update);
  update
    .addHelpText(
      'after',
      examples(
        ['fleet geofences update "Depot Tartu" --color "#D62728"', ''],
        ['fleet geofences update "Depot Tartu" --geojson depot.geojson', 'replace its shape'],
      ),
    )
    .action(async (geofence: string | undefined, flags: GeofenceFlags) => {
      const context = open();
      return change(context, flags, {
        ...updateOf(geofenceKind, geofence),
        ...circleMembers,
        read: (members, where) => circleIn(members, flags.radius, where),
        flags: await geofenceMembers(context, flags),
        refine: refineShape,
      });
    });
};
