// `fleet geofences create`: one by flags, or as many as a map holds.
import { InvalidArgumentError } from 'commander';
import { change } from '../../change/change.js';
import { addChangeFlags } from '../../change/flags.js';
import type { Input } from '../../change/read-input.js';
import { CliError } from '../../errors/cli-error.js';
import { inputsOf } from '../../geofences/import-map.js';
import { type DefineCommand, examples } from '../../run/command.js';
import type { Context } from '../../run/context.js';
import { geofenceView } from '../../views/geofence.js';
import { addGeofenceFlags, fieldsOf, type GeofenceFlags, readFeatures, refineShape } from './input.js';

interface CreateFlags extends GeofenceFlags {
  readonly from?: string;
  readonly nameField?: string;
  readonly radius?: number;
}

export const defineCreate: DefineCommand = (noun, open) => {
  const create = noun
    .command('create')
    .description('make a geofence, or one of each feature of a map (createGeofence)');
  addGeofenceFlags(create);
  create
    .option('--from <file>', 'a GeoJSON, KML or GPX file: each of its areas becomes a geofence (- for stdin)')
    .option('--name-field <property>', 'with --from, the property that holds the name (default: name)')
    .option('--radius <distance>', 'with --from, make circles around points, such as 200m or 1.5km', distance);
  addChangeFlags(create, { input: true, asks: false });
  create
    .addHelpText(
      'after',
      examples(
        ['fleet geofences create --name Depot --geojson depot.geojson', ''],
        ['fleet geofences create --from customers.kml --type CUSTOMER', 'one of each placemark'],
        ['fleet geofences create --from stops.gpx --radius 150m --failed again.ndjson', 'circles around waypoints'],
        ['fleet geofences create --input again.ndjson', 'once more what was not done'],
      ),
    )
    .action((flags: CreateFlags) => make(open(), flags));
};

async function make(context: Context, flags: CreateFlags): Promise<void> {
  refuseContradictions(flags);
  const given = flags.from === undefined || flags.skeleton ? undefined : await inputFrom(context, flags, flags.from);
  await change(context, flags, {
    operation: 'createGeofence',
    input: { variable: 'geofenceInput', type: 'CreateGeofenceInput' },
    references: [],
    flags: await fieldsOf(context, flags),
    refine: requireShape,
    given,
    shown: { view: geofenceView },
  });
}

async function inputFrom(context: Context, flags: CreateFlags, file: string): Promise<Input> {
  const lines = inputsOf(await readFeatures(context, file), flags);
  return { lines, many: lines.length > 1 };
}

function refuseContradictions({ from, input, geojson, nameField, radius }: CreateFlags): void {
  if ([from, input, geojson].filter((source) => source !== undefined).length > 1) {
    throw new CliError('USAGE', '--from, --input and --geojson each say what to make; give one of them.', {
      hint: '--geojson is the shape of one geofence, --from a map of many, --input the inputs as JSON.',
    });
  }
  const needsFrom = nameField !== undefined ? '--name-field' : radius !== undefined ? '--radius' : null;
  if (needsFrom === null || from !== undefined) return;
  throw new CliError('USAGE', `${needsFrom} goes with --from.`, {
    hint: 'For example --from stops.gpx --radius 150m.',
  });
}

/** By contract no member is required, but a geofence without a name or a shape is none. */
function requireShape(input: Readonly<Record<string, unknown>>, where: string): Record<string, unknown> {
  for (const [member, flag] of [
    ['name', '--name'],
    ['geojson', '--geojson'],
  ] as const) {
    if (input[member] !== undefined && input[member] !== null && input[member] !== '') continue;
    throw new CliError(
      'USAGE',
      `${where}The geofence has no ${member === 'name' ? 'name' : 'shape'}. Nothing was sent.`,
      {
        hint: `Give it with ${flag}, or as "${member}" in --input.`,
      },
    );
  }
  return refineShape(input, where);
}

function distance(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(m|km)?$/.exec(text.trim()) ?? [];
  const metres = Number(number) * (unit === 'km' ? 1000 : 1);
  if (metres > 0 && metres <= 1_000_000) return metres;
  throw new InvalidArgumentError('Write it as 200m or 1.5km; a bare number is metres.');
}
