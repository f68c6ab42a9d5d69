// KML and GPX files of other programs: the imported geofences, and the reasons of refusals.
import { describe, expect, test } from 'vitest';
import { service, shellOf } from './harness.js';

const ring = '24.7,59.4,0 24.8,59.4,0 24.8,59.5,0 24.7,59.4,0';
const polygon = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
const area = {
  type: 'Polygon',
  coordinates: [
    [
      [24.7, 59.4],
      [24.8, 59.4],
      [24.8, 59.5],
      [24.7, 59.4],
    ],
  ],
};
const inKml = (content: string) => `<kml xmlns="http://www.opengis.net/kml/2.2">${content}</kml>`;
const inGpx = (content: string) =>
  `<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">${content}</gpx>`;

/** Returns the inputs of the geofences that `geofences import` would create. */
async function imported(input: string, ...more: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const words = ['geofences', 'import', '-', '--dry-run', '-o', 'ndjson', ...more];
  const { code, stdout, stderr } = await shellOf('demo', service().fetch)(words, { input });
  expect({ code, error: code === 10 ? '' : stderr }).toEqual({ code: 10, error: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { action, changes }: { action: string; changes: readonly { field: string; after: unknown }[] } =
        JSON.parse(line);
      expect(action).toBe('create');
      return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
    });
}

async function refusal(input: string, ...more: readonly string[]): Promise<string> {
  const words = ['geofences', 'import', '-', '--dry-run', ...more];
  const { code, stdout, stderr } = await shellOf('demo', service().fetch)(words, { input });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr;
}

