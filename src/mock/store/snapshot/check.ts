// Whether a value is a snapshot of this service. It may have been on disk or edited by hand since it was taken.
import type { StoreSnapshot } from '../store.js';
import { isObject, type Link, quoted, type Read, record, refuse, whole } from './readers.js';
import { fleetData } from './shapes.js';
import { checkStructure } from './structure.js';

const fleets: Read<StoreSnapshot['fleets']> = (value, where) => {
  if (!isObject(value)) return refuse(where, 'must be an object');
  const read = Object.entries(value).map(([id, fleet]) => {
    const here = `${where}[${quoted(id)}]`;
    // The links of a fleet lead to rows of the same fleet.
    const links: Link[] = [];
    const data = fleetData(fleet, here, links);
    checkStructure(id, data, links, here);
    return [id, data] as const;
  });
  return Object.fromEntries(read);
};

const snapshot = record<StoreSnapshot>({
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  created: whole(0, Number.MAX_SAFE_INTEGER),
  fleets,
});

/** A copy of the snapshot that this value is; a TypeError that names fleet, list, row and member when it is none. */
export function checkedSnapshot(value: unknown): StoreSnapshot {
  return snapshot(value, 'snapshot', []);
}
