// `fleet geofences import`: makes the geofences of the service match a map or a table.
import { type GeoPosition, greatCircleKm } from '../../../core/geo.js';
import type { Geofence } from '../../../index.js';
import type { Context, ReportingRun } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { inputsOf } from '../../geofences/import-map.js';
import { looksLikeMap, readMap } from '../../geofences/read-map.js';
import { zippedMap } from '../../geofences/unusable-map.js';
import { parseContent, readContent } from '../../input/load-input.js';
import { distance } from '../../parse/distance.js';
import { looksLikeId } from '../../parse/user-selector.js';
import { type ApplyFlags, addApplyFlags, planHelp } from '../../plan/flags.js';
import { parseRecords, type RecordFile, type RecordFileSpec, recordColumns } from '../../plan/load-records.js';
import type { FileRecord } from '../../plan/plan-file.js';
import type { Members } from '../../records/differences.js';
import { geofenceKind } from '../../records/geofence.js';
import { centerOf } from '../../views/geofence.js';
import { applyRecords } from '../shared/apply-records.js';
import { circleColumns, circleIn, refineShape } from './input.js';

interface Flags extends ApplyFlags {
  readonly nameField?: string;
  readonly radius?: number;
}

/** Returns the input description. `radius`: default for points, in metres. */
function wantedInput(radius: number | undefined): RecordFileSpec {
  return {
    kind: geofenceKind,
    ...circleColumns,
    read: (members, where) => refineShape(circleIn(members, radius, where), where),
  };
}

export const defineImport: DefineCommand = (noun, open) => {
  const command = noun
    .command('import')
    .description(
      'make the geofences match a map or a table: create, change and, with --prune, delete; safe to run again',
    )
    .argument(
      '<file>',
      'GeoJSON, KML or GPX, or csv, xlsx, tsv, JSON or YAML with the columns of `fleet geofences list -o csv`, or with latitude, longitude and radius (- for stdin)',
    )
    .option('--name-field <property>', 'the property of the map with the name (default: name)')
    .option(
      '--radius <distance>',
      'make points circles of this radius, such as 200m or 1.5km, where the file gives none',
      distance,
    );
  addApplyFlags(command, 'delete the geofences that are not in the file');
  command
    .addHelpText(
      'after',
      `${examples(
        ['fleet geofences import depots.geojson', 'the plan, a question, then the changes'],
        ['fleet geofences import depots.kml --dry-run', 'the plan only; exit code 10 when something differs'],
        ['fleet geofences import customers.csv --radius 200m', 'circles: columns name, latitude, longitude'],
        ['fleet geofences list -o csv > geofences.csv', 'edit it in a spreadsheet, and then:'],
        ['fleet geofences import geofences.csv --prune --yes', 'in a script'],
      )}\n\nGeofences are found by id, else by name.\n\n${planHelp}`,
    )
    .action(async (file: string, flags: Flags) => {
      const context = open();
      const spec = { kind: geofenceKind, warnOfNew: warnOfSwapped };
      await applyRecords(context, file, flags, spec, await readFileRecords(context, file, flags));
    });
};

/** Distance from all other geofences above which swapped coordinates are suspected. */
const FAR_KM = 1_000;

function warnOfSwapped({ report }: Context, { name, geojson }: Members, existing: readonly Geofence[]): void {
  const center = centerOf(geojson);
  const others = existing.flatMap((geofence) => centerOf(geofence.geojson) ?? []);
  if (center === null || others.length === 0 || Math.abs(center.longitude) > 90) return;
  const nearest = (from: GeoPosition) => Math.min(...others.map((other) => greatCircleKm(from, other)));
  const km = nearest(center);
  const swappedKm = nearest({ latitude: center.longitude, longitude: center.latitude });
  if (km < FAR_KM || swappedKm > km / 4) return;
  const [far, near] = [Math.round(km), Math.round(swappedKm)];
  report.warn(
    `"${name}" is ${far} km from every other geofence, and would be ${near} km away with latitude and longitude swapped. GeoJSON has the longitude first.`,
  );
}

async function readFileRecords(run: ReportingRun, file: string, flags: Flags): Promise<RecordFile> {
  const content = await readContent(run, file, flags.inputFormat);
  if ('workbook' in content && /\.kmz$/i.test(file)) throw zippedMap();
  if (!('workbook' in content) && (content.kind === null || content.kind === 'json') && looksLikeMap(content.text)) {
    return { records: await recordsOfMap(content.text, flags), table: undefined };
  }
  const spec = wantedInput(flags.radius);
  const input = await parseContent(run, content, recordColumns(spec), flags);
  return { records: parseRecords(run, input, spec), table: input.table };
}

async function recordsOfMap(text: string, flags: Flags): Promise<readonly FileRecord[]> {
  const features = await readMap(text);
  return inputsOf(features, flags).map((members, index): FileRecord => {
    // Ids of other programs, such as Google Earth, are ignored.
    const featureId = features[index]?.id ?? null;
    const id = featureId !== null && looksLikeId(featureId) ? featureId : null;
    const source = id === null ? members : { id, ...members };
    return { line: index + 1, source, where: `feature ${index + 1}`, id, members };
  });
}
