/**
 * Where the fleet drives: inland cities with room for roads in every direction. `reachKm` keeps every route on land (the
 * nearest large lake or the next country is farther away than that).
 */

/** A city and the country around it. */
export interface Region {
  readonly name: string;
  readonly timeZone: string;
  readonly country: string;
  readonly countryCode: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What the road builder knows of a region beyond its address. */
export interface Terrain extends Region {
  /** Standard time's offset from UTC in hours; all regions change to summer time by the rule of the European Union. */
  readonly utcOffsetHours: number;
  /** Farthest a route goes from the centre. */
  readonly reachKm: number;
  /** Bearing of the main street grid in degrees. */
  readonly gridBearing: number;
  readonly altitudeM: number;
}

export const terrains: readonly Terrain[] = [
  {
    name: 'Tartu',
    timeZone: 'Europe/Tallinn',
    country: 'Estonia',
    countryCode: 'EE',
    city: 'Tartu',
    latitude: 58.378,
    longitude: 26.729,
    utcOffsetHours: 2,
    reachKm: 24,
    gridBearing: 38,
    altitudeM: 60,
  },
  {
    name: 'Vilnius',
    timeZone: 'Europe/Vilnius',
    country: 'Lithuania',
    countryCode: 'LT',
    city: 'Vilnius',
    latitude: 54.687,
    longitude: 25.28,
    utcOffsetHours: 2,
    reachKm: 26,
    gridBearing: 12,
    altitudeM: 130,
  },
  {
    name: 'Warsaw',
    timeZone: 'Europe/Warsaw',
    country: 'Poland',
    countryCode: 'PL',
    city: 'Warsaw',
    latitude: 52.23,
    longitude: 21.011,
    utcOffsetHours: 1,
    reachKm: 45,
    gridBearing: 20,
    altitudeM: 110,
  },
  {
    name: 'Berlin',
    timeZone: 'Europe/Berlin',
    country: 'Germany',
    countryCode: 'DE',
    city: 'Berlin',
    latitude: 52.517,
    longitude: 13.389,
    utcOffsetHours: 1,
    reachKm: 45,
    gridBearing: 5,
    altitudeM: 45,
  },
  {
    name: 'Vienna',
    timeZone: 'Europe/Vienna',
    country: 'Austria',
    countryCode: 'AT',
    city: 'Vienna',
    latitude: 48.208,
    longitude: 16.373,
    utcOffsetHours: 1,
    reachKm: 36,
    gridBearing: 47,
    altitudeM: 190,
  },
  {
    name: 'Madrid',
    timeZone: 'Europe/Madrid',
    country: 'Spain',
    countryCode: 'ES',
    city: 'Madrid',
    latitude: 40.417,
    longitude: -3.704,
    utcOffsetHours: 1,
    reachKm: 45,
    gridBearing: 8,
    altitudeM: 650,
  },
];

/** The regions a vehicle can belong to, for whoever makes the vehicles. */
export const regions: readonly Region[] = terrains.map(
  ({ name, timeZone, country, countryCode, city, latitude, longitude }) => ({
    name,
    timeZone,
    country,
    countryCode,
    city,
    latitude,
    longitude,
  }),
);
