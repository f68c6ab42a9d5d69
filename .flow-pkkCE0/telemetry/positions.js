function isFiniteNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}
function isPosition(latitude, longitude) {
  if (!isFiniteNumber(latitude) || !isFiniteNumber(longitude)) return false;
  if (latitude === 0 && longitude === 0) return false;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
export {
  isFiniteNumber,
  isPosition
};
