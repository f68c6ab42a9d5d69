// `fleet geofences create`: creates one geofence from flags, or one per feature of a map.
import { change } from '../../change/change.js';
import { creationOf } from '../../change/change-spec.js';
import { addChangeFlags } from '../../change/flags.js';
import type { Input } from '../../change/read-input.js';
import type { Context, ReportingRun } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { inputsOf } from '../../geofences/import-map.js';
import { geofenceKind } from '../../records/geofence.js';
import {
  addGeofenceFlags,
  circleColumns,
  circleIn,
  type GeofenceFlags,
  geofenceMembers,
  readFeatures,
  refineShape,
} from './input.js';

interface CreateFlags extends GeofenceFlags {
  readonly from?: string;
  readonly nameField?: string;
}

export const defineCreate: DefineCommand = (noun, open) => {
  const command = noun.command('create').description('create a geofence, or one per feature of a map (createGeofence)');
  addGeofenceFlags(command);
  command
    .option('--from <file>', 'create a geofence from each area in a GeoJSON, KML or GPX file (- for stdin)')
    .option('--name-field <property>', 'with --from, the property with the name (default: name)');
  addChangeFlags(command, { takesInput: true });
  command
    .addHelpText(
      'after',
      examples(
        ['fleet geofences create --name Depot --at 58.38,26.72 --radius 200m', 'a circle'],
        ['fleet geofences create --name Depot --geojson depot.geojson', ''],
        ['fleet geofences create --from customers.kml --type CUSTOMER', 'one geofence per placemark'],
        ['fleet geofences create --from stops.gpx --radius 150m --failed again.ndjson', 'circles around waypoints'],
        [
          'fleet geofences create --input customers.csv --radius 200m',
          'circles: columns name, latitude, longitude, radius',
        ],
        ['fleet geofences create --input again.ndjson', 'repeat what was not done'],
      ),
    )
    .action((flags: CreateFlags) => create(open(), flags));
};

async function create(context: Context, flags: CreateFlags): Promise<void> {
  refuseContradictions(flags);
  const presetInput =
    flags.from === undefined || flags.skeleton ? undefined : await inputFrom(context, flags, flags.from);
  await change(context, flags, {
    ...creationOf(geofenceKind),
    ...circleColumns,
    read: (members, where) => circleIn(members, flags.radius, where),
    flags: await geofenceMembers(context, flags),
    refine: requireShape,
    presetInput,
    display: { view: geofenceKind.view },
  });
}

async function inputFrom(run: ReportingRun, flags: CreateFlags, file: string): Promise<Input> {
  const lines = inputsOf(await readFeatures(run, file), flags);
  return { lines, many: lines.length > 1 };
}

function refuseContradictions({ from, input, geojson, nameField, at }: CreateFlags): void {
  if (at !== undefined && (from !== undefined || input !== undefined)) {
    throw refusal(`--at is the place of one geofence, and ${from === undefined ? '--input' : '--from'} has several.`, {
      hint: '`fleet geofences import` takes a table with latitude, longitude and radius.',
    });
  }
  if ([from, input, geojson].filter((source) => source !== undefined).length > 1) {
    throw new CliError('USAGE', 'Give only one of --from, --input and --geojson.', {
      hint: '--geojson is the shape of one geofence, --from a map with many, --input the inputs as JSON.',
    });
  }
  if (nameField === undefined || from !== undefined) return;
  throw new CliError('USAGE', '--name-field needs --from.', {
    hint: 'For example --from stops.gpx --name-field title.',
  });
}

/** By contract no member is required, but a geofence without a name or a shape is useless. */
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
