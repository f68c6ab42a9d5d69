function isJsonObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
const quotedKey = (key) => JSON.stringify(key.slice(0, 80));
export {
  isJsonObject,
  quotedKey
};
