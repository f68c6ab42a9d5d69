// The features of a map as inputs of createGeofence: all of them, or none when one cannot be used.
import type { InputLine } from '../change/read-input.js';
import { type Area, areaOf, type Flaw, isFlaw } from './area.js';
import { circleAround } from './circle.js';
import { type ReadFeature, refused } from './read-map.js';

export interface ImportFlags {
  /** For the only feature. */
  readonly name?: string | undefined;
  /** The property that holds the name. */
  readonly nameField?: string | undefined;
  /** Metres: points become circles. */
  readonly radius?: number | undefined;
}

/** What the properties of a feature may call its name, the most usual first. */
const nameFields = ['name', 'Name', 'NAME', 'title', 'label'];
/** More are not told one by one. */
const mostTold = 10;

/** @throws CliError USAGE that names each feature which cannot be used, and why. */
export function inputsOf(features: readonly ReadFeature[], flags: ImportFlags): readonly InputLine[] {
  if (flags.name !== undefined && features.length > 1) {
    throw refused(
      `it holds ${features.length} features, and --name is for one`,
      'Leave out --name: each feature has its own.',
    );
  }
  const flaws: (Flaw & { readonly where: string })[] = [];
  const inputs = features.map((feature, place) => {
    const name = flags.name ?? nameOf(feature, flags.nameField);
    const where = `feature ${place + 1}${name === null ? '' : ` "${name}"`}`;
    const area = shapeOf(feature, flags.radius);
    if (isFlaw(area)) flaws.push({ ...area, where });
    else if (name === null) flaws.push({ ...withoutName(feature, flags.nameField), where });
    return { name, geojson: area, ...describedBy(feature) };
  });
  const [first] = flaws;
  if (!first) return inputs;
  const lines = flaws.map(({ where, problem }) => `${where}: ${problem}`);
  const told = lines.length > mostTold ? [...lines.slice(0, mostTold), `and ${lines.length - mostTold} more`] : lines;
  const why =
    features.length === 1
      ? first.problem
      : `${flaws.length} of its ${features.length} features cannot become geofences`;
  const hints = [...new Set(flaws.map(({ hint }) => hint))].slice(0, 3).join(' ');
  throw refused(why, hints, features.length === 1 ? [] : told);
}

function shapeOf({ geometry }: ReadFeature, radius: number | undefined): Area | Flaw {
  const point = pointOf(geometry);
  if (radius === undefined || point === null) return areaOf(geometry);
  const [longitude, latitude] = point;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    return { problem: 'its position is not on the globe', hint: 'A position is [longitude, latitude] in degrees.' };
  }
  return (
    circleAround(longitude, latitude, radius) ?? {
      problem: 'the circle would reach over a pole or the 180th meridian',
      hint: 'Give a smaller --radius, or draw the area as polygons.',
    }
  );
}

function pointOf(geometry: unknown): readonly [number, number] | null {
  if (typeof geometry !== 'object' || geometry === null || Reflect.get(geometry, 'type') !== 'Point') return null;
  const coordinates: unknown = Reflect.get(geometry, 'coordinates');
  const [longitude, latitude]: unknown[] = Array.isArray(coordinates) ? coordinates : [];
  return typeof longitude === 'number' && typeof latitude === 'number' ? [longitude, latitude] : null;
}

function nameOf({ properties }: ReadFeature, field: string | undefined): string | null {
  for (const candidate of field === undefined ? nameFields : [field]) {
    const value = properties[candidate];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

function withoutName({ properties }: ReadFeature, field: string | undefined): Flaw {
  const problem = field === undefined ? 'it has no name' : `it has no "${field}"`;
  const names = Object.keys(properties);
  return {
    problem,
    hint:
      names.length === 0
        ? 'Give --name when it is the only feature, or write a "name" into the properties of each.'
        : `Say with --name-field which property holds the name; there are ${names.slice(0, 12).join(', ')}.`,
  };
}

/** What a geofence has too, under the names that `fleet geofences list -o geojson` and KML give it. */
function describedBy({ properties }: ReadFeature): Readonly<Record<string, string>> {
  const text = (...names: readonly string[]) =>
    names.map((name) => properties[name]).find((value) => typeof value === 'string' && value !== '');
  const said = { description: text('description', 'desc'), color: text('color', 'fill', 'stroke'), type: text('type') };
  return Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
