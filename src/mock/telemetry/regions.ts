// The regions in which the fleets drive: inland cities with room for roads in every direction. `reachKm` keeps every route on land
// and inside the country.

/** A city and its country. */
export interface Region {
  readonly name: string;
  readonly timeZone: string;
  readonly country: string;
  readonly countryCode: string;
  readonly city: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What the roads and schedules need to know about a region. */
export interface Terrain extends Region {
  /** UTC offset of standard time in hours. All regions have the summer time of the European Union. */
  readonly utcOffsetHours: number;
  /** Maximum distance of a route from the centre. */
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

/** The regions that a vehicle can belong to. */
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