describe('KML', () => {
  test.each([
    [
      'with a prefix for everything, after a byte order mark, a comment and an instruction',
      `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
<!-- exported --><?xml-stylesheet href="a.xsl"?>
<kml:kml xmlns:kml="http://www.opengis.net/kml/2.2"><kml:Document><kml:Placemark><kml:name>Yard</kml:name>
<kml:Polygon><kml:outerBoundaryIs><kml:LinearRing><kml:coordinates>${ring}</kml:coordinates></kml:LinearRing></kml:outerBoundaryIs></kml:Polygon>
</kml:Placemark></kml:Document></kml:kml>`,
    ],
    [
      'of JAXB, with ns2 for KML',
      `<ns2:kml xmlns:ns2="http://www.opengis.net/kml/2.2" xmlns="http://www.google.com/kml/ext/2.2"><ns2:Placemark><ns2:name>Yard</ns2:name>
<ns2:Polygon><ns2:outerBoundaryIs><ns2:LinearRing><ns2:coordinates>${ring}</ns2:coordinates></ns2:LinearRing></ns2:outerBoundaryIs></ns2:Polygon>
</ns2:Placemark></ns2:kml>`,
    ],
    [
      'of Google Earth: folders, styles, CDATA, elements with gx: and ids of its own',
      `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:kml="http://www.opengis.net/kml/2.2" xmlns:atom="http://www.w3.org/2005/Atom">
<Document><name>Depots.kml</name>
<gx:CascadingStyle kml:id="__managed_style_1"><Style><PolyStyle><color>4d0000ff</color></PolyStyle></Style></gx:CascadingStyle>
<Folder><name>North</name><open>1</open>
<Placemark id="0A1F2C3D4E"><name><![CDATA[Yard]]></name><LookAt><longitude>24</longitude><latitude>59</latitude><gx:fovy>35</gx:fovy></LookAt>
<styleUrl>#__managed_style_1</styleUrl><gx:balloonVisibility>1</gx:balloonVisibility>
<Polygon><tessellate>1</tessellate><outerBoundaryIs><LinearRing><coordinates>
  ${ring}
</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Folder></Document></kml>`,
    ],
    [
      'that declares none of its prefixes',
      `<kml xmlns="http://www.opengis.net/kml/2.2" xsi:schemaLocation="a b"><Placemark><name>Yard</name>
<gx:balloonVisibility>1</gx:balloonVisibility><ExtendedData><acme:site>7</acme:site></ExtendedData>${polygon}</Placemark></kml>`,
    ],
    [
      'of QGIS and ogr2ogr, with a schema and MultiGeometry',
      inKml(`<Document id="root_doc"><Schema name="yards" id="yards"><SimpleField name="site" type="int"/></Schema>
<Folder><name>yards</name><Placemark id="yards.1"><name>Yard</name>
<ExtendedData><SchemaData schemaUrl="#yards"><SimpleData name="site">7</SimpleData></SchemaData></ExtendedData>
<MultiGeometry>${polygon}</MultiGeometry></Placemark></Folder></Document>`),
    ],
    [
      'with the point of a label beside the area',
      inKml(
        `<Placemark><name>Yard</name><MultiGeometry><Point><coordinates>24.75,59.42</coordinates></Point>${polygon}</MultiGeometry></Placemark>`,
      ),
    ],
    ['without any namespace', `<kml><Placemark><name>Yard</name>${polygon}</Placemark></kml>`],
    [
      'of an old Google Earth',
      `<kml xmlns="http://earth.google.com/kml/2.1"><Placemark><name>Yard</name>${polygon}</Placemark></kml>`,
    ],
    [
      'of a phone, with the area as a line that is closed',
      inKml(
        `<Placemark><name>Yard</name><gx:Track><when>2027-03-01T08:00:00Z</when>${ring
          .split(' ')
          .map((position) => `<gx:coord>${position.replaceAll(',', ' ')}</gx:coord>`)
          .join('')}</gx:Track></Placemark>`,
      ),
    ],
  ])('%s', async (_, input) => {
    const [only, ...others] = await imported(input);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'Yard', geojson: area });
  });

  test('gives its description in CDATA, and the style of its prefixed id', async () => {
    const [only] = await imported(
      inKml(`<Style id="red"><PolyStyle><color>ff2827d6</color></PolyStyle></Style><Placemark><name>Yard</name>
<description><![CDATA[<b>Gate 3</b>]]></description><styleUrl>#red</styleUrl>${polygon}</Placemark>`),
    );
    expect(only).toMatchObject({ description: '<b>Gate 3</b>', color: '#d62728' });
  });

  test('reads the outer ring first, wherever it is in the polygon', async () => {
    const hole = ring.replaceAll('24.8', '24.75').replaceAll('59.5', '59.45');
    const [only] = await imported(
      inKml(`<Placemark><name>Yard</name><Polygon>
<innerBoundaryIs><LinearRing><coordinates>${hole}</coordinates></LinearRing></innerBoundaryIs>
<outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`),
    );
    expect(only).toMatchObject({ geojson: { coordinates: [area.coordinates[0], expect.anything()] } });
  });

  test.each([
    ['a placemark without an area', inKml('<Placemark><name>Yard</name></Placemark>'), 'it has no geometry'],
    [
      'only a link to another file',
      inKml('<NetworkLink><name>All</name><Link><href>https://x.test/all.kml</href></Link></NetworkLink>'),
      'it is a link to another file',
    ],
    ['no placemark', inKml('<Document><name>Empty</name></Document>'), 'it has no features'],
    [
      'a point',
      inKml('<Placemark><name>A</name><Point><coordinates>1,2</coordinates></Point></Placemark>'),
      'a point has no area',
    ],
    [
      'a blank within a position',
      inKml(`<Placemark><name>A</name>${polygon.replace('24.7,59.4,0', '24.7, 59.4,0')}</Placemark>`),
      'its coordinates have "24.7," (line 1), which is not a position',
    ],
    [
      'decimal commas',
      inKml(`<Placemark><name>A</name>${polygon.replace('24.7,59.4,0', '24,7,59,4,0')}</Placemark>`),
      'its coordinates have "24,7,59,4,0" (line 1)',
    ],
    [
      'a tag that is not closed',
      inKml('<Placemark><name>A</nam></Placemark>'),
      'Opening and ending tag mismatch: "name" != "nam"',
    ],
    ['an end that is missing', '<kml><Document>', 'its XML is invalid: unclosed xml tag(s): kml, Document'],
    ['another root', '<html/>', 'it is XML, but neither KML nor GPX (<html>)'],
  ])('with %s is refused with the reason', async (_, input, reason) => {
    const stderr = await refusal(input);
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/GeoJSON object|no name/);
  });
});

