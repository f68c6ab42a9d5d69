// Writes map items as GPX 1.1: points as waypoints, lines and segments as tracks. GPX has no speed
// and direction: they are in Garmin's TrackPointExtension v2, which common programs read.

import type { Position } from './geometry.js';
import type { Items, MapFeature, MapItem, Segment } from './map-item.js';
import type { Fix } from './position-fix.js';
import { decimalText, xmlText } from './xml-text.js';

const GPX = 'http://www.topografix.com/GPX/1/1';
const POINT_EXTENSION = 'http://www.garmin.com/xmlschemas/TrackPointExtension/v2';
const head = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="fleet-telematics" xmlns="${GPX}" xmlns:gpxtpx="${POINT_EXTENSION}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${GPX} ${GPX}/gpx.xsd ${POINT_EXTENSION} https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">
`;

/** Skips areas, which GPX does not support. */
export async function* gpxOf(items: Items<MapItem>): AsyncGenerator<string, void> {
  // Writes nothing before the first item: an error before it leaves no output.
  let before = head;
  /** The vehicle whose track element is open. */
  let open: { readonly vehicleId: string | null } | null = null;
  let hasTracks = false;
  for await (const item of items) {
    const isOpen = open !== null && item.kind === 'segment' && open.vehicleId === item.vehicleId;
    if (open !== null && !isOpen) {
      before += '</trk>\n';
      open = null;
    }
    if (item.kind === 'segment') {
      if (!isOpen) before += `<trk>\n${nameElement(item.name ?? item.vehicleId)}`;
      open = { vehicleId: item.vehicleId };
      before += segment(item);
      hasTracks = true;
    } else if (item.geometry.type === 'Point' && !hasTracks) {
      before += waypoint(item, item.geometry.coordinates);
    } else {
      // The schema allows no waypoint after a track, so such a point becomes a track.
      const track = featureTrack(item);
      before += track;
      hasTracks ||= track !== '';
    }
    yield before;
    before = '';
  }
  yield `${before}${open === null ? '' : '</trk>\n'}</gpx>\n`;
}

function segment({ fixes }: Segment): string {
  return `<trkseg>\n${fixes.map(trackPoint).join('')}</trkseg>\n`;
}

function trackPoint(fix: Fix): string {
  const { speed, direction } = fix;
  // The extension has metres per second.
  const trackPointExtension = [
    speed === null ? '' : `<gpxtpx:speed>${decimalText(Math.round((speed / 3.6) * 1000) / 1000)}</gpxtpx:speed>`,
    direction === null ? '' : `<gpxtpx:course>${decimalText(direction)}</gpxtpx:course>`,
  ].join('');
  const extensions =
    trackPointExtension === ''
      ? ''
      : `<extensions><gpxtpx:TrackPointExtension>${trackPointExtension}</gpxtpx:TrackPointExtension></extensions>`;
  const position = fix.altitude === null ? [fix.longitude, fix.latitude] : [fix.longitude, fix.latitude, fix.altitude];
  return `<trkpt ${coordinateAttributes(position)}>${pointContent(position, new Date(fix.time).toISOString())}${extensions}</trkpt>\n`;
}

function waypoint({ name, times }: MapFeature, position: Position): string {
  return `<wpt ${coordinateAttributes(position)}>${pointContent(position, times?.[0])}${name === null ? '' : `<name>${xmlText(name)}</name>`}</wpt>\n`;
}

function featureTrack({ geometry, name, times }: MapFeature): string {
  const positions =
    geometry.type === 'LineString' ? geometry.coordinates : geometry.type === 'Point' ? [geometry.coordinates] : [];
  if (positions.length === 0) return '';
  const points = positions.map(
    (position, place) => `<trkpt ${coordinateAttributes(position)}>${pointContent(position, times?.[place])}</trkpt>\n`,
  );
  return `<trk>\n${nameElement(name)}<trkseg>\n${points.join('')}</trkseg>\n</trk>\n`;
}

/** The schema excludes a longitude of 180, so it is written as -180. */
function coordinateAttributes([longitude = 0, latitude = 0]: Position): string {
  return `lat="${decimalText(latitude)}" lon="${decimalText(longitude === 180 ? -180 : longitude)}"`;
}

function pointContent([, , altitude]: Position, time: string | undefined): string {
  const elevation = altitude === undefined ? '' : `<ele>${decimalText(altitude)}</ele>`;
  return `${elevation}${time === undefined ? '' : `<time>${time}</time>`}`;
}

function nameElement(name: string | null): string {
  return name === null ? '' : `<name>${xmlText(name)}</name>\n`;
}
