// Converts KML and GPX to GeoJSON. Loaded only for such a file.
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { unusableMap } from './unusable-map.js';

export function readXml(text: string): unknown {
  const document = parse(text);
  switch (document.documentElement?.localName) {
    case 'kml':
      return kml(document);
    case 'gpx':
      return gpx(document);
    default:
      throw unusableMap('it is XML, but neither KML nor GPX', 'Give a GeoJSON, KML or GPX file.');
  }
}

function parse(text: string) {
  const fail = () => {
    throw unusableMap(
      'its XML is invalid',
      'Check that it is complete: it must begin with <kml or <gpx and end with the closing tag.',
    );
  };
  const onError = (level: string) => {
    if (level !== 'warning') fail();
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml');
  } catch {
    return fail();
  }
}
