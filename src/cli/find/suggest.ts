// "Did you mean": the candidates that are a slip of the finger away from what was typed.

/** Edits (insert, delete, replace, swap neighbours) that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      rows[i]?.push(best);
    }
  }
  return at(a.length, b.length);
}

/** The nearest candidates, at most three, without regard to case. */
export function suggest(typed: string, candidates: Iterable<string>): readonly string[] {
  const said = typed.toLowerCase();
  const limit = Math.max(1, Math.floor(said.length / 3));
  const near = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: editDistance(said, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit);
  const nearest = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === nearest)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** The sentence for a hint, or undefined when nothing is near. */
export function didYouMean(typed: string, candidates: Iterable<string>): string | undefined {
  const near = suggest(typed, candidates).map((candidate) => `"${candidate}"`);
  if (near.length === 0) return undefined;
  return `Did you mean ${near.length === 1 ? near[0] : `${near.slice(0, -1).join(', ')} or ${near.at(-1)}`}?`;
}
