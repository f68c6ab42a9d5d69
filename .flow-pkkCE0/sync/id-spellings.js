import { isObject, isUuid } from "fleet-telematics/kit";
import { MAX_DEPTH } from "./json.js";
const ID_MEMBER = /^id$|Ids?$/;
class IdSpellings {
  /** By the id in lower case. */
  #known = /* @__PURE__ */ new Map();
  /** Returns the id as it was spelled when it was seen first. Only UUIDs have several spellings. */
  of(id) {
    if (!isUuid(id)) return id;
    const key = id.toLowerCase();
    const known = this.#known.get(key);
    if (known === void 0) this.#known.set(key, id);
    return known ?? id;
  }
  /** Returns a record in which all ids have their spelling. */
  in(record) {
    return this.#respelled(record, false, MAX_DEPTH);
  }
  /** Does the same for a snapshot, of whose many members one names another record. */
  inSnapshot(snapshot) {
    const driver = Reflect.get(snapshot, "driver");
    if (!isObject(driver) || typeof driver.driverId !== "string") return snapshot;
    const driverId = this.of(driver.driverId);
    return driverId === driver.driverId ? snapshot : { ...snapshot, driver: { ...driver, driverId } };
  }
  /** Returns the value itself where nothing changes. */
  #respelled(value, isId, levels) {
    if (typeof value === "string") return isId ? this.of(value) : value;
    if (levels === 0) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#respelled(item, isId, levels - 1));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!isObject(value)) return value;
    const changed = Object.entries(value).flatMap(([name, member]) => {
      const own = this.#respelled(member, ID_MEMBER.test(name), levels - 1);
      return own === member ? [] : [[name, own]];
    });
    return changed.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changed]);
  }
}
export {
  IdSpellings
};
