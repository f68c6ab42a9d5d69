/** The days that can be selected: any day up to the latest, or the days of a file. */
export type Days =
  | { readonly kind: 'any'; readonly latest: () => string }
  | { readonly kind: 'some'; readonly days: readonly string[] };

/** Returns the previous or next day, or null. `day`: null for the whole period of a file. */
export function neighbour(days: Days, day: string | null, step: 1 | -1): string | null {
  if (days.kind === 'some') {
    const index = day === null ? days.days.length : days.days.indexOf(day);
    return days.days[index + step] ?? null;
  }
  if (day === null) return null;
  const other = new Date(Date.parse(day) + step * 86_400_000).toISOString().slice(0, 10);
  return other > days.latest() ? null : other;
}
