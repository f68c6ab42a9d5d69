function mixHash(a, b) {
  let h = a ^ Math.imul(b | 0, 2654435761) | 0;
  h = Math.imul(h ^ h >>> 16, 2246822507);
  h = Math.imul(h ^ h >>> 13, 3266489909);
  return (h ^ h >>> 16) >>> 0;
}
function hashText(text, seed) {
  let h = mixHash(2166136261, Math.floor(seed / 4294967296) ^ (seed | 0));
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return mixHash(h, text.length);
}
function toUnit(hash) {
  return hash / 4294967296;
}
function randomBetween(hash, salt, low, high) {
  return low + (high - low) * toUnit(mixHash(hash, salt));
}
function randomBelow(hash, salt, count) {
  return Math.floor(toUnit(mixHash(hash, salt)) * count);
}
export {
  hashText,
  mixHash,
  randomBelow,
  randomBetween,
  toUnit
};
