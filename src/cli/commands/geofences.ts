// `fleet geofences`: areas on the map.
import { operations } from '../../generated/operation-table.js';
import { change } from '../change/change.js';
import { asksAbout } from '../change/confirm.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { tolerate } from '../errors/partial-result.js';
import { geofenceKind } from '../find/kinds.js';
import { findRecord } from '../find/record.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, printRecord, printRows } from '../run/context.js';
import { listShape, recordShape } from '../shape/list-shape.js';
import { geofenceView } from '../views/geofence.js';
import { defineCreate } from './geofences/create.js';
import { defineGroups } from './geofences/groups.js';
import { addGeofenceFlags, fieldsOf, type GeofenceFlags, geofenceReference, refineShape } from './geofences/input.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet geofences list', ''],
      ['fleet geofences list -o geojson > geofences.geojson', 'for a map'],
      ['fleet geofences create --from customers.kml', 'one of each placemark'],
      ['fleet geofences delete "Depot Tartu"', 'asks first; --yes in a script'],
    ),
  );
  noun
    .command('list')
    .description('list the geofences visible to the user (getGeofences)')
    .addHelpText(
      'after',
      examples(
        ['fleet geofences list --filter type=DEPOT --sort name', ''],
        ['fleet geofences list -o geojson > geofences.geojson', 'a FeatureCollection of their areas; kml too'],
      ),
    )
    .action(() => list(open()));
  noun
    .command('get')
    .description('show one geofence (getGeofenceById)')
    .argument('<geofence>', 'id or name, or a part of a name that fits a single one')
    .addHelpText(
      'after',
      examples(['fleet geofences get "Depot Tartu"', ''], ['fleet geofences get "Depot Tartu" -o geojson', 'its area']),
    )
    .action((geofence: string) => get(open(), geofence));
  defineCreate(noun, open);

  const update = noun
    .command('update')
    .description('change a geofence (updateGeofence); what is not said stays as it is')
    .argument('[geofence]', 'id or name; left out when --input says it');
  addGeofenceFlags(update);
  addChangeFlags(update, { input: true, asks: false });
  update
    .addHelpText(
      'after',
      examples(
        ['fleet geofences update "Depot Tartu" --color "#D62728"', ''],
        ['fleet geofences update "Depot Tartu" --geojson depot.geojson', 'another shape'],
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
        shown: { view: geofenceView },
      });
    });

  const remove = noun
    .command('delete')
    .description('delete a geofence (deleteGeofence)')
    .argument('[geofence]', 'id or name; left out when --input says it');
  addChangeFlags(remove, { input: false, asks: true });
  remove
    .addHelpText('after', examples(['fleet geofences delete "Depot Tartu" --yes', '']))
    .action((geofence: string | undefined, flags: ChangeFlags) =>
      change(open(), flags, {
        operation: 'deleteGeofence',
        input: null,
        references: [geofenceReference(geofence)],
        flags: {},
        asks: asksAbout(geofenceKind),
        shown: { deleted: 'geofence' },
      }),
    );
  defineGroups(noun, open);
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, geofenceView, operations.getGeofences);
  const client = await connect(context);
  const geofences = await tolerate(context, (options) =>
    call(client, 'getGeofences', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(geofences), shape.view, 'No geofence is visible to this user.');
}

async function get(context: Context, geofence: string): Promise<void> {
  const shape = recordShape(context, geofenceView, operations.getGeofenceById);
  const client = await connect(context);
  const found = await findRecord(context, client, geofenceKind, geofence, { substring: true, ...shape.options });
  await printRecord(context, shape.record(found), shape.view);
}
