const MAX_LEVELS = 100;
function isTooDeep(value) {
  const waiting = [{ value, level: 0 }];
  for (let next = waiting.pop(); next !== void 0; next = waiting.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    const level = next.level + 1;
    if (level > MAX_LEVELS) return true;
    for (const member of Object.values(next.value)) waiting.push({ value: member, level });
  }
  return false;
}
export {
  MAX_LEVELS,
  isTooDeep
};
