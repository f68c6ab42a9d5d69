// The copied link, and the positions as files.
import { expect, test } from 'vitest';
import { trackColumns } from '../src/day.js';
import { readShared, type SharedView, writeShared } from '../src/page/share-link.js';
import { decodeTrack } from '../src/page/track.js';
import { csvFile, gpxFile } from '../src/page/track-files.js';

const start = Date.parse('2026-03-02T00:00:00Z');
const fix = (minutes: number, latitude: number, longitude: number, speed: number | null) => ({
  ...{ vehicleId: 'v', altitude: null, direction: null, ignition: null },
  ...{ time: start + minutes * 60_000, latitude, longitude, speed },
});
const fixes = [fix(0, 59.43696, 24.75353, 50), fix(1, 59.438, 24.756, null), fix(90, 59.5, 24.8, 36)];
const positions = {
  ...{ vehicleId: 'v', name: '=Van, "7"', from: start, to: start + 86_400_000 },
  track: decodeTrack(trackColumns(start, fixes)),
};

test('a link keeps what the address has, and takes the view along', () => {
  const view: SharedView = {
    map: { zoom: 11.25, latitude: 59.43696, longitude: 24.75353 },
    query: 'van & co',
    statuses: ['moving', 'idling'],
    units: 'imperial',
    zone: 'America/New_York',
    heat: '7d',
  };
  const link = writeShared('#vehicle=v1&day=2026-03-01', view);
  expect(link).toBe(
    '#vehicle=v1&day=2026-03-01&map=11.25/59.43696/24.75353&q=van+%26+co&status=moving,idling&units=mi&zone=America/New_York&heat=7d',
  );
  expect(readShared(link)).toEqual(view);
  expect(writeShared(link, { map: null, query: '', statuses: [], units: 'metric', zone: null, heat: null })).toBe(
    '#vehicle=v1&day=2026-03-01',
  );
  expect(readShared('#map=99/x/1&units=parsec')).toEqual({
    map: null,
    query: '',
    statuses: [],
    units: null,
    zone: null,
    heat: null,
  });
});

test('GPX has a segment for each line, and csv a row for each position', async () => {
  const gpx = await gpxFile(positions);
  expect(gpx.match(/<trkseg>/g)).toHaveLength(2);
  expect(gpx).toContain('<trkpt lat="59.43696" lon="24.75353"><time>2026-03-02T00:00:00.000Z</time>');
  expect(gpx).toContain('<name>=Van, &quot;7&quot;</name>');
  expect(csvFile(positions).split('\n')).toEqual([
    'vehicle,time,latitude,longitude,speed_kmh',
    `"'=Van, ""7""",2026-03-02T00:00:00.000Z,59.43696,24.75353,50`,
    `"'=Van, ""7""",2026-03-02T00:01:00.000Z,59.438,24.756,`,
    `"'=Van, ""7""",2026-03-02T01:30:00.000Z,59.5,24.8,36`,
    '',
  ]);
  expect(csvFile({ ...positions, from: start + 1 }).split('\n')).toHaveLength(4);
});
