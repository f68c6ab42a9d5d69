import { seededRecord } from "./seeded-record.js";
const kmPerDegree = 111.195;
function offsetPosition(city, eastKm, northKm) {
  const longitude = city.longitude + eastKm / (kmPerDegree * Math.cos(city.latitude * Math.PI / 180));
  return [round(longitude), round(city.latitude + northKm / kmPerDegree)];
}
const round = (degrees) => Math.round(degrees * 1e6) / 1e6;
function circle(city, east, north, radiusKm) {
  const ring = [];
  for (let i = 0; i < 24; i += 1) {
    const angle = i / 24 * 2 * Math.PI;
    ring.push(offsetPosition(city, east + radiusKm * Math.cos(angle), north + radiusKm * Math.sin(angle)));
  }
  return ring.concat(ring.slice(0, 1));
}
function rectangle(city, east, north, halfKm) {
  const corner = (x, y) => offsetPosition(city, east + x * halfKm, north + y * halfKm);
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)];
}
const geofenceTypes = [
  {
    type: "DEPOT",
    title: "Depot",
    color: "#1F77B4",
    ring: (_, depot) => circle(depot, 0, 0, 0.4)
  },
  {
    type: "CUSTOMER",
    title: "Customer",
    color: "#2CA02C",
    ring: (city) => rectangle(city, city.customer.eastKm, city.customer.northKm, 0.8)
  },
  { type: "WORKSHOP", title: "Workshop", color: "#FF7F0E", ring: (city) => circle(city, -3, 5, 0.4) }
];
function buildGeofences(seed, fleetId, foundedAt, cities, depotPosition, groupIdOf) {
  return cities.flatMap(
    (city) => geofenceTypes.map(({ type, title, color, ring }, index) => {
      const owner = type === "CUSTOMER" ? groupIdOf("Deliveries") : type === "WORKSHOP" ? groupIdOf("Service") : null;
      return {
        ...seededRecord({ seed, fleetId }, "geofence", `${city.name}/${type}`, foundedAt),
        name: `${title} ${city.city}`,
        geojson: { type: "Polygon", coordinates: [ring(city, depotPosition(city))] },
        color,
        phone: "+3726000000",
        email: `${title}.${city.city}@example.com`.toLowerCase(),
        address: {
          country: city.country,
          countryCode: city.countryCode,
          region: city.name,
          city: city.city,
          postalCode: String(1e4 + index * 111),
          address: `${title} Street ${index + 1}, ${city.city}`
        },
        description: `${title} of the fleet in ${city.city}`,
        type,
        displayNameAsAddress: type === "DEPOT",
        groupIds: owner === null ? [] : [owner]
      };
    })
  );
}
export {
  buildGeofences,
  kmPerDegree
};
