// Reads the features of a GeoJSON, KML or GPX file; which of them it is, its first characters say.
import { CliError } from '../errors/cli-error.js';

export interface ReadFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** @throws CliError USAGE when it is none of them, or holds no feature. */
export async function readMap(text: string): Promise<readonly ReadFeature[]> {
  const whole = text.replace(/^\uFEFF/, '').trimStart();
  if (whole.startsWith('PK')) {
    throw refused('it is a ZIP archive', 'A KMZ file holds a KML file: unpack it and give that one.');
  }
  const features = whole.startsWith('<')
    ? featuresOf((await import('./read-xml.js')).readXml(whole))
    : featuresOf(parseJson(whole));
  if (features.length > 0) return features;
  throw refused('it holds no feature', 'It needs at least one polygon, placemark or waypoint.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('it is neither JSON nor XML', 'Give a GeoJSON, KML or GPX file.');
  }
}

/** Of a collection, a feature or a bare geometry. */
function featuresOf(value: unknown): readonly ReadFeature[] {
  if (!isObject(value)) throw refused('it is no GeoJSON object', 'Give a FeatureCollection, a Feature or a geometry.');
  if (value.type === 'FeatureCollection')
    return Array.isArray(value.features) ? value.features.flatMap(featuresOf) : [];
  if (value.type !== 'Feature') return [{ geometry: value, properties: {} }];
  return [{ geometry: value.geometry, properties: isObject(value.properties) ? value.properties : {} }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refused(why: string, hint: string, details: readonly string[] = []): CliError {
  return new CliError('USAGE', `The file cannot be used: ${why}. Nothing was sent.`, { hint, details });
}
