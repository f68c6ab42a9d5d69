// KML and GPX as GeoJSON. Loaded only when such a file is given.
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import { refused } from './read-map.js';

export function readXml(text: string): unknown {
  const document = parse(text);
  switch (document.documentElement?.localName) {
    case 'kml':
      return kml(document);
    case 'gpx':
      return gpx(document);
    default:
      throw refused('it is XML, but neither KML nor GPX', 'Give a GeoJSON, KML or GPX file.');
  }
}

function parse(text: string) {
  const stop = () => {
    throw refused(
      'its XML is broken',
      'Is it complete? It has to begin with <kml or <gpx and end with its closing tag.',
    );
  };
  const onError = (level: string) => {
    if (level !== 'warning') stop();
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'text/xml');
  } catch {
    return stop();
  }
}
