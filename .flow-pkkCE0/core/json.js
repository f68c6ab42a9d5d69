const MAY_BE_LARGE = /[^.0-9]\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d*[,}\]\s]/;
const STRING_OR_LARGE = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;
function parseExactly(text) {
  return JSON.parse(MAY_BE_LARGE.test(text) ? text.replace(STRING_OR_LARGE, exactText) : text);
}
function exactText(found) {
  return found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function textsIn(value) {
  const all = [value].flat();
  return all.filter((text) => typeof text === "string" && text !== "");
}
function isEmptyData(data) {
  return !isObject(data) || Object.values(data).every((value) => value === null);
}
function valueAtPath(value, path) {
  let at = value;
  for (const name of path) {
    at = Array.isArray(at) && !/^\d+$/.test(name) ? at.map((item) => memberOf(item, name)) : memberOf(at, name);
  }
  return at;
}
function memberOf(value, name) {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
  return Reflect.get(value, name);
}
function isSameJson(one, other, levels = Number.POSITIVE_INFINITY) {
  if (one === other || levels === 0) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index], levels - 1));
  }
  if (!isObject(one) || !isObject(other)) return (one ?? null) === (other ?? null);
  return [.../* @__PURE__ */ new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (name) => isSameJson(one[name], other[name], levels - 1)
  );
}
export {
  isEmptyData,
  isObject,
  isSameJson,
  parseExactly,
  textsIn,
  valueAtPath
};
