import { hourMs, minuteMs } from "../core/durations.js";
import { hashText, mixHash, randomBetween } from "./hash.js";
import { driveAlong } from "./leg.js";
import { RoadNetwork } from "./road-network.js";
import { buildRoad } from "./roads.js";
import { distanceBetween, planRounds } from "./rounds.js";
import { buildShuttleLegs } from "./shuttle-tour.js";
import { createSites, depotCount } from "./sites.js";
import { traitsByKind } from "./vehicle-traits.js";
const zeroTotals = { metres: 0, fuelMl: 0, engineMs: 0, idleMs: 0 };
function addTotals(a, b, times = 1) {
  return {
    metres: a.metres + b.metres * times,
    fuelMl: a.fuelMl + b.fuelMl * times,
    engineMs: a.engineMs + b.engineMs * times,
    idleMs: a.idleMs + b.idleMs * times
  };
}
const workingTours = 6;
const weekendTour = workingTours;
const shuttleTour = weekendTour + 1;
const shuttleTours = 3;
const maxDwellFactor = 1.6;
const maxDayMs = 16.5 * hourMs;
const roadFactor = 1.35;
class TourLibrary {
  constructor(seed, onBuild) {
    this.seed = seed;
    this.onBuild = onBuild;
  }
  seed;
  onBuild;
  tours = /* @__PURE__ */ new Map();
  grounds = /* @__PURE__ */ new Map();
  get(region, kind, depotIndex, index) {
    const key = `${region.name}/${kind}/${depotIndex % depotCount}/${index}`;
    let tour = this.tours.get(key);
    if (tour === void 0) {
      const ground = this.grounds.get(region.name) ?? createGround(region, this.seed);
      this.grounds.set(region.name, ground);
      const hash = hashText(key, this.seed);
      const depot = ground.sites.depots[depotIndex % depotCount];
      if (depot === void 0) throw new Error("a region has no depot");
      tour = index >= shuttleTour ? buildShuttleTour(ground, depot, kind, hash) : buildTour(ground, kind, depot, index === weekendTour, hash);
      this.tours.set(key, tour);
      this.onBuild();
    }
    return tour;
  }
}
function createGround(region, seed) {
  const network = new RoadNetwork(region, seed);
  return { region, network, sites: createSites(region, network, seed) };
}
function buildTour(ground, kind, depot, isShort, hash) {
  const { region, network, sites } = ground;
  const traits = traitsByKind[kind];
  const longestM = traits.dayKm * 1e3 * (isShort ? 0.5 : randomBetween(hash, 1, 0.85, 1.1));
  const legs = [];
  const dwells = [];
  const loads = [];
  let position = depot;
  let spent = 0;
  let driven = 0;
  const drive = (to) => {
    const salt = mixHash(hash, 50 + legs.length);
    const leg = driveAlong(buildRoad(region, network, position, to, salt), traits, salt);
    legs.push(leg);
    spent += leg.durationMs;
    driven += leg.distanceM;
    position = to;
  };
  const park = () => {
    const dwell = Math.round(randomBetween(hash, 30 + dwells.length, ...traits.dwellMinutes)) * minuteMs;
    dwells.push(dwell);
    spent += dwell * maxDwellFactor;
  };
  for (const round of planRounds(region, sites, traits, depot, hash)) {
    const firstLeg = legs.length;
    for (const customer of round) {
      const wayM = roadFactor * (distanceBetween(position, customer) + distanceBetween(customer, depot));
      if (spent > maxDayMs - 3 * hourMs || legs.length > 0 && driven + wayM > longestM) continue;
      if (legs.length > dwells.length) park();
      drive(customer);
    }
    const visits = legs.length - firstLeg;
    if (visits === 0) continue;
    park();
    drive(depot);
    loads.push(...Array.from({ length: visits + 1 }, (_, i) => 1 - i / visits));
  }
  return createTour(legs, dwells, loads);
}
function buildShuttleTour({ region, network }, depot, kind, hash) {
  const { legs, dwells } = buildShuttleLegs(region, network, depot, traitsByKind[kind], hash);
  return createTour(
    legs,
    dwells,
    legs.map((_, i) => i % 2 === 0 ? 1 : 0.3)
  );
}
function createTour(legs, dwells, loads) {
  const before = [zeroTotals];
  let total = zeroTotals;
  for (const leg of legs) {
    total = addTotals(total, {
      metres: leg.distanceM,
      fuelMl: leg.fuelMl,
      engineMs: leg.durationMs,
      idleMs: leg.idleMs
    });
    before.push(total);
  }
  return { legs, dwells, loads, before, total };
}
export {
  TourLibrary,
  addTotals,
  maxDwellFactor,
  shuttleTour,
  shuttleTours,
  weekendTour,
  workingTours,
  zeroTotals
};
