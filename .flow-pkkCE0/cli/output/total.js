import { isObject, valueAtPath } from "../../core/json.js";
function totalOf(kinds) {
  return {
    fields: Object.keys(kinds),
    isOfAllRows: false,
    begin() {
      const values = /* @__PURE__ */ new Map();
      let count = 0;
      return {
        take(row) {
          count++;
          for (const [path, kind] of Object.entries(kinds)) {
            values.set(path, joined(values.get(path), valueAtPath(row, path.split(".")), kind));
          }
        },
        row() {
          if (count < 2) return null;
          const total = {};
          for (const [path, value] of values) if (value !== null) putAt(total, path.split("."), value);
          return total;
        }
      };
    }
  };
}
function joined(a, b, kind) {
  if (kind === "same") return a === b || (b ?? null) === null ? a ?? null : (a ?? null) === null ? b : "";
  if (isObject(a) || isObject(b)) {
    const [one, other] = [isObject(a) ? a : {}, isObject(b) ? b : {}];
    const keys = /* @__PURE__ */ new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries([...keys].map((key) => [key, joined(one[key], other[key], kind)]));
  }
  const numbers = [a, b].filter((value) => typeof value === "number");
  const [first, second] = numbers;
  if (first === void 0) return null;
  if (second === void 0) return first;
  return kind === "max" ? Math.max(first, second) : Number((first + second).toPrecision(12));
}
function putAt(target, [first = "", ...rest], value) {
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const below = isObject(target[first]) ? { ...target[first] } : {};
  putAt(below, rest, value);
  target[first] = below;
}
export {
  totalOf
};