describe('GPX', () => {
  const garmin = `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" xmlns:wptx1="http://www.garmin.com/xmlschemas/WaypointExtension/v1" creator="BaseCamp" version="1.1">
<metadata><link href="http://www.garmin.com"><text>Garmin International</text></link><time>2027-03-01T08:00:00Z</time></metadata>
<wpt lat="59.4" lon="24.7"><ele>12.3</ele><time>2027-03-01T08:00:00Z</time><name>Stop</name>
<link href="http://x.test/a"><text>more</text><type>text/html</type></link><sym>Flag, Blue</sym>
<extensions><gpxx:WaypointExtension><gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode><gpxx:Address><gpxx:City>Tallinn</gpxx:City></gpxx:Address></gpxx:WaypointExtension></extensions></wpt>
</gpx>`;
  const osmAnd = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<gpx version="1.1" creator="OsmAnd 4.7" xmlns="http://www.topografix.com/GPX/1/1" xmlns:osmand="https://osmand.net" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
<metadata><name>favorites</name></metadata><wpt lat="59.4000000" lon="24.7000000"><time>2027-03-01T08:00:00Z</time><name>Stop</name>
<extensions><osmand:icon>special_star</osmand:icon><osmand:background>circle</osmand:background><osmand:color>#eecc22</osmand:color></extensions></wpt>
</gpx>`;
  const prefixed = `<gpx:gpx xmlns:gpx="http://www.topografix.com/GPX/1/1" version="1.1" creator="x">
<gpx:wpt lat="59.4" lon="24.7"><gpx:name>Stop</gpx:name><gpx:link href="a"><gpx:text>Other</gpx:text></gpx:link></gpx:wpt></gpx:gpx>`;
  const undeclared = `<gpx xmlns="http://www.topografix.com/GPX/1/0" xsi:schemaLocation="a b"><wpt lat="59.4" lon="24.7"><name>Stop</name></wpt></gpx>`;

  test.each([
    ['BaseCamp', garmin],
    ['OsmAnd', osmAnd],
    ['a program that gives each element a prefix', prefixed],
    ['a program that declares no prefix, in GPX 1.0', undeclared],
  ])('of %s gives its waypoints', async (_, input) => {
    const [only, ...others] = await imported(input, '--radius', '100m');
    expect(others).toEqual([]);
    expect(only).toMatchObject({ name: 'Stop', geojson: { type: 'Polygon' } });
    expect(only?.type).toBeUndefined();
  });

  test('of a track with a prefix gives the name of the track, not that of a point', async () => {
    const points = ['59.4,24.7', '59.4,24.8', '59.5,24.8', '59.4,24.7']
      .map((position, index) => {
        const [lat, lon] = position.split(',');
        return `<g:trkpt lat="${lat}" lon="${lon}"><g:name>P${index}</g:name></g:trkpt>`;
      })
      .join('');
    const [only] = await imported(
      `<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:trk><g:name>Yard</g:name><g:trkseg>${points}</g:trkseg></g:trk></g:gpx>`,
    );
    expect(only).toMatchObject({ name: 'Yard', geojson: area });
  });

  test.each([
    [
      'a decimal comma',
      inGpx('\n<wpt lat="58,38" lon="26.72"><name>A</name></wpt>'),
      'lat of a <wpt> is "58,38" (line 2)',
    ],
    ['no longitude', inGpx('<wpt lat="58.38"><name>A</name></wpt>'), 'lon of a <wpt> is ""'],
    [
      'a route',
      inGpx('<rte><name>A</name><rtept lat="1" lon="2"/><rtept lat="2" lon="2"/></rte>'),
      'a line has no area',
    ],
    ['nothing in it', inGpx(''), 'it has no features'],
  ])('with %s is refused with the reason', async (_, input, reason) => {
    const stderr = await refusal(input, '--radius', '100m');
    expect(stderr).toContain(reason);
    expect(stderr).not.toMatch(/GeoJSON object|no name/);
  });
});
