const UNSEEN_MS = 15 * 6e4;
function speedingAfter(before, { time, speedKmh }, limitKmh) {
  const goesOn = before !== null && time - before.to > UNSEEN_MS ? null : before;
  if (speedKmh === null) return goesOn;
  if (speedKmh <= limitKmh) return null;
  if (goesOn === null) return { from: time, to: time, topSpeedKmh: speedKmh };
  return { from: goesOn.from, to: time, topSpeedKmh: Math.max(goesOn.topSpeedKmh, speedKmh) };
}
export {
  speedingAfter
};
