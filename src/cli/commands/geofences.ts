// `fleet geofences`: manages areas on the map.
import { operations } from '../../generated/operation-table.js';
import { change } from '../change/change.js';
import { deletionOf } from '../change/confirm.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { printRecord } from '../context/print.js';
import { geofenceKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { recordShape } from '../shape/list-shape.js';
import { geofenceView } from '../views/geofence.js';
import { defineCreate } from './geofences/create.js';
import { defineGroups } from './geofences/groups.js';
import { addGeofenceFlags, fieldsOf, type GeofenceFlags, geofenceReference, refineShape } from './geofences/input.js';
import { defineList } from './shared/define-list.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet geofences list', ''],
      ['fleet geofences list -o geojson > geofences.geojson', 'for a map'],
      ['fleet geofences create --from customers.kml', 'one geofence per placemark'],
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
    view: geofenceView,
    emptyText: 'No geofence is visible to this user.',
  });
  noun
    .command('get')
    .description('show one geofence (getGeofenceById)')
    .argument('<geofence>', 'id or name, or a unique part of a name')
    .addHelpText(
      'after',
      examples(['fleet geofences get "Depot Tartu"', ''], ['fleet geofences get "Depot Tartu" -o geojson', 'its area']),
    )
    .action((geofence: string) => get(open(), geofence));
  defineCreate(noun, open);

  const update = noun
    .command('update')
    .description('change a geofence (updateGeofence); what is not given stays unchanged')
    .argument('[geofence]', 'id or name; leave out with --input');
  addGeofenceFlags(update);
  addChangeFlags(update, { takesInput: true, confirms: false });
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
        operation: 'updateGeofence',
        input: { variable: 'geofenceInput', type: 'GeofenceInput' },
        references: [geofenceReference(geofence)],
        flags: await fieldsOf(context, flags),
        refine: refineShape,
        display: { view: geofenceView },
      });
    });

  const remove = noun
    .command('delete')
    .description('delete a geofence (deleteGeofence)')
    .argument('[geofence]', 'id or name; leave out with --input');
  addChangeFlags(remove, { takesInput: false, confirms: true });
  remove
    .addHelpText('after', examples(['fleet geofences delete "Depot Tartu" --yes', '']))
    .action((geofence: string | undefined, flags: ChangeFlags) =>
      change(open(), flags, {
        operation: 'deleteGeofence',
        input: null,
        references: [geofenceReference(geofence)],
        flags: {},
        confirmation: deletionOf(geofenceKind),
        display: { deleted: 'geofence' },
      }),
    );
  defineGroups(noun, open);
};

async function get(context: Context, geofence: string): Promise<void> {
  const shape = recordShape(context, geofenceView, operations.getGeofenceById);
  const client = await connect(context);
  const found = await findRecord(context, client, geofenceKind, geofence, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
