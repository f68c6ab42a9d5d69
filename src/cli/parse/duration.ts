// `500ms`, `30s`, `2m`, `1h`, `7d` as milliseconds. What a bare number means is the flag's own business.

const factors: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds, or null when the text is no duration. */
export function parseDuration(text: string, bare: 'ms' | 's'): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim());
  const factor = factors[match?.[2] ?? bare];
  if (!match || factor === undefined) return null;
  const milliseconds = Math.round(Number(match[1]) * factor);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}
