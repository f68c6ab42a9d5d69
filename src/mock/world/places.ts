// The seeded geofences: a depot, a customer and a workshop around each city that the fleet drives in.
import type { GeofenceRecord } from '../store/records.js';
import { uuidOf } from './random.js';

/** What a geofence must know of the city it is in. */
export interface Place {
  readonly name: string;
  readonly country: string;
  readonly countryCode: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A position on the map. */
export type Point = Pick<Place, 'latitude' | 'longitude'>;

type Position = readonly [longitude: number, latitude: number];

const kmPerDegree = 111.195;

function shifted(place: Point, eastKm: number, northKm: number): Position {
  const longitude = place.longitude + eastKm / (kmPerDegree * Math.cos((place.latitude * Math.PI) / 180));
  return [round(longitude), round(place.latitude + northKm / kmPerDegree)];
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** A closed ring around a point, counter-clockwise as RFC 7946 wants it. */
function circle(place: Point, east: number, north: number, radiusKm: number): Position[] {
  const ring: Position[] = [];
  for (let i = 0; i < 24; i += 1) {
    const angle = (i / 24) * 2 * Math.PI;
    ring.push(shifted(place, east + radiusKm * Math.cos(angle), north + radiusKm * Math.sin(angle)));
  }
  return ring.concat(ring.slice(0, 1));
}

function rectangle(place: Point, east: number, north: number, halfKm: number): Position[] {
  const corner = (x: number, y: number): Position => shifted(place, east + x * halfKm, north + y * halfKm);
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}

const kinds = [
  { type: 'DEPOT', title: 'Depot', color: '#1F77B4', ring: (_: Point, depot: Point) => circle(depot, 0, 0, 0.4) },
  { type: 'CUSTOMER', title: 'Customer', color: '#2CA02C', ring: (city: Point) => rectangle(city, 4, 2, 0.8) },
  { type: 'WORKSHOP', title: 'Workshop', color: '#FF7F0E', ring: (city: Point) => circle(city, -3, 5, 0.4) },
];

export function buildGeofences(
  seed: number,
  fleetId: string,
  founded: number,
  places: readonly Place[],
  /** Where the fleet's vehicles park in a place. */
  depotIn: (place: Place) => Point,
  groupIdOf: (name: string) => string | null,
): GeofenceRecord[] {
  return places.flatMap((place) =>
    kinds.map(({ type, title, color, ring }, kind) => {
      const owner = type === 'CUSTOMER' ? groupIdOf('Deliveries') : type === 'WORKSHOP' ? groupIdOf('Service') : null;
      return {
        id: uuidOf(`${seed}/${fleetId}/geofence/${place.name}/${type}`),
        version: 1,
        createdAt: founded,
        updatedAt: founded,
        fleetId,
        name: `${title} ${place.city}`,
        geojson: { type: 'Polygon', coordinates: [ring(place, depotIn(place))] },
        color,
        phone: '+3726000000',
        email: `${title}.${place.city}@example.com`.toLowerCase(),
        address: {
          country: place.country,
          countryCode: place.countryCode,
          region: place.name,
          city: place.city,
          postalCode: String(10000 + kind * 111),
          address: `${title} Street ${kind + 1}, ${place.city}`,
        },
        description: `${title} of the fleet in ${place.city}`,
        type,
        displayNameAsAddress: type === 'DEPOT',
        groupIds: owner === null ? [] : [owner],
      };
    }),
  );
}
