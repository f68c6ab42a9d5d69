const customer = { eastKm: 4, northKm: 2 };
function region(city, [countryCode, country, timeZone, utcOffsetHours], [latitude, longitude], terrain) {
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
    ...terrain
  };
}
const regions = [
  region("Tartu", ["EE", "Estonia", "Europe/Tallinn", 2], [58.378, 26.729], { reachKm: 24, gridBearing: 38, altitudeM: 60 }),
  region("Vilnius", ["LT", "Lithuania", "Europe/Vilnius", 2], [54.687, 25.28], { reachKm: 26, gridBearing: 12, altitudeM: 130 }),
  region("Warsaw", ["PL", "Poland", "Europe/Warsaw", 1], [52.23, 21.011], { reachKm: 45, gridBearing: 20, altitudeM: 110 }),
  region("Berlin", ["DE", "Germany", "Europe/Berlin", 1], [52.517, 13.389], { reachKm: 45, gridBearing: 5, altitudeM: 45 }),
  region("Vienna", ["AT", "Austria", "Europe/Vienna", 1], [48.208, 16.373], { reachKm: 36, gridBearing: 47, altitudeM: 190 }),
  region("Madrid", ["ES", "Spain", "Europe/Madrid", 1], [40.417, -3.704], { reachKm: 45, gridBearing: 8, altitudeM: 650 })
];
export {
  regions
};
