import { hashText, randomBetween } from "./hash.js";
const depotCount = 2;
const customerCount = 28;
const nearestM = 180;
const farthestM = 1100;
function createSites(region, network, seed) {
  const hash = hashText(region.name, seed);
  const at = (salt, low, high) => {
    const angle = randomBetween(hash, salt, 0, 2 * Math.PI);
    const distance = randomBetween(hash, salt + 1, low, high) * region.reachKm * 1e3;
    return besideRoad(network, { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance });
  };
  const named = { x: region.customer.eastKm * 1e3, y: region.customer.northKm * 1e3 };
  return {
    depots: Array.from({ length: depotCount }, (_, i) => at(10 + i * 2, 0.15, 0.3)),
    customers: [
      { ...named, access: network.nearestTo(named) },
      ...Array.from({ length: customerCount - 1 }, (_, i) => {
        const share = (i + 1) / customerCount;
        return at(102 + i * 2, 0.06 + 0.8 * share, 0.1 + 0.85 * share);
      })
    ]
  };
}
function besideRoad(network, place) {
  const access = network.nearestTo(place);
  const road = network.pointOf(access);
  const [dx, dy] = [place.x - road.x, place.y - road.y];
  const distance = Math.hypot(dx, dy);
  const wanted = Math.min(farthestM, Math.max(nearestM, distance * 0.4));
  return { x: road.x + dx / distance * wanted, y: road.y + dy / distance * wanted, access };
}
export {
  createSites,
  depotCount
};
