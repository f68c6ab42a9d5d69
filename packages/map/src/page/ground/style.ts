// The style of the base map, bottom layer first. Colours are names of the style sheet.

export type Properties = Readonly<Record<string, string | number | boolean>>;

export interface Rule {
  readonly layer: string;
  readonly color: string;
  /** Null fills the path. */
  readonly width: ((zoom: number) => number) | null;
  readonly dash?: readonly number[];
  readonly minZoom?: number;
  accepts?(properties: Properties): boolean;
}

export type NameStyle = 'country' | 'region' | 'capital' | 'city' | 'town' | 'village' | 'street' | 'water';

export interface NameRule {
  readonly layer: string;
  /** Returns null to show no name. The lowest rank is placed first. */
  name(properties: Properties, zoom: number): { readonly style: NameStyle; readonly rank: number } | null;
}

export interface TileName {
  readonly rule: NameRule;
  readonly properties: Properties;
  readonly id: number | undefined;
  /** As fractions of the tile. */
  readonly x: number;
  readonly y: number;
  /** Direction and available length along a street. */
  readonly along: { readonly angle: number; readonly length: number } | null;
}

export interface Style {
  readonly rules: readonly Rule[];
  readonly names: readonly NameRule[];
}

export const worldStyle: Style = {
  rules: [
    { layer: 'land', color: 'ground', width: null },
    { layer: 'lakes', color: 'sea', width: null },
    { layer: 'rivers', color: 'river', width: growing(4, 0.6, 9, 1.6) },
    { layer: 'borders', color: 'frontier', width: growing(2, 0.6, 8, 1.4) },
  ],
  names: [
    {
      layer: 'countries',
      name: ({ room }, zoom) => {
        const pixels = (Number(room) / 10 / 360) * 256 * 2 ** zoom;
        // A name as large as the screen is useless.
        return pixels < 14 || pixels > 420 ? null : { style: 'country', rank: -1 - Number(room) / 10_000 };
      },
    },
    {
      layer: 'towns',
      name: ({ rank, capital }, zoom) => {
        const size = Number(rank);
        if (capital === true) return { style: 'capital', rank: size - 1.5 };
        // Names of small towns only where the zoom leaves room.
        if (size > zoom - 1) return null;
        return { style: size <= 2 ? 'city' : size <= 5 ? 'town' : 'village', rank: size };
      },
    },
  ],
};

const green = new Set([
  ...['forest', 'wood', 'park', 'nature_reserve', 'national_park', 'protected_area', 'grass', 'grassland'],
  ...['cemetery', 'golf_course', 'meadow', 'scrub', 'recreation_ground', 'village_green', 'garden', 'allotments'],
]);
const built = new Set([
  ...['industrial', 'commercial', 'retail', 'railway', 'hospital', 'school', 'university', 'college', 'aerodrome'],
]);

/** Older archives have a prefix. */
const kindOf = (properties: Properties) => String(properties.kind ?? properties['pmap:kind'] ?? '');
const isKind =
  (...kinds: readonly string[]) =>
  (properties: Properties) =>
    kinds.includes(kindOf(properties));

export const streetsStyle: Style = {
  rules: [
    { layer: 'earth', color: 'ground', width: null },
    { layer: 'landcover', color: 'green', width: null, accepts: (properties) => green.has(kindOf(properties)) },
    { layer: 'landuse', color: 'green', width: null, accepts: (properties) => green.has(kindOf(properties)) },
    {
      layer: 'landuse',
      color: 'built',
      width: null,
      minZoom: 11,
      accepts: (properties) => built.has(kindOf(properties)),
    },
    { layer: 'water', color: 'sea', width: null },
    { layer: 'water', color: 'river', width: growing(8, 0.7, 16, 4), accepts: isKind('river', 'canal') },
    {
      layer: 'water',
      color: 'river',
      width: growing(13, 0.6, 17, 2),
      minZoom: 13,
      accepts: isKind('stream', 'ditch', 'drain'),
    },
    { layer: 'buildings', color: 'building', width: null, minZoom: 14.5 },
    { layer: 'roads', color: 'path', width: growing(14, 0.6, 18, 2), minZoom: 14, accepts: isKind('path', 'other') },
    {
      layer: 'roads',
      color: 'rail',
      width: growing(10, 0.6, 17, 2),
      minZoom: 10,
      dash: [6, 3],
      accepts: isKind('rail'),
    },
    { layer: 'roads', color: 'casing', width: growing(12, 1.4, 18, 13), minZoom: 12.5, accepts: isKind('minor_road') },
    { layer: 'roads', color: 'casing', width: growing(8, 1.6, 18, 18), minZoom: 8, accepts: isKind('major_road') },
    { layer: 'roads', color: 'casing', width: growing(6, 1.6, 18, 22), accepts: isKind('highway') },
    { layer: 'roads', color: 'street', width: growing(12, 0.7, 18, 11), minZoom: 12.5, accepts: isKind('minor_road') },
    { layer: 'roads', color: 'street', width: growing(8, 0.8, 18, 16), minZoom: 8, accepts: isKind('major_road') },
    { layer: 'roads', color: 'motorway', width: growing(6, 0.9, 18, 19), accepts: isKind('highway') },
    { layer: 'boundaries', color: 'frontier', width: growing(4, 0.8, 10, 1.6), accepts: isKind('country') },
  ],
  names: [
    {
      layer: 'places',
      name: (properties, zoom) => {
        const kind = kindOf(properties);
        const least = Number(properties.min_zoom ?? properties['pmap:min_zoom'] ?? 0);
        // Its zooms are for tiles of twice the width.
        if (least > zoom) return null;
        if (kind === 'country') return zoom > 8 ? null : { style: 'country', rank: -20 };
        if (kind === 'region') return zoom < 6 || zoom > 9 ? null : { style: 'region', rank: 5 };
        if (kind !== 'locality') return zoom < 13 ? null : { style: 'village', rank: 16 };
        const size = Number(properties.population_rank ?? properties['pmap:population_rank'] ?? 0);
        const style = properties.capital === 'yes' ? 'capital' : size >= 11 ? 'city' : size >= 8 ? 'town' : 'village';
        return zoom > 15 ? null : { style, rank: 14 - size - (style === 'capital' ? 2 : 0) };
      },
    },
    {
      layer: 'roads',
      name: (properties, zoom) => {
        const rank = ['highway', 'major_road', 'minor_road'].indexOf(kindOf(properties));
        return rank < 0 || zoom < 14 + rank / 2 ? null : { style: 'street', rank: 20 + rank };
      },
    },
  ],
};

/** Returns a width in pixels that grows exponentially with the zoom. */
function growing(zoom: number, width: number, otherZoom: number, otherWidth: number): (zoom: number) => number {
  const rate = Math.log(otherWidth / width) / (otherZoom - zoom);
  return (at) => width * Math.exp(rate * Math.max(-2, Math.min(at, otherZoom + 1) - zoom));
}
