// Writes map items as KML 2.2, one placemark at a time. Segments are tracks of the gx extension,
// with a time per position; speed is in an extra array.

import type { Geometry, Position } from './geometry.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';
import type { Fix } from './position-fix.js';
import { decimalText, xmlText } from './xml-text.js';

const head = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
<Document>
<Schema id="track"><gx:SimpleArrayField name="speed" type="float"><displayName>Speed (km/h)</displayName></gx:SimpleArrayField></Schema>
`;

export async function* kmlOf(items: Items<MapItem>): AsyncGenerator<string, void> {
  // Writes nothing before the first item: an error before it leaves no output.
  let before = head;
  for await (const item of items) {
    yield `${before}<Placemark>${item.kind === 'segment' ? segment(item) : feature(item)}</Placemark>\n`;
    before = '';
  }
  yield `${before}</Document>\n</kml>\n`;
}

function segment({ name, vehicleId, number, fixes }: Segment): string {
  const title = name ?? vehicleId;
  const parts = [
    title === null ? '' : `<name>${xmlText(title)}</name>`,
    timeSpan(timeText(fixes[0]), timeText(fixes.at(-1))),
    extendedData({ vehicleId, segment: number }),
    '<gx:Track>\n',
    ...fixes.map((fix) => `<when>${timeText(fix)}</when>\n`),
    ...fixes.map(
      (fix) =>
        `<gx:coord>${[fix.longitude, fix.latitude, ...presentOrNone(fix.altitude)].map(decimalText).join(' ')}</gx:coord>\n`,
    ),
  ];
  // Heading, tilt and roll of each position; empty when unknown.
  if (fixes.some(({ direction }) => direction !== null)) {
    const angles = ({ direction }: Fix) =>
      direction === null ? '<gx:angles/>' : `<gx:angles>${decimalText(direction)} 0 0</gx:angles>`;
    parts.push(...fixes.map((fix) => `${angles(fix)}\n`));
  }
  if (fixes.some(({ speed }) => speed !== null)) {
    const value = ({ speed }: Fix) => (speed === null ? '<gx:value/>' : `<gx:value>${decimalText(speed)}</gx:value>`);
    const values = fixes.map((fix) => `${value(fix)}\n`).join('');
    parts.push(
      `<ExtendedData><SchemaData schemaUrl="#track"><gx:SimpleArrayData name="speed">\n${values}</gx:SimpleArrayData></SchemaData></ExtendedData>\n`,
    );
  }
  return `${parts.join('')}</gx:Track>`;
}

function feature({ name, geometry, times, properties }: MapFeature): string {
  const { description, color, ...rest } = properties;
  return [
    name === null ? '' : `<name>${xmlText(name)}</name>`,
    typeof description === 'string' && description !== '' ? `<description>${xmlText(description)}</description>` : '',
    times === undefined ? '' : geometry.type === 'Point' ? timeStamp(times[0]) : timeSpan(times[0], times.at(-1)),
    style(color),
    extendedData(typeof color === 'string' ? { color, ...rest } : rest),
    geometryElement(geometry),
  ].join('');
}

/** Writes a colour as opacity, blue, green, red. */
function style(color: unknown): string {
  const [, red, green, blue] = (typeof color === 'string' && /^#(..)(..)(..)$/.exec(color)) || [];
  if (red === undefined || !/^[0-9a-f]{6}$/i.test(`${red}${green}${blue}`)) return '';
  const text = `${blue}${green}${red}`.toLowerCase();
  return `<Style><LineStyle><color>ff${text}</color></LineStyle><PolyStyle><color>66${text}</color></PolyStyle></Style>`;
}

function extendedData(properties: Readonly<Record<string, unknown>>): string {
  const data = Object.entries(properties).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '') return [];
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return [`<Data name="${xmlText(name)}"><value>${xmlText(text)}</value></Data>`];
  });
  return data.length === 0 ? '' : `<ExtendedData>${data.join('')}</ExtendedData>`;
}

function geometryElement(geometry: Geometry): string {
  switch (geometry.type) {
    case 'Point':
      return `<Point>${coordinates([geometry.coordinates])}</Point>`;
    case 'LineString':
      return `<LineString><tessellate>1</tessellate>${coordinates(geometry.coordinates)}</LineString>`;
    case 'Polygon':
      return polygon(geometry.coordinates);
    case 'MultiPoint':
      return multiGeometry(geometry.coordinates.map((position) => `<Point>${coordinates([position])}</Point>`));
    case 'MultiLineString':
      return multiGeometry(geometry.coordinates.map((line) => `<LineString>${coordinates(line)}</LineString>`));
    case 'MultiPolygon':
      return multiGeometry(geometry.coordinates.map(polygon));
    case 'GeometryCollection':
      return multiGeometry(geometry.geometries.map(geometryElement));
  }
}

function polygon([outer = [], ...holes]: readonly Position[][]): string {
  const ring = (name: string, positions: readonly Position[]) =>
    `<${name}><LinearRing>${coordinates(positions)}</LinearRing></${name}>`;
  return `<Polygon>${ring('outerBoundaryIs', outer)}${holes.map((hole) => ring('innerBoundaryIs', hole)).join('')}</Polygon>`;
}

function multiGeometry(geometries: readonly string[]): string {
  return `<MultiGeometry>${geometries.join('')}</MultiGeometry>`;
}

function coordinates(positions: readonly Position[]): string {
  const texts = positions.map((position) => position.slice(0, 3).map(decimalText).join(','));
  return `<coordinates>${texts.join(' ')}</coordinates>`;
}

function timeStamp(time: string | undefined): string {
  return time === undefined ? '' : `<TimeStamp><when>${time}</when></TimeStamp>`;
}

function timeSpan(begin: string | undefined, end: string | undefined): string {
  if (begin === undefined || end === undefined) return '';
  return `<TimeSpan><begin>${begin}</begin><end>${end}</end></TimeSpan>`;
}

function timeText(fix: Fix | undefined): string | undefined {
  return fix && new Date(fix.time).toISOString();
}

function presentOrNone(value: number | null): readonly number[] {
  return value === null ? [] : [value];
}
