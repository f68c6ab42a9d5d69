// How geofences are shown.
import type { Geofence } from '../../index.js';
import type { Position } from '../../telemetry/tracks/geometry.js';
import type { View } from '../output/view.js';
import { geofenceMap, geometryOf } from './map-views.js';

export const geofenceView: View<Geofence> = {
  columns: [
    { title: 'NAME', text: (geofence) => geofence.name ?? '', min: 10, rank: 0 },
    { title: 'TYPE', text: (geofence) => geofence.type ?? '', min: 8, rank: 1 },
    { title: 'CITY', text: ({ address }) => address?.city ?? '', min: 8, rank: 2 },
    { title: 'SHAPE', text: shapeText, rank: 3 },
    { title: 'COLOR', text: (geofence) => geofence.color ?? '', rank: 5 },
    { title: 'DESCRIPTION', text: (geofence) => geofence.description ?? '', min: 12, rank: 4 },
    { title: 'ID', text: (geofence) => geofence.id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  details: [
    { title: 'Name', text: (geofence) => geofence.name ?? '' },
    { title: 'Type', text: (geofence) => geofence.type ?? '' },
    { title: 'Description', text: (geofence) => geofence.description ?? '' },
    { title: 'Color', text: (geofence) => geofence.color ?? '' },
    { title: 'Feature', text: shapeText },
    { title: 'Center', text: centerText },
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

/** `polygon, 24 corners`. */
function shapeText({ geojson }: Geofence): string {
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

/** The center of the bounding box. */
function centerText({ geojson }: Geofence): string {
  const geometry = geometryOf(geojson);
  const positions = geometry === null ? [] : positionsOf(geometry);
  if (positions.length === 0) return '';
  const middle = (of: (position: Position) => number) => {
    const values = positions.map(of);
    const least = values.reduce((a, b) => Math.min(a, b));
    return (least + values.reduce((a, b) => Math.max(a, b))) / 2;
  };
  return `${middle(([, latitude = 0]) => latitude).toFixed(5)}, ${middle(([longitude = 0]) => longitude).toFixed(5)}`;
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

function addressText({ address }: Geofence): string {
  if (!address) return '';
  const city = [address.postalCode, address.city].filter(Boolean).join(' ');
  return [address.address, city, address.region, address.country].filter(Boolean).join(', ');
}
