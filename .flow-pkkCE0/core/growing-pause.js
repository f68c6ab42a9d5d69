function pauseAfter(tries, { firstMs, longestMs, factor = 2 }) {
  return Math.min(longestMs, firstMs * factor ** Math.max(0, tries - 1));
}
export {
  pauseAfter
};
