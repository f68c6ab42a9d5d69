function parseKeyValue(text) {
  const at = text.indexOf("=");
  if (at < 1) return null;
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
export {
  parseKeyValue
};
