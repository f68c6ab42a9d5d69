import { isObject } from "../../core/json.js";
class NewRecord {
  name;
  constructor(name) {
    this.name = name;
  }
  toString() {
    return this.name;
  }
  toJSON() {
    return this.name;
  }
}
function resolveIds(value, resolve) {
  if (typeof value === "string" || value instanceof NewRecord) return resolve(value);
  if (Array.isArray(value)) return value.map((member) => resolveIds(member, resolve));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveIds(member, resolve)]));
}
export {
  NewRecord,
  resolveIds
};
