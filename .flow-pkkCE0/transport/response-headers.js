import { readMember } from "../core/odd-values.js";
const NO_HEADERS = { get: () => null, [Symbol.iterator]: () => [].values() };
function allHeaders(headers) {
  return {
    get: (name) => headers.get(name),
    [Symbol.iterator]: () => headers[Symbol.iterator]?.() ?? [].values()
  };
}
function readableHeaders({ headers }) {
  if (typeof readMember(headers, "get") !== "function") return NO_HEADERS;
  return {
    get(name) {
      try {
        const value = headers.get(name);
        return typeof value === "string" || typeof value === "number" ? String(value) : null;
      } catch {
        return null;
      }
    },
    *[Symbol.iterator]() {
      for (const [name] of allHeaders(headers)) {
        const value = this.get(name);
        if (value !== null) yield [name, value];
      }
    }
  };
}
export {
  NO_HEADERS,
  allHeaders,
  readableHeaders
};
