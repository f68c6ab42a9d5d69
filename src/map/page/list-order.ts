// Which vehicles the list shows, and in which order.
import type { MapVehicle } from '../shapes.js';

/** From the one that matters most. */
export const statuses = [
  'moving',
  'idling',
  'stopped',
  'stale',
  'offline',
  'unknown',
] as const satisfies readonly MapVehicle['status'][];

export type Status = (typeof statuses)[number];
export const sortKeys = ['name', 'status', 'speed', 'seen'] as const;
export type SortKey = (typeof sortKeys)[number];

export interface Wish {
  readonly query: string;
  /** Empty: all. */
  readonly only: ReadonlySet<Status>;
  readonly sort: SortKey;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function nameOf({ name, plate, id }: Pick<MapVehicle, 'name' | 'plate' | 'id'>): string {
  return name || plate || id;
}

/** Every word must be in the name, the plate, the driver or the id. Spaces and dashes of plates do not matter. */
function matcher(query: string): (vehicle: MapVehicle) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const plate = plain(query);
  if (words.length === 0) return () => true;
  return (vehicle) => {
    const text = [vehicle.name, vehicle.plate, vehicle.driver, vehicle.id].join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) || (plate !== '' && plain(vehicle.plate ?? '').includes(plate));
  };
}

const plain = (text: string) => text.toLowerCase().replace(/[\s-]+/g, '');

/** The order of the names. Comparing thousands of them takes long, and they hardly ever change, so it is kept. */
export class NameOrder {
  #names: ReadonlyMap<string, string> = new Map();
  #ranks: ReadonlyMap<string, number> = new Map();

  /** The place of each vehicle, by its id. */
  ranksOf(vehicles: readonly MapVehicle[]): ReadonlyMap<string, number> {
    const isKnown = (vehicle: MapVehicle) => this.#names.get(vehicle.id) === nameOf(vehicle);
    if (vehicles.length === this.#names.size && vehicles.every(isKnown)) return this.#ranks;
    const named = vehicles.map((vehicle) => [vehicle.id, nameOf(vehicle)] as const);
    this.#names = new Map(named);
    named.sort(([, one], [, other]) => collator.compare(one, other));
    this.#ranks = new Map(named.map(([id], rank) => [id, rank]));
    return this.#ranks;
  }
}

/** Vehicles without the value that is sorted by come last. */
export function arranged(
  vehicles: readonly MapVehicle[],
  { query, only, sort }: Wish,
  names = new NameOrder(),
): readonly MapVehicle[] {
  const matches = matcher(query);
  const found = vehicles.filter((vehicle) => (only.size === 0 || only.has(vehicle.status)) && matches(vehicle));
  const ranks = names.ranksOf(vehicles);
  const byName = (one: MapVehicle, other: MapVehicle) => (ranks.get(one.id) ?? 0) - (ranks.get(other.id) ?? 0);
  const down = (read: (vehicle: MapVehicle) => number | null) => (one: MapVehicle, other: MapVehicle) => {
    const [a, b] = [read(one) ?? Number.NEGATIVE_INFINITY, read(other) ?? Number.NEGATIVE_INFINITY];
    return a === b ? byName(one, other) : b - a;
  };
  const orders: Readonly<Record<SortKey, (one: MapVehicle, other: MapVehicle) => number>> = {
    name: byName,
    status: down(({ status }) => -statuses.indexOf(status)),
    speed: down(({ speed, status }) => (status === 'moving' ? speed : null)),
    seen: down(({ at }) => at),
  };
  return found.sort(orders[sort]);
}

export function countsOf(vehicles: Iterable<MapVehicle>): ReadonlyMap<Status, number> {
  const counts = new Map<Status, number>(statuses.map((status) => [status, 0]));
  for (const { status } of vehicles) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
