// Converts KML and GPX of Google Earth, QGIS, phones and GPS tools to GeoJSON. Loaded on demand.
import { gpx, kml } from '@tmcw/togeojson';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { unusableMap } from './unusable-map.js';

/** Converts the text. Throws CliError USAGE for other XML, or for an invalid position. */
export function readXml(text: string): unknown {
  const document = parse(text);
  const root = document.documentElement;
  const format = root?.localName;
  if (root === null || (format !== 'kml' && format !== 'gpx')) {
    const found = root === null ? '' : ` (<${root.tagName}>)`;
    throw unusableMap(`it is XML, but neither KML nor GPX${found}`, 'Give a GeoJSON, KML or GPX file.');
  }
  removePrefixes(document, root.namespaceURI);
  if (format === 'gpx') {
    requirePoints(document);
    // The type of a link would be read as the type of the point.
    for (const link of elementsOf(document, 'link')) link.parentNode?.removeChild(link);
    return gpx(document);
  }
  requireCoordinates(document);
  orderRings(document);
  return kml(document);
}

function parse(text: string): Document {
  const fail = (reason: string) =>
    unusableMap(`its XML is invalid: ${reason}`, 'Check that the file is complete, or export it again.');
  let problem: string | null = null;
  const onError = (level: string, message: string) => {
    if (level !== 'warning') problem ??= message;
  };
  try {
    const document = new DOMParser({ onError, xmlns: undeclaredPrefixes(text) }).parseFromString(text, 'text/xml');
    if (problem === null) return document;
  } catch (error) {
    problem ??= error instanceof Error ? error.message : 'it cannot be parsed';
  }
  throw fail(problem);
}

const googleNamespace = 'http://www.google.com/kml/ext/2.2';

/** Returns a namespace for each prefix, because many programs omit declarations. */
function undeclaredPrefixes(text: string): Readonly<Record<string, string>> {
  const used = new Set(Array.from(text.matchAll(/[<\s]([\w.-]+):[\w.-]+/g), ([, prefix = '']) => prefix));
  return Object.fromEntries(
    [...used]
      .filter((prefix) => !prefix.startsWith('xml'))
      .map((prefix) => [prefix, prefix === 'gx' ? googleNamespace : `undeclared:${prefix}`]),
  );
}

/** Removes prefixes of the format itself and sets Google's to `gx`, as the converter expects. */
function removePrefixes(document: Document, namespace: string | null): void {
  for (const element of elementsOf(document, '*')) {
    const { localName, namespaceURI, prefix } = element;
    const isOwn = namespaceURI === namespace && prefix !== null;
    const isGoogle = namespaceURI === googleNamespace && prefix !== 'gx';
    if (!isOwn && !isGoogle) continue;
    const renamed = document.createElementNS(namespaceURI, isOwn ? `${localName}` : `gx:${localName}`);
    for (const { name, value, namespaceURI: uri } of Array.from(element.attributes)) {
      // Otherwise the converter would treat all elements as GPX properties.
      if (value !== namespace) renamed.setAttributeNS(uri, name, value);
    }
    if (element.lineNumber !== undefined) renamed.lineNumber = element.lineNumber;
    while (element.firstChild !== null) renamed.appendChild(element.firstChild);
    element.parentNode?.replaceChild(renamed, element);
  }
}

/** Throws for a position that is not a number: the converter reads "58,38" as 58. */
function requirePoints(document: Document): void {
  for (const tag of ['wpt', 'rtept', 'trkpt']) {
    for (const point of elementsOf(document, tag)) {
      const wrong = ['lat', 'lon'].find((name) => !isNumber(point.getAttribute(name) ?? ''));
      if (wrong === undefined) continue;
      throw unusableMap(
        `${wrong} of a <${tag}> is "${point.getAttribute(wrong) ?? ''}"${lineOf(point)}`,
        'Write a number with a decimal point, such as lat="58.38" lon="26.72".',
      );
    }
  }
}

/** Throws for an invalid position. The converter would skip it and change the area. */
function requireCoordinates(document: Document): void {
  for (const element of elementsOf(document, 'coordinates')) {
    const positions = (element.textContent ?? '').split(/\s+/).filter(Boolean);
    const wrong = positions.find((position) => {
      const parts = position.split(',').filter(Boolean);
      return parts.length < 2 || parts.length > 3 || !parts.slice(0, 2).every(isNumber);
    });
    if (wrong === undefined) continue;
    throw unusableMap(
      `its coordinates have "${wrong}"${lineOf(element)}, which is not a position`,
      'Write longitude,latitude with decimal points and without spaces, such as 26.72,58.38.',
    );
  }
}

/** Moves the outer ring to the front: the converter treats the first ring as the outer one. */
function orderRings(document: Document): void {
  for (const outer of elementsOf(document, 'outerBoundaryIs')) {
    const polygon = outer.parentNode;
    if (polygon !== null && polygon.firstChild !== outer) polygon.insertBefore(outer, polygon.firstChild);
  }
}

function elementsOf(document: Document, name: string): readonly Element[] {
  return Array.from(document.getElementsByTagName(name));
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function lineOf({ lineNumber }: Element): string {
  return lineNumber === undefined ? '' : ` (line ${lineNumber})`;
}
