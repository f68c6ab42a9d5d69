const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1e3;
function parseStoredSession(value) {
  if (typeof value !== "object" || value === null) return null;
  const read = (name) => Reflect.get(value, name);
  const username = read("username");
  const accessToken = read("accessToken");
  const accessIssuedAt = read("accessIssuedAt");
  const accessLifetimeMs = read("accessLifetimeMs");
  const refreshToken = read("refreshToken");
  const refreshIssuedAt = read("refreshIssuedAt");
  if (typeof username !== "string" && username !== null) return null;
  if (typeof accessToken !== "string" || accessToken === "") return null;
  if (typeof refreshToken !== "string" && refreshToken !== null) return null;
  if (!isTime(accessIssuedAt) || !isTime(accessLifetimeMs) || !isTime(refreshIssuedAt)) return null;
  const session = { username, accessToken, accessIssuedAt, accessLifetimeMs, refreshToken, refreshIssuedAt };
  const serviceAheadMs = read("serviceAheadMs");
  const aheadAtLoginMs = read("aheadAtLoginMs");
  const refreshSentAt = read("refreshSentAt");
  return {
    ...session,
    ...typeof serviceAheadMs === "number" && Number.isFinite(serviceAheadMs) ? { serviceAheadMs } : {},
    ...typeof aheadAtLoginMs === "number" && Number.isFinite(aheadAtLoginMs) ? { aheadAtLoginMs } : {},
    ...isTime(refreshSentAt) ? { refreshSentAt } : {}
  };
}
const LAST_TIME_MS = 4e15;
function isTime(value) {
  return typeof value === "number" && value >= 0 && value <= LAST_TIME_MS;
}
export {
  REFRESH_TOKEN_LIFETIME_MS,
  parseStoredSession
};
