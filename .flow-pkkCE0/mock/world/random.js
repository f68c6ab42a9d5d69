function randomFromName(name) {
  let state = 2166136261;
  for (let i = 0; i < name.length; i += 1) state = Math.imul(state ^ name.charCodeAt(i), 16777619);
  const next = () => {
    state = state + 1831565813 | 0;
    let t = Math.imul(state ^ state >>> 15, state | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
  const int = (from, to) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (items) => items[int(0, items.length - 1)] ?? items[0],
    digits: (count) => {
      let digits = "";
      for (let i = 0; i < count; i += 1) digits += int(0, 9);
      return digits;
    }
  };
}
export {
  randomFromName
};
