const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
function looksLikeId(text) {
  return uuid.test(text);
}
function parseUserSelector(text) {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (looksLikeId(trimmed)) return { by: "userId", userId: trimmed };
  const fleetId = /^fleet:(.*)$/s.exec(trimmed)?.[1]?.trim();
  if (fleetId !== void 0) return fleetId === "" ? null : { by: "fleetId", fleetId };
  return { by: "name", name: trimmed };
}
export {
  looksLikeId,
  parseUserSelector
};
