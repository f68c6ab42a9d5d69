const MAX_DEPTH = 500;
function isWithinDepth(value, levels = MAX_DEPTH) {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  for (const name in value) {
    if (!isWithinDepth(value[name], levels - 1)) return false;
  }
  return true;
}
function withinDepth(value, levels = MAX_DEPTH) {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => withinDepth(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withinDepth(item, levels - 1)]));
}
function storableText(text) {
  return text.replace(/[\p{Surrogate}\0]/gu, "\uFFFD");
}
function jsonText(value) {
  const text = JSON.stringify(value);
  return text.includes("\\u") && /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storable(value)) : text;
}
function asStored(record) {
  const isWhole = isWithinDepth(record);
  return { record: JSON.parse(jsonText(isWhole ? record : withinDepth(record))), isWhole };
}
function storable(value) {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(storable);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]));
}
export {
  MAX_DEPTH,
  asStored,
  isWithinDepth,
  jsonText,
  storableText,
  withinDepth
};
