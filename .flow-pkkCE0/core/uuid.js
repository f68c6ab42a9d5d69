const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
function isUuid(value) {
  return typeof value === "string" && UUID.test(value);
}
function askedId(named, asked) {
  if (typeof named !== "string" || named === asked) return asked;
  return named.toLowerCase() === asked.toLowerCase() ? asked : null;
}
export {
  askedId,
  isUuid
};
