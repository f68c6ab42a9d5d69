// GeoJSON, GPX and KML of whatever has a position: snapshots become tracks, everything else points, lines or areas with the
// fields of its view as properties.
import type { Fix } from '../../telemetry/tracks/fix.js';
import { geoJsonOf } from '../../telemetry/tracks/geojson.js';
import { gpxOf } from '../../telemetry/tracks/gpx.js';
import { kmlOf } from '../../telemetry/tracks/kml.js';
import type { Items, MapFeature, MapItem } from '../../telemetry/tracks/map-item.js';
import { segmentsOf } from '../../telemetry/tracks/segments.js';
import { CliError } from '../errors/cli-error.js';
import { valueAt } from './field-path.js';
import { type Format, isTerminal, type Look, type MapFormat, type View } from './format.js';
import { escapeControls } from './plain-text.js';

/** As the SDK has them; a track's name is its vehicle's id. */
const rules = { gapMs: 1_800_000, splitAtIgnitionOff: true, lateMs: 60_000, nameOf: () => null };

type Write = (items: Items<MapItem>) => AsyncIterable<string>;

function formatOf(name: MapFormat, write: Write, safe: (text: string, look: Look) => string): Format {
  async function* rows<Row>(source: Items<Row>, view: View<Row>, look: Look): AsyncGenerator<string, void> {
    const left = { count: 0 };
    for await (const text of write(segmentsOf(placesOf(source, view, left), rules))) yield safe(text, look);
    if (left.count > 0) {
      look.note(`${left.count} without a position ${left.count === 1 ? 'is' : 'are'} left out.`);
    }
  }
  return { rows, record: (record, view, look) => rows([record], view, look) };

  async function* placesOf<Row>(
    source: Items<Row>,
    view: View<Row>,
    left: { count: number },
  ): AsyncGenerator<Fix | MapFeature, void> {
    const { place } = view;
    if (!place) throw new CliError('USAGE', `This command cannot print ${name}.`, { hint: 'Leave out -o.' });
    for await (const row of source) {
      const found = place.of(row);
      if (found === null) left.count++;
      else if ('geometry' in found) {
        const properties = propertiesOf(row, view.fields, [...place.position, 'name']);
        yield { kind: 'feature', ...found, properties };
      } else yield found;
    }
  }
}

/** Under the names that --fields and the header of csv have. */
function propertiesOf(
  row: unknown,
  fields: readonly string[],
  told: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.filter((field) => !told.includes(field)).map((field) => [field, valueAt(row, field)]),
  );
}

function safeJson(text: string, look: Look): string {
  // The only line breaks are those between features.
  if (isTerminal(look)) return text.split('\n').map(escapeControls).join('\n');
  return text.replace(/[\u007f-\u009f]/g, escapeControls);
}

export const geojson = formatOf('geojson', geoJsonOf, safeJson);
// In XML what could do something to a terminal is written as character references.
export const gpx = formatOf('gpx', gpxOf, (text) => text);
export const kml = formatOf('kml', kmlOf, (text) => text);
