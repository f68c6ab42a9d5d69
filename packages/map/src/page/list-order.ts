// Filters and sorts the vehicles of the list.
import type { MapVehicle } from '../shapes.js';
import type { Fence } from './fence.js';

/** Most important first. */
export const statuses = [
  'moving',
  'idling',
  'stopped',
  'stale',
  'offline',
  'unknown',
] as const satisfies readonly MapVehicle['status'][];

export type Status = (typeof statuses)[number];
export const sortKeys = ['name', 'status', 'speed', 'seen', 'silent'] as const;
export type ListOrder = (typeof sortKeys)[number];

export interface ListFilter {
  readonly query: string;
  /** Empty for all. */
  readonly only: ReadonlySet<Status>;
  readonly sort: ListOrder;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function displayName({ name, plate, id }: Pick<MapVehicle, 'name' | 'plate' | 'id'>): string {
  return name || plate || id;
}

/** Minimum length to search for an id by its beginning. */
const LEAST_ID_LENGTH = 8;

/**
 * Returns vehicles with all words in name, plate or driver; without a match, across the three. A
 * number does not match inside another one. Leading zeros, and spaces and dashes of plates, are
 * ignored.
 */
function matching(vehicles: readonly MapVehicle[], query: string): readonly MapVehicle[] {
  const words = wordsOf(query);
  if (words.length === 0) return vehicles;
  const plate = plain(query);
  const id = query.trim().toLowerCase();
  const hasAll = (text: string | null) => text !== null && words.every((isIn) => isIn(text.toLowerCase()));
  const inOne = vehicles.filter(
    (vehicle) =>
      hasAll(vehicle.name) ||
      hasAll(vehicle.plate) ||
      hasAll(vehicle.driver) ||
      (plate !== '' && plain(vehicle.plate ?? '').startsWith(plate)) ||
      (id.length >= LEAST_ID_LENGTH && vehicle.id.toLowerCase().startsWith(id)),
  );
  if (inOne.length > 0) return inOne;
  return vehicles.filter(({ name, plate: own, driver }) => hasAll([name, own, driver].filter(Boolean).join(' ')));
}

/** Matches all words in the name or the address; no word matches nothing. */
export function placesMatching(fences: readonly Fence[], query: string): readonly Fence[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const hasAll = (text: string | null) => text !== null && words.every((isIn) => isIn(text.toLowerCase()));
  const found = fences.filter(({ name, geofence }) => hasAll(name) || hasAll(geofence.address));
  return found.sort((one, other) => collator.compare(one.name ?? '', other.name ?? ''));
}

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean).map(wordMatcher);

function wordMatcher(word: string): (text: string) => boolean {
  if (!/^\d/.test(word)) return (text) => text.includes(word);
  const pattern = new RegExp(`(?<!\\d)0*${word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
  return (text) => pattern.test(text);
}

const plain = (text: string) => text.toLowerCase().replace(/[\s-]+/g, '');

/** Cached ranks of the names: comparing thousands takes long, and they rarely change. */
export class NameOrder {
  #names: ReadonlyMap<string, string> = new Map();
  #ranks: ReadonlyMap<string, number> = new Map();

  ranksOf(vehicles: readonly MapVehicle[]): ReadonlyMap<string, number> {
    const isUnchanged = (vehicle: MapVehicle) => this.#names.get(vehicle.id) === displayName(vehicle);
    if (vehicles.length === this.#names.size && vehicles.every(isUnchanged)) return this.#ranks;
    const named = vehicles.map((vehicle) => [vehicle.id, displayName(vehicle)] as const);
    this.#names = new Map(named);
    named.sort(([, one], [, other]) => collator.compare(one, other));
    this.#ranks = new Map(named.map(([id], rank) => [id, rank]));
    return this.#ranks;
  }
}

/** Sorts vehicles without the sorted value last, but first when sorted by silence. */
export function arranged(
  vehicles: readonly MapVehicle[],
  { query, only, sort }: ListFilter,
  names = new NameOrder(),
): readonly MapVehicle[] {
  const found = matching(vehicles, query).filter(({ status }) => only.size === 0 || only.has(status));
  const ranks = names.ranksOf(vehicles);
  const byName = (one: MapVehicle, other: MapVehicle) => (ranks.get(one.id) ?? 0) - (ranks.get(other.id) ?? 0);
  const down = (read: (vehicle: MapVehicle) => number | null) => (one: MapVehicle, other: MapVehicle) => {
    const [a, b] = [read(one) ?? Number.NEGATIVE_INFINITY, read(other) ?? Number.NEGATIVE_INFINITY];
    return a === b ? byName(one, other) : b - a;
  };
  const orders: Readonly<Record<ListOrder, (one: MapVehicle, other: MapVehicle) => number>> = {
    name: byName,
    status: down(({ status }) => -statuses.indexOf(status)),
    speed: down(({ speed, status }) => (status === 'moving' ? speed : null)),
    seen: down(({ at }) => at),
    silent: down(({ at }) => (at === null ? Number.POSITIVE_INFINITY : -at)),
  };
  return found.sort(orders[sort]);
}

export function countsOf(vehicles: Iterable<MapVehicle>): ReadonlyMap<Status, number> {
  const counts = new Map<Status, number>(statuses.map((status) => [status, 0]));
  for (const { status } of vehicles) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
