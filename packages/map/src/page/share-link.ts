// The copied link: the address, plus view, search, units, time zone and heat map.

export interface SharedView {
  readonly map: { readonly zoom: number; readonly latitude: number; readonly longitude: number } | null;
  readonly query: string;
  readonly statuses: readonly string[];
  readonly units: 'metric' | 'imperial' | null;
  /** IANA name; null for the fleet's zone. */
  readonly zone: string | null;
  readonly heat: string | null;
}

const keys = { map: 'map', query: 'q', statuses: 'status', units: 'units', zone: 'zone', heat: 'heat' } as const;

export function readShared(hash: string): SharedView {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const [zoom = Number.NaN, latitude = Number.NaN, longitude = Number.NaN] = (values.get(keys.map) ?? '')
    .split('/')
    .map(Number.parseFloat);
  const isPlace = zoom >= 0 && zoom <= 22 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360;
  const units = values.get(keys.units);
  return {
    map: isPlace ? { zoom, latitude, longitude } : null,
    query: values.get(keys.query) ?? '',
    statuses: (values.get(keys.statuses) ?? '').split(',').filter(Boolean),
    units: units === 'mi' ? 'imperial' : units === 'km' ? 'metric' : null,
    zone: values.get(keys.zone) || null,
    heat: values.get(keys.heat) || null,
  };
}

export function writeShared(hash: string, { map, query, statuses, units, zone, heat }: SharedView): string {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  for (const key of Object.values(keys)) values.delete(key);
  if (map !== null) {
    values.set(keys.map, `${map.zoom.toFixed(2)}/${map.latitude.toFixed(5)}/${map.longitude.toFixed(5)}`);
  }
  if (query !== '') values.set(keys.query, query);
  if (statuses.length > 0) values.set(keys.statuses, statuses.join(','));
  if (units === 'imperial') values.set(keys.units, 'mi');
  if (zone !== null) values.set(keys.zone, zone);
  if (heat !== null) values.set(keys.heat, heat);
  return `#${values.toString().replaceAll('%3A', ':').replaceAll('%2F', '/').replaceAll('%2C', ',')}`;
}
