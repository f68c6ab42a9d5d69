// Reads the features of a GeoJSON, KML or GPX file, detected by its first characters.
import { isObject } from '../../core/json.js';
import { isTooDeep, MAX_LEVELS } from '../parse/nesting.js';
import { unusableMap } from './unusable-map.js';

export interface ReadFeature {
  /** Id of the feature, else its property `id`. */
  readonly id: string | null;
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Reads the features. Throws CliError USAGE for another format or an empty map. */
export async function readMap(text: string): Promise<readonly ReadFeature[]> {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  const value = content.startsWith('<') ? (await import('./read-xml.js')).readXml(content) : parseJson(content);
  if (isTooDeep(value)) {
    throw unusableMap(`it is nested deeper than ${MAX_LEVELS} levels`, 'Give a FeatureCollection of plain features.');
  }
  const features = featuresOf(value);
  if (features.length > 0) return features;
  throw unusableMap('it has no features', 'It needs at least one polygon, placemark or waypoint.');
}

/** True for a map, and not a table or list of inputs. An unknown format counts as a map. */
export function looksLikeMap(text: string): boolean {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (!/^[[{]/.test(content)) return true;
  if (content.startsWith('[')) return false;
  try {
    const value: unknown = JSON.parse(content);
    // An input has no geometry type; its `type` is a word such as DEPOT.
    return isObject(value) && (mapTypes.has(String(value.type)) || !('name' in value || 'geojson' in value));
  } catch {
    // One object per line.
    return !/^\{.*\}\s*$/m.test(content.split('\n', 1)[0] ?? '');
  }
}

const mapTypes = new Set([
  ...['FeatureCollection', 'Feature', 'GeometryCollection', 'Polygon', 'MultiPolygon'],
  ...['LineString', 'MultiLineString', 'Point', 'MultiPoint'],
]);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusableMap('it is neither JSON nor XML', 'Give a GeoJSON, KML or GPX file.');
  }
}

function featuresOf(value: unknown): readonly ReadFeature[] {
  if (!isObject(value))
    throw unusableMap('it is not a GeoJSON object', 'Give a FeatureCollection, a Feature or a geometry.');
  if (value.type === 'FeatureCollection')
    return Array.isArray(value.features) ? value.features.flatMap(featuresOf) : [];
  if (value.type !== 'Feature') return [{ id: null, geometry: value, properties: {} }];
  const properties = isObject(value.properties) ? value.properties : {};
  const id = [value.id, properties.id].find((one) => typeof one === 'string' && one !== '');
  return [{ id: typeof id === 'string' ? id : null, geometry: value.geometry, properties }];
}
