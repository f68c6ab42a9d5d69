// Builds the geofences of a fleet: a depot, a customer and a workshop in each city.
import type { GeofenceRecord } from '../store/tables.js';
import { seededRecord } from './seeded-record.js';

export interface City {
  readonly name: string;
  readonly country: string;
  readonly countryCode: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Position of the fleet's customer, from the city's centre. */
  readonly customer: { readonly eastKm: number; readonly northKm: number };
}

export type Coordinates = Pick<City, 'latitude' | 'longitude'>;

type Position = readonly [longitude: number, latitude: number];

export const kmPerDegree = 111.195;

function offsetPosition(city: Coordinates, eastKm: number, northKm: number): Position {
  const longitude = city.longitude + eastKm / (kmPerDegree * Math.cos((city.latitude * Math.PI) / 180));
  return [round(longitude), round(city.latitude + northKm / kmPerDegree)];
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Returns a closed ring around a point, counter-clockwise as RFC 7946 requires. */
function circle(city: Coordinates, east: number, north: number, radiusKm: number): Position[] {
  const ring: Position[] = [];
  for (let i = 0; i < 24; i += 1) {
    const angle = (i / 24) * 2 * Math.PI;
    ring.push(offsetPosition(city, east + radiusKm * Math.cos(angle), north + radiusKm * Math.sin(angle)));
  }
  return ring.concat(ring.slice(0, 1));
}

function rectangle(city: Coordinates, east: number, north: number, halfKm: number): Position[] {
  const corner = (x: number, y: number): Position => offsetPosition(city, east + x * halfKm, north + y * halfKm);
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}

const geofenceTypes = [
  {
    type: 'DEPOT',
    title: 'Depot',
    color: '#1F77B4',
    ring: (_: City, depot: Coordinates) => circle(depot, 0, 0, 0.4),
  },
  {
    type: 'CUSTOMER',
    title: 'Customer',
    color: '#2CA02C',
    ring: (city: City) => rectangle(city, city.customer.eastKm, city.customer.northKm, 0.8),
  },
  { type: 'WORKSHOP', title: 'Workshop', color: '#FF7F0E', ring: (city: City) => circle(city, -3, 5, 0.4) },
];

export function buildGeofences(
  seed: number,
  fleetId: string,
  foundedAt: number,
  cities: readonly City[],
  /** Parking place of the fleet's vehicles in a city. */
  depotPosition: (city: City) => Coordinates,
  groupIdOf: (name: string) => string | null,
): GeofenceRecord[] {
  return cities.flatMap((city) =>
    geofenceTypes.map(({ type, title, color, ring }, index) => {
      const owner = type === 'CUSTOMER' ? groupIdOf('Deliveries') : type === 'WORKSHOP' ? groupIdOf('Service') : null;
      return {
        ...seededRecord({ seed, fleetId }, 'geofence', `${city.name}/${type}`, foundedAt),
        name: `${title} ${city.city}`,
        geojson: { type: 'Polygon', coordinates: [ring(city, depotPosition(city))] },
        color,
        phone: '+3726000000',
        email: `${title}.${city.city}@example.com`.toLowerCase(),
        address: {
          country: city.country,
          countryCode: city.countryCode,
          region: city.name,
          city: city.city,
          postalCode: String(10000 + index * 111),
          address: `${title} Street ${index + 1}, ${city.city}`,
        },
        description: `${title} of the fleet in ${city.city}`,
        type,
        displayNameAsAddress: type === 'DEPOT',
        groupIds: owner === null ? [] : [owner],
      };
    }),
  );
}
