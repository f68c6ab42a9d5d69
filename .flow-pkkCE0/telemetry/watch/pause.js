const SLICE_MS = 5e3;
async function pauseAwake(ms, now, wait) {
  const end = now() + ms;
  for (let left = ms; left > 0; left -= SLICE_MS) {
    await wait(Math.min(left, SLICE_MS));
    if (now() >= end) return;
  }
}
export {
  pauseAwake
};
