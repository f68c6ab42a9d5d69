// Parses durations such as `500ms`, `30s`, `2m`, `1h` and `7d`. Each flag has its own default unit.

const factors: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds; null when the text is not a duration. */
export function parseDuration(text: string, defaultUnit: 'ms' | 's'): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  const factor = factors[match?.[2] ?? defaultUnit];
  if (!match || factor === undefined) return null;
  const milliseconds = Math.round(Number(match[1]) * factor);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}
