const MAX_AHEAD_MS = 5 * 6e4;
function isAhead(time, now) {
  return time !== null && time > now + MAX_AHEAD_MS;
}
export {
  MAX_AHEAD_MS,
  isAhead
};
