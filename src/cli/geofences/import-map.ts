// Converts the features of a map to inputs of createGeofence: all, or none if one is invalid.
import { METRES_PER_DEGREE, positionAt } from '../../core/geo.js';
import { isObject } from '../../core/json.js';
import { firstOf } from '../errors/unusable.js';
import { type Area, areaOf, type Flaw, isFlaw } from './area.js';
import type { ReadFeature } from './read-map.js';
import { unusableMap } from './unusable-map.js';

interface ImportFlags {
  readonly nameField?: string | undefined;
  /** In metres; points become circles. */
  readonly radius?: number | undefined;
}

type GeofenceMembers = Readonly<Record<string, unknown>>;

/** Properties that may contain the name, most common first. */
const nameFields = ['name', 'Name', 'NAME', 'title', 'label'];

/** Returns the inputs. Throws CliError USAGE that lists the invalid features with reasons. */
export function inputsOf(features: readonly ReadFeature[], flags: ImportFlags): readonly GeofenceMembers[] {
  const flaws: (Flaw & { readonly where: string })[] = [];
  const inputs = features.map((feature, index) => {
    const name = nameOf(feature, flags.nameField);
    const where = `feature ${index + 1}${name === null ? '' : ` "${name}"`}`;
    const area = areaOfFeature(feature, flags.radius);
    if (isFlaw(area)) flaws.push({ ...area, where });
    else if (name === null) flaws.push({ ...withoutName(feature, flags.nameField), where });
    return { name, geojson: area, ...otherMembers(feature) };
  });
  const [first] = flaws;
  if (!first) return inputs;
  const lines = flaws.map(({ where, problem }) => `${where}: ${problem}`);
  const reason =
    features.length === 1
      ? first.problem
      : `${flaws.length} of its ${features.length} features cannot become geofences`;
  const hints = [...new Set(flaws.map(({ hint }) => hint))].slice(0, 3).join(' ');
  throw unusableMap(reason, hints, features.length === 1 ? [] : firstOf(lines));
}

export function areaOfFeature({ geometry, properties }: ReadFeature, radius: number | undefined): Area | Flaw {
  // Set by the KML reader.
  if (properties['@geometry-type'] === 'networklink') {
    return { problem: 'it is a link to another file', hint: 'Give that file, or remove the NetworkLink.' };
  }
  const point = pointOf(geometry);
  if (radius === undefined || point === null) return areaOf(geometry);
  const [longitude, latitude] = point;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) {
    return { problem: 'its position is out of range', hint: 'A position is [longitude, latitude] in degrees.' };
  }
  return (
    circleAround(longitude, latitude, radius) ?? {
      problem: 'the circle would reach over a pole or the 180th meridian',
      hint: 'Give a smaller --radius, or draw the area as polygons.',
    }
  );
}

function pointOf(geometry: unknown): readonly [number, number] | null {
  if (!isObject(geometry) || geometry.type !== 'Point') return null;
  const { coordinates } = geometry;
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
        ? 'Give --name when it is the only feature, or add a "name" property to each feature.'
        : `Give the property with the name as --name-field; the properties are ${names.slice(0, 12).join(', ')}.`,
  };
}

/** Returns other members, named as in `fleet geofences list -o geojson` and KML. */
function otherMembers({ properties }: ReadFeature): Readonly<Record<string, unknown>> {
  const text = (...names: readonly string[]) =>
    names.map((name) => textIn(properties[name])).find((value) => value !== null);
  const address = Object.fromEntries(
    addressMembers.flatMap((member) => {
      const value = text(`address.${member}`) ?? textIn(memberOf(properties.address, member));
      return value === null ? [] : [[member, value]];
    }),
  );
  const plainAddress = textIn(properties.address);
  const members = {
    // The description is an object when the KML has it in CDATA.
    description: text('description', 'desc') ?? textIn(memberOf(properties.description, 'value')) ?? undefined,
    color: text('color', 'fill', 'stroke'),
    type: text('type'),
    phone: text('phone', 'phoneNumber'),
    email: text('email'),
    displayNameAsAddress: flagIn(properties.displayNameAsAddress),
    address: Object.keys(address).length > 0 ? address : plainAddress === null ? undefined : { address: plainAddress },
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const addressMembers = ['address', 'postalCode', 'city', 'region', 'country', 'countryCode'];

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Accepts numbers, such as a postal code or a phone number. */
function textIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** KML has only texts. */
function flagIn(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

const CORNERS = 64;

/** Returns a closed counter-clockwise ring; null across a pole or the 180th meridian. */
export function circleAround(longitude: number, latitude: number, radiusMetres: number): Area | null {
  const ring = Array.from({ length: CORNERS }, (_, index) => {
    const corner = positionAt({ latitude, longitude }, radiusMetres, -(index / CORNERS) * 360);
    return [roundDegrees(corner.longitude), roundDegrees(corner.latitude)];
  });
  const crossesPole = Math.abs(latitude) + radiusMetres / METRES_PER_DEGREE > 90;
  const crossesEdge = ring.some(([x = 0]) => Math.abs(x) > 180);
  return crossesPole || crossesEdge ? null : { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] };
}

/** Rounds to about one centimetre. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
