// The spelling of ids: a service may write one in upper and in lower case, a copy never does.
import { isObject, isUuid } from 'fleet-telematics/kit';
import { MAX_DEPTH } from './json.js';

const ID_MEMBER = /^id$|Ids?$/;

export class IdSpellings {
  /** By the id in lower case. */
  readonly #spellings = new Map<string, string>();

  /** Returns the id in the spelling that was seen first. Only UUIDs have several spellings. */
  of(id: string): string {
    if (!isUuid(id)) return id;
    const key = id.toLowerCase();
    const spelling = this.#spellings.get(key);
    if (spelling === undefined) this.#spellings.set(key, id);
    return spelling ?? id;
  }

  /** Returns the record with all ids in their first spelling. */
  in<Item extends object>(record: Item): Item {
    // Ids are texts before and after.
    return this.#respelled(record, false, MAX_DEPTH) as Item;
  }

  /** Returns the snapshot with its driver id, its only reference, in the first spelling. */
  inSnapshot<Snapshot extends object>(snapshot: Snapshot): Snapshot {
    const driver: unknown = Reflect.get(snapshot, 'driver');
    if (!isObject(driver) || typeof driver.driverId !== 'string') return snapshot;
    const driverId = this.of(driver.driverId);
    return driverId === driver.driverId ? snapshot : { ...snapshot, driver: { ...driver, driverId } };
  }

  /** Returns the value itself when nothing changes. */
  #respelled(value: unknown, isId: boolean, levels: number): unknown {
    if (typeof value === 'string') return isId ? this.of(value) : value;
    if (levels === 0) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#respelled(item, isId, levels - 1));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!isObject(value)) return value;
    const changed = Object.entries(value).flatMap(([name, member]) => {
      const own = this.#respelled(member, ID_MEMBER.test(name), levels - 1);
      return own === member ? [] : [[name, own] as const];
    });
    return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
  }
}
