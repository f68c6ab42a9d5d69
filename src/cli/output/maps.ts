// The map formats: snapshots become tracks, other rows features with their fields as properties.

import { geoJsonOf } from '../../telemetry/tracks/geojson.js';
import { gpxOf } from '../../telemetry/tracks/gpx.js';
import { kmlOf } from '../../telemetry/tracks/kml.js';
import type { Items, MapFeature, MapItem } from '../../telemetry/tracks/map-item.js';
import type { Fix } from '../../telemetry/tracks/position-fix.js';
import { defaultSegmentRules, segmentsOf } from '../../telemetry/tracks/segments.js';
import { CliError } from '../errors/cli-error.js';
import { escapeControls } from '../io/plain-text.js';
import { valueAt } from './field-path.js';
import type { Format } from './format.js';
import { isTerminal, type RenderOptions } from './render-options.js';
import type { MapFormat, View } from './view.js';

type Write = (items: Items<MapItem>) => AsyncIterable<string>;

function mapFormat(
  name: MapFormat,
  write: Write,
  escapeText: (text: string, options: RenderOptions) => string,
): Format {
  async function* rows<Row>(source: Items<Row>, view: View<Row>, options: RenderOptions): AsyncGenerator<string, void> {
    const skipped = { count: 0 };
    // A track without a name is named after the id of its vehicle.
    const names = new Map<string | null, string | null>();
    const trackRules = { ...defaultSegmentRules, nameOf: (vehicleId: string | null) => names.get(vehicleId) ?? null };
    const features = featuresOf(source, view, skipped, names);
    for await (const text of write(segmentsOf(features, trackRules))) yield escapeText(text, options);
    // Most tracks have rows without a position, so only a person at a terminal sees the number.
    if (view.map?.isTrack === true && !isTerminal(options)) return;
    if (skipped.count === 1) options.note('1 row has no usable position and is left out.');
    else if (skipped.count > 1) options.note(`${skipped.count} rows have no usable position and are left out.`);
  }
  return { rows, record: (record, view, options) => rows([record], view, options) };

  async function* featuresOf<Row>(
    source: Items<Row>,
    view: View<Row>,
    skipped: { count: number },
    names: Map<string | null, string | null>,
  ): AsyncGenerator<Fix | MapFeature, void> {
    const { map } = view;
    if (!map) throw new CliError('USAGE', `This command cannot print ${name}.`, { hint: 'Leave out -o.' });
    for await (const row of source) {
      const track = map.trackOf?.(row);
      if (track) names.set(track.vehicleId, track.name);
      const feature = map.featureOf(row);
      if (feature === null) skipped.count++;
      else if ('geometry' in feature) {
        yield { kind: 'feature', ...feature, properties: propertiesOf(row, view.fields, [...map.position, 'name']) };
      } else yield feature;
    }
  }
}

function propertiesOf(
  row: unknown,
  fields: readonly string[],
  excluded: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.filter((field) => !excluded.includes(field)).map((field) => [field, valueAt(row, field)]),
  );
}

function escapeJson(text: string, options: RenderOptions): string {
  // The only line breaks are those between features.
  if (isTerminal(options)) return text.split('\n').map(escapeControls).join('\n');
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}

export const geojson = mapFormat('geojson', geoJsonOf, escapeJson);
// In XML, control characters are already written as character references.
export const gpx = mapFormat('gpx', gpxOf, (text) => text);
export const kml = mapFormat('kml', kmlOf, (text) => text);
