// The regions of the fleets: inland cities with room for roads in every direction.

/** A city, its country, and the parameters of its roads and working days. */
export interface Region {
  readonly name: string;
  readonly city: string;
  readonly countryCode: string;
  readonly country: string;
  readonly timeZone: string;
  /** UTC offset of standard time in hours. All regions use the European Union's summer time. */
  readonly utcOffsetHours: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Maximum distance of routes from the centre, so that they stay on land and in the country. */
  readonly reachKm: number;
  /** Bearing of the main street grid in degrees. */
  readonly gridBearing: number;
  readonly altitudeM: number;
  /** Site of the customer with a geofence, in kilometres from the centre. */
  readonly customer: { readonly eastKm: number; readonly northKm: number };
}

const customer = { eastKm: 4, northKm: 2 };

function region(
  city: string,
  [countryCode, country, timeZone, utcOffsetHours]: readonly [string, string, string, number],
  [latitude, longitude]: readonly [number, number],
  terrain: Pick<Region, 'reachKm' | 'gridBearing' | 'altitudeM'>,
): Region {
  return {
    name: city,
    city,
    countryCode,
    country,
    timeZone,
    utcOffsetHours,
    latitude,
    longitude,
    customer,
    ...terrain,
  };
}

// biome-ignore format: a table reads best in rows
export const regions: readonly Region[] = [
  region('Tartu', ['EE', 'Estonia', 'Europe/Tallinn', 2], [58.378, 26.729], { reachKm: 24, gridBearing: 38, altitudeM: 60 }),
  region('Vilnius', ['LT', 'Lithuania', 'Europe/Vilnius', 2], [54.687, 25.28], { reachKm: 26, gridBearing: 12, altitudeM: 130 }),
  region('Warsaw', ['PL', 'Poland', 'Europe/Warsaw', 1], [52.23, 21.011], { reachKm: 45, gridBearing: 20, altitudeM: 110 }),
  region('Berlin', ['DE', 'Germany', 'Europe/Berlin', 1], [52.517, 13.389], { reachKm: 45, gridBearing: 5, altitudeM: 45 }),
  region('Vienna', ['AT', 'Austria', 'Europe/Vienna', 1], [48.208, 16.373], { reachKm: 36, gridBearing: 47, altitudeM: 190 }),
  region('Madrid', ['ES', 'Spain', 'Europe/Madrid', 1], [40.417, -3.704], { reachKm: 45, gridBearing: 8, altitudeM: 650 }),
];
