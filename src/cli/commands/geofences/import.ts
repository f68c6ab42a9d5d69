// `fleet geofences import` and `apply`: make the geofences of the service those of a map or a table.
import type { Command } from 'commander';
import { type ApplyFlags, addApplyFlags, planHelp } from '../../apply/flags.js';
import { type WantedFile, wantedColumns, wantedOf } from '../../apply/load-wanted.js';
import type { FileRecord } from '../../apply/plan-records.js';
import { requireConfirmable, wholePlan } from '../../change/confirm.js';
import { mapAll } from '../../change/draft-changes.js';
import { decodeInput, formatOfFile } from '../../change/input-format.js';
import { parseText } from '../../change/load-input.js';
import type { Context, ReportingRun } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { inputsOf } from '../../geofences/import-map.js';
import { looksLikeMap, readMap } from '../../geofences/read-map.js';
import { geofenceTarget } from '../../geofences/target.js';
import { distance } from '../../parse/distance.js';
import { readBytes } from '../../prompt/read-text.js';
import { geofenceView } from '../../views/geofence.js';
import { applyRecords } from '../shared/apply-records.js';
import { refineShape } from './input.js';

interface Flags extends ApplyFlags {
  readonly nameField?: string;
  readonly radius?: number;
}

const inputType = 'CreateGeofenceInput';
const printed = { type: 'Geofence', views: [geofenceView] };

export const defineImport: DefineCommand = (noun, open) => {
  add(
    noun
      .command('import')
      .description(
        'make the geofences those of a map or a table: create, change and, with --prune, delete; safe to run again',
      ),
    open,
    examples(
      ['fleet geofences import depots.geojson', 'the plan, a question, then the changes'],
      ['fleet geofences import depots.kml --dry-run', 'the plan only'],
      ['fleet geofences list -o geojson > all.geojson', 'edit it, and then:'],
      ['fleet geofences import all.geojson --prune --yes', 'in a script'],
    ),
  );
  add(
    noun.command('apply').description('the same as import'),
    open,
    examples(
      ['fleet geofences list -o csv > geofences.csv', 'edit it in a spreadsheet, and then:'],
      ['fleet geofences apply geofences.csv', 'the plan, a question, then the changes'],
      ['fleet geofences apply depots.geojson --dry-run', 'the plan only'],
    ),
  );
};

function add(command: Command, open: () => Context, help: string): void {
  command
    .argument(
      '<file>',
      'GeoJSON, KML or GPX, or csv, tsv, JSON or YAML with the names that `create --skeleton` prints (- for stdin)',
    )
    .option('--name-field <property>', 'the property of the map with the name (default: name)')
    .option(
      '--radius <distance>',
      'turn points of the map into circles of this radius, such as 200m or 1.5km',
      distance,
    );
  addApplyFlags(command, 'delete the geofences that are not in the file');
  command
    .addHelpText('after', `${help}\n\nGeofences are found by id, else by name.\n${planHelp}`)
    .action(async (file: string, flags: Flags) => {
      const context = open();
      requireConfirmable(context, flags, wholePlan);
      const spec = { target: geofenceTarget, list: 'getGeofences' } as const;
      await applyRecords(context, file, flags, spec, await wantedIn(context, file, flags));
    });
}

async function wantedIn(run: ReportingRun, file: string, flags: Flags): Promise<WantedFile> {
  const text = decodeInput(await readBytes(run, file === '-' ? file : `@${file}`));
  const format = flags.inputFormat ?? formatOfFile(file);
  if (format === null || format === 'json') {
    if (looksLikeMap(text)) return { wanted: await mapped(text, flags), table: undefined };
  }
  const input = await parseText(run, text, format, wantedColumns(inputType, printed), true, flags);
  const wanted = mapAll(wantedOf(run, input, inputType), (one) => ({
    ...one,
    members: refineShape(one.members, `${one.where}: `),
  }));
  return { wanted, table: input.table };
}

async function mapped(text: string, flags: Flags): Promise<readonly FileRecord[]> {
  const features = await readMap(text);
  return inputsOf(features, flags).map((members, index): FileRecord => {
    const id = features[index]?.id ?? null;
    const source = id === null ? members : { id, ...members };
    return { line: index + 1, source, where: `feature ${index + 1}`, id, members };
  });
}
