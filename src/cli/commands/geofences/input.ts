// Shared by the commands that create and change geofences: the flags, reading --geojson, and checking shapes.
import { type Command, InvalidArgumentError } from 'commander';
import { idsOf, type Reference } from '../../change/change-spec.js';
import type { ChangeFlags } from '../../change/flags.js';
import type { Run } from '../../context/context.js';
import { type CliError, refusal } from '../../errors/cli-error.js';
import { geofenceKind } from '../../find/kinds.js';
import { areaOf, type Flaw, isFlaw } from '../../geofences/area.js';
import { areaOfFeature } from '../../geofences/import-map.js';
import { type ReadFeature, readMap } from '../../geofences/read-map.js';
import { distance } from '../../parse/distance.js';
import { readInputText } from '../../prompt/read-text.js';

export interface GeofenceFlags extends ChangeFlags {
  readonly name?: string;
  readonly color?: string;
  readonly description?: string;
  readonly type?: string;
  readonly geojson?: string;
  /** Metres. */
  readonly radius?: number;
}

export function addGeofenceFlags(command: Command): void {
  command
    .option('--name <text>', 'its name')
    .option('--color <color>', 'its color on the map, such as #1F77B4', color)
    .option('--description <text>', 'its description')
    .option('--type <text>', 'its type, such as DEPOT')
    .option('--geojson <file>', 'its shape: a GeoJSON polygon, multipolygon, point, or feature of one (- for stdin)')
    .option('--radius <distance>', 'make points circles of this radius, such as 200m or 1.5km', distance);
}

function color(value: string): string {
  if (/^#[0-9a-f]{6}$/i.test(value) || /^[a-z]+$/i.test(value)) return value;
  throw new InvalidArgumentError('Write it as #1F77B4 (in quotes), or as a word.');
}

export function geofenceReference(typed: string | undefined): Reference {
  return { name: 'geofenceId', into: 'variables', resolve: idsOf(geofenceKind), typed, requiredAs: '<geofence>' };
}

/** The members that come from flags. The shape is read from its file. */
export async function geofenceMembers(run: Run, flags: GeofenceFlags): Promise<Readonly<Record<string, unknown>>> {
  const { name, color, description, type } = flags;
  const members = { name, color, description, type };
  const hasShape = flags.geojson !== undefined || ('from' in flags && flags.from !== undefined);
  if (flags.radius !== undefined && !hasShape && !flags.skeleton) {
    throw refusal('--radius needs a point to make a circle around.', {
      hint: 'Give the point with --geojson; `fleet geofences create --from` takes several.',
    });
  }
  if (flags.geojson === undefined || flags.skeleton) return members;
  const features = await readFeatures(run, flags.geojson);
  const [only] = features;
  if (features.length > 1 || only === undefined) {
    throw refusal(`The file has ${features.length} features, but a geofence needs exactly one.`, {
      hint: '`fleet geofences create --from <file>` creates a geofence from each.',
    });
  }
  return { ...members, geojson: shapeIn(only, flags.radius) };
}

function shapeIn(feature: ReadFeature, radius: number | undefined): unknown {
  if (radius === undefined) return feature.geometry;
  const area = areaOfFeature(feature, radius);
  if (isFlaw(area)) throw unusable('', area);
  return area;
}

export async function readFeatures(run: Run, file: string): Promise<readonly ReadFeature[]> {
  return readMap(await readInputText(run, file === '-' ? file : `@${file}`));
}

/** Checks and corrects the shape of an input, from a file or from --input. */
export function refineShape(input: Readonly<Record<string, unknown>>, where: string): Record<string, unknown> {
  const { geojson } = input;
  if (geojson === undefined || geojson === null) return { ...input };
  const area = areaOf(geojson);
  if (!isFlaw(area)) return { ...input, geojson: area };
  throw unusable(where, area);
}

function unusable(where: string, { problem, hint }: Flaw): CliError {
  return refusal(`${where}The shape cannot be used: ${problem}.`, { hint });
}
