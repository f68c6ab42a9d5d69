// The days that can be chosen: any up to today, or in a file those that it holds.

/** The days to choose from. */
export type Days =
  | { readonly kind: 'any'; readonly latest: () => string }
  | { readonly kind: 'some'; readonly days: readonly string[] };

/** The day before or after; null when there is none. `day`: null for the whole period of a file. */
export function neighbour(days: Days, day: string | null, step: 1 | -1): string | null {
  if (days.kind === 'some') {
    const index = day === null ? days.days.length : days.days.indexOf(day);
    return days.days[index + step] ?? null;
  }
  if (day === null) return null;
  const other = new Date(Date.parse(day) + step * 86_400_000).toISOString().slice(0, 10);
  return other > days.latest() ? null : other;
}
