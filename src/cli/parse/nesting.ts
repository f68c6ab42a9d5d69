// Limits the nesting of values from users. Deeper values would later overflow the stack.

export const MAX_LEVELS = 100;

/** Returns true also for a value that contains itself. */
export function isTooDeep(value: unknown): boolean {
  const waiting = [{ value, level: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const level = next.level + 1;
    if (level > MAX_LEVELS) return true;
    for (const member of Object.values(next.value)) waiting.push({ value: member, level });
  }
  return false;
}
