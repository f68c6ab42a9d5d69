// View of geofences.
import { type GeoPosition, greatCircleKm } from '../../core/geo.js';
import type { Geofence } from '../../index.js';
import type { Position } from '../../telemetry/tracks/geometry.js';
import { paintSwatch, withSwatch } from '../io/colors.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { geofenceMap, geometryOf } from './map-views.js';

export const geofenceView: View<Geofence> = {
  columns: [
    { title: 'NAME', text: (geofence) => geofence.name ?? '', min: 10, rank: 0 },
    { title: 'TYPE', text: (geofence) => geofence.type ?? '', min: 8, rank: 1 },
    { title: 'CITY', text: ({ address }) => address?.city ?? '', min: 8, rank: 2 },
    { title: 'SHAPE', text: shapeText, rank: 3 },
    { title: 'COLOR', text: colorText, paint: paintColor, rank: 5 },
    { title: 'DESCRIPTION', text: (geofence) => geofence.description ?? '', min: 12, rank: 4 },
    { title: 'ID', text: (geofence) => geofence.id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (geofence) => geofence.name ?? '' },
    { title: 'Type', text: (geofence) => geofence.type ?? '' },
    { title: 'Description', text: (geofence) => geofence.description ?? '' },
    { title: 'Color', text: colorText, paint: paintColor },
    { title: 'Feature', text: shapeText },
    { title: 'Center', text: centerText },
    { title: 'Radius', text: radiusText },
    { title: 'Address', text: addressText },
    { title: 'Phone', text: (geofence) => geofence.phone ?? '' },
    { title: 'E-mail', text: (geofence) => geofence.email ?? '' },
    {
      title: 'Shown as address',
      text: ({ displayNameAsAddress }) => (displayNameAsAddress ? 'yes: the name is shown as the address' : ''),
    },
    { title: 'Id', text: (geofence) => geofence.id ?? '' },
    { title: 'Fleet id', text: (geofence) => geofence.fleetId ?? '' },
  ],
  fields: [
    'id',
    'name',
    'type',
    'description',
    'color',
    'phone',
    'email',
    'displayNameAsAddress',
    'address.address',
    'address.postalCode',
    'address.city',
    'address.region',
    'address.country',
    'address.countryCode',
    'geojson',
  ],
  map: geofenceMap,
};

function colorText({ color }: Geofence, { colorBits }: RenderOptions): string {
  return withSwatch(color ?? '', colorBits);
}

function paintColor(text: string, { color }: Geofence, { colorBits }: RenderOptions): string {
  return paintSwatch(text, color ?? '', colorBits);
}

function shapeText({ geojson }: Geofence): string {
  return summarizeShape(geojson);
}

/** Returns `polygon, 24 corners`; empty when the value is no geometry. */
export function summarizeShape(geojson: unknown): string {
  const geometry = geometryOf(geojson);
  if (geometry === null) return '';
  const name = geometry.type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const rings =
    geometry.type === 'Polygon'
      ? geometry.coordinates
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates.flat()
        : [];
  // The last position of a ring repeats the first.
  const corners = rings.reduce((sum, ring) => sum + ring.length - 1, 0);
  return corners === 0 ? name : `${name}, ${corners} corners`;
}

/** Returns `circle of 200 m around 58.38000, 26.72000` or `polygon, 24 corners, around …`. */
export function describeShape(geojson: unknown): string {
  const text = summarizeShape(geojson);
  if (text === '') return '';
  const radius = radiusText({ geojson });
  const center = centerText({ geojson });
  return `${radius === '' ? `${text},` : `circle of ${radius}`} around ${center}`;
}

/** Returns the center of the bounding box of a geofence; null when the value is no geometry. */
export function centerOf(geojson: unknown): GeoPosition | null {
  const geometry = geometryOf(geojson);
  const positions = geometry === null ? [] : positionsOf(geometry);
  if (positions.length === 0) return null;
  const middle = (of: (position: Position) => number) => {
    const values = positions.map(of);
    const least = values.reduce((a, b) => Math.min(a, b));
    return (least + values.reduce((a, b) => Math.max(a, b))) / 2;
  };
  return { latitude: middle(([, latitude = 0]) => latitude), longitude: middle(([longitude = 0]) => longitude) };
}

function centerText({ geojson }: { readonly geojson?: unknown }): string {
  const center = centerOf(geojson);
  return center === null ? '' : `${center.latitude.toFixed(5)}, ${center.longitude.toFixed(5)}`;
}

/** Number of corners of a circle made by `geofences create --radius`. */
const CORNERS_OF_CIRCLE = 64;
const CIRCLE_TOLERANCE_M = 0.1;

/** Returns the radius of a circle of `geofences create --radius`; empty for other polygons. */
function radiusText({ geojson }: { readonly geojson?: unknown }): string {
  const geometry = geometryOf(geojson);
  if (geometry?.type !== 'Polygon' || geometry.coordinates.length !== 1) return '';
  const corners = positionsOf(geometry).slice(1);
  // The first corner lies north of the centre, and the ring repeats it at its end.
  const [north, south] = [corners.at(-1), corners[CORNERS_OF_CIRCLE / 2 - 1]];
  if (corners.length !== CORNERS_OF_CIRCLE || north === undefined || south === undefined) return '';
  const center = { latitude: ((north[1] ?? 0) + (south[1] ?? 0)) / 2, longitude: north[0] ?? 0 };
  const distances = corners.map(
    ([longitude = 0, latitude = 0]) => 1_000 * greatCircleKm(center, { latitude, longitude }),
  );
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  return most - least > CIRCLE_TOLERANCE_M ? '' : `${Math.round(most)} m`;
}

function positionsOf(geometry: unknown): readonly Position[] {
  if (typeof geometry !== 'object' || geometry === null) return [];
  if (Array.isArray(geometry)) {
    // A list that begins with a number is a position.
    return typeof geometry[0] === 'number' ? [geometry as Position] : geometry.flatMap(positionsOf);
  }
  if ('geometries' in geometry) return positionsOf(geometry.geometries);
  return 'coordinates' in geometry ? positionsOf(geometry.coordinates) : [];
}

export function addressText({
  address,
}: {
  readonly address?: Partial<NonNullable<Geofence['address']>> | null;
}): string {
  if (!address) return '';
  const city = [address.postalCode, address.city].filter(Boolean).join(' ');
  return [address.address, city, address.region, address.country].filter(Boolean).join(', ');
}
