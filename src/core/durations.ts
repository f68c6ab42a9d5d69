export const TIME_UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** Returns `500 ms` or `3 d 14 h 5 s`: exact to the second, or the largest `units` units. */
export function durationText(ms: number, units: number = TIME_UNITS.length): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  let left = Math.round(ms / 1_000) * 1_000;
  const largest = TIME_UNITS.findIndex((unit) => left >= unit.ms);
  return TIME_UNITS.slice(largest, largest + units)
    .flatMap((unit) => {
      const count = Math.floor(left / unit.ms);
      left %= unit.ms;
      return count > 0 ? `${count} ${unit.name}` : [];
    })
    .join(' ');
}
