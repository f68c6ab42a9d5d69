// The depots and customers of a region, shared by its vehicles and close to the main roads.
import { hashText, randomBetween } from './hash.js';
import type { Region } from './regions.js';
import type { NetworkPoint, RoadNetwork } from './road-network.js';
import type { Site } from './roads.js';

export const depotCount = 2;
const customerCount = 28;
/** Limits of a site's distance from the main road, in metres. */
const nearestM = 180;
const farthestM = 1100;

export interface Sites {
  readonly depots: readonly Site[];
  readonly customers: readonly Site[];
}

export function createSites(region: Region, network: RoadNetwork, seed: number): Sites {
  const hash = hashText(region.name, seed);
  const at = (salt: number, low: number, high: number): Site => {
    const angle = randomBetween(hash, salt, 0, 2 * Math.PI);
    const distance = randomBetween(hash, salt + 1, low, high) * region.reachKm * 1000;
    return siteNear(network, { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance });
  };
  const named: NetworkPoint = { x: region.customer.eastKm * 1000, y: region.customer.northKm * 1000 };
  return {
    depots: Array.from({ length: depotCount }, (_, i) => at(10 + i * 2, 0.15, 0.3)),
    customers: [
      { ...named, access: network.nearestTo(named) },
      ...Array.from({ length: customerCount - 1 }, (_, i) => {
        const share = (i + 1) / customerCount;
        return at(102 + i * 2, 0.06 + 0.8 * share, 0.1 + 0.85 * share);
      }),
    ],
  };
}

/** Moves a place towards the nearest main road until it is close. */
function siteNear(network: RoadNetwork, place: NetworkPoint): Site {
  const access = network.nearestTo(place);
  const road = network.pointOf(access);
  const [dx, dy] = [place.x - road.x, place.y - road.y];
  const distance = Math.hypot(dx, dy);
  const siteDistance = Math.min(farthestM, Math.max(nearestM, distance * 0.4));
  return { x: road.x + (dx / distance) * siteDistance, y: road.y + (dy / distance) * siteDistance, access };
}
