// Flags of the commands that create and change geofences, with the reading and checking of shapes.
import { type Command, InvalidArgumentError } from 'commander';
import type { ReportingRun } from '../../context/context.js';
import { type CliError, refusal } from '../../errors/cli-error.js';
import { areaOf, type Flaw, isFlaw } from '../../geofences/area.js';
import { areaOfFeature } from '../../geofences/import-map.js';
import { type ReadFeature, readMap } from '../../geofences/read-map.js';
import { zippedMap } from '../../geofences/unusable-map.js';
import { readContent } from '../../input/load-input.js';
import { distance } from '../../parse/distance.js';
import { type ParsedPosition, parsePosition } from '../../parse/position.js';
import type { ChangeFlags } from '../../plan/flags.js';
import type { Members } from '../../records/differences.js';

export interface GeofenceFlags extends ChangeFlags {
  readonly name?: string;
  readonly color?: string;
  readonly description?: string;
  readonly type?: string;
  readonly geojson?: string;
  readonly at?: string;
  /** In metres. */
  readonly radius?: number;
}

export function addGeofenceFlags(command: Command): void {
  command
    .option('--name <text>', 'its name')
    .option('--color <color>', 'its color on the map, such as #1F77B4', color)
    .option('--description <text>', 'its description')
    .option('--type <text>', 'its type, such as DEPOT')
    .option('--geojson <file>', 'its shape: a GeoJSON polygon, multipolygon, point, or feature of one (- for stdin)')
    .option('--at <position>', 'its centre, such as 58.38,26.72 (latitude first): a circle of --radius')
    .option('--radius <distance>', 'make points circles of this radius, such as 200m or 1.5km', distance);
}

function color(value: string): string {
  if (/^#[0-9a-f]{6}$/i.test(value) || /^[a-z]+$/i.test(value)) return value;
  throw new InvalidArgumentError('Write it as #1F77B4 (in quotes), or as a word.');
}

export async function geofenceMembers(
  run: ReportingRun,
  flags: GeofenceFlags,
): Promise<Readonly<Record<string, unknown>>> {
  const { name, color, description, type } = flags;
  const members = { name, color, description, type };
  const circle = circleAt(flags);
  if (circle !== undefined) return { ...members, geojson: circle };
  const hasShape = flags.geojson !== undefined || flags.input !== undefined;
  if (flags.radius !== undefined && !hasShape) {
    throw refusal('--radius needs a point to make a circle around.', {
      hint: 'Give the point with --at or --geojson; `fleet geofences import` takes several.',
    });
  }
  if (flags.geojson === undefined) return members;
  const features = await readFeatures(run, flags.geojson);
  const [only] = features;
  if (features.length > 1 || only === undefined) {
    throw refusal(`The file has ${features.length} features, but a geofence needs exactly one.`, {
      hint: '`fleet geofences import <file>` creates a geofence from each.',
    });
  }
  return { ...members, geojson: shapeIn(only, flags.radius) };
}

/** Returns the circle of --at and --radius; undefined without --at. */
function circleAt({ at, radius, geojson }: GeofenceFlags): unknown {
  if (at === undefined) return undefined;
  if (geojson !== undefined) throw refusal('--at and --geojson both give a shape.', { hint: 'Leave out one of them.' });
  const position = parsePosition(at);
  if (position === null) {
    throw refusal(`--at "${at}" is not a position.`, { hint: 'Write latitude and longitude, such as 58.38,26.72.' });
  }
  if (radius === undefined) throw refusal('--at needs --radius.', { hint: 'For example --radius 200m.' });
  return shapeIn(pointAt(position), radius);
}

function shapeIn(feature: ReadFeature, radius: number | undefined): unknown {
  if (radius === undefined) return feature.geometry;
  const area = areaOfFeature(feature, radius);
  if (isFlaw(area)) throw unusable('', area);
  return area;
}

async function readFeatures(run: ReportingRun, file: string): Promise<readonly ReadFeature[]> {
  const content = await readContent(run, file, undefined);
  if ('workbook' in content) throw zippedMap();
  return readMap(content.text);
}

/** Members that an input may have instead of a shape. */
export const circleMembers = {
  more: [
    { name: 'latitude', type: 'Float' },
    { name: 'longitude', type: 'Float' },
    { name: 'radius', type: 'String', unit: 'm' },
  ],
} as const;

/** Members of a circle and the table columns for them. */
export const circleColumns = {
  ...circleMembers,
  columns: { lat: 'latitude', lon: 'longitude', lng: 'longitude', long: 'longitude' },
} as const;

/** Replaces latitude, longitude and radius by a circle. `fallback`: default radius in metres. */
export function circleIn(members: Members, fallback: number | undefined, where: string): Members {
  const { latitude, longitude, radius, ...others } = members;
  if (latitude === undefined && longitude === undefined && radius === undefined) return members;
  const wrong = (problem: string, hint: string) => refusal(`${where}${problem}`, { hint });
  if (others.geojson !== undefined) {
    throw wrong('It has both geojson and a centre.', 'Leave out one of them.');
  }
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    throw wrong('A circle needs latitude and longitude, in degrees.', 'Such as 58.38 and 26.72.');
  }
  const metres = radius === undefined || radius === null ? fallback : metresOf(radius, where);
  if (metres === undefined)
    throw wrong('The radius is missing.', 'Give it as "radius", such as 200m, or with --radius 200m.');
  const area = areaOfFeature(pointAt({ latitude, longitude }), metres);
  if (isFlaw(area)) throw unusable(where, area);
  return { ...others, geojson: area };
}

function metresOf(radius: unknown, where: string): number {
  try {
    return distance(String(radius).replace(/^(\d+),(\d+)/, '$1.$2'));
  } catch {
    throw refusal(`${where}radius is not a distance.`, {
      hint: 'Write it as 200m or 1.5km; a number alone is metres.',
    });
  }
}

function pointAt({ latitude, longitude }: ParsedPosition): ReadFeature {
  return { id: null, geometry: { type: 'Point', coordinates: [longitude, latitude] }, properties: {} };
}

/** Checks and corrects the shape of an input. */
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
