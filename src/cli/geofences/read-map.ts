// Reads the features of a GeoJSON, KML or GPX file. The first characters tell which one it is.
import { unusableMap } from './unusable-map.js';

export interface ReadFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** @throws CliError USAGE for another format, or without features */
export async function readMap(text: string): Promise<readonly ReadFeature[]> {
  const content = text.replace(/^\uFEFF/, '').trimStart();
  if (content.startsWith('PK')) {
    throw unusableMap('it is a ZIP archive', 'A KMZ file holds a KML file: unpack it and give that one.');
  }
  const features = content.startsWith('<')
    ? featuresOf((await import('./read-xml.js')).readXml(content))
    : featuresOf(parseJson(content));
  if (features.length > 0) return features;
  throw unusableMap('it has no features', 'It needs at least one polygon, placemark or waypoint.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unusableMap('it is neither JSON nor XML', 'Give a GeoJSON, KML or GPX file.');
  }
}

/** Accepts a collection, a feature or a geometry. */
function featuresOf(value: unknown): readonly ReadFeature[] {
  if (!isObject(value))
    throw unusableMap('it is not a GeoJSON object', 'Give a FeatureCollection, a Feature or a geometry.');
  if (value.type === 'FeatureCollection')
    return Array.isArray(value.features) ? value.features.flatMap(featuresOf) : [];
  if (value.type !== 'Feature') return [{ geometry: value, properties: {} }];
  return [{ geometry: value.geometry, properties: isObject(value.properties) ? value.properties : {} }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
