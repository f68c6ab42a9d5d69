// "Did you mean": finds the names that are close to a typed word.

const MOST = 3;
const SHORTEST_PART = 3;

interface Candidate {
  readonly name: string;
  readonly distance: number;
}

/** Returns at most three closest names, ignoring case; none with too many typing errors. */
export function closestNames(typed: string, names: Iterable<string>): readonly string[] {
  const close = candidates(typed, names).filter(({ distance }) => distance <= tolerance(typed));
  const least = Math.min(...close.map(({ distance }) => distance));
  return close
    .filter(({ distance }) => distance === least)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** Returns similar names, best first: also ones a little further away, or that contain the word. */
export function similarNames(typed: string, names: Iterable<string>): readonly string[] {
  const part = typed.length >= SHORTEST_PART ? typed.toLowerCase() : null;
  return candidates(typed, names)
    .filter(({ name, distance }) => {
      return distance <= tolerance(typed) || (part !== null && name.toLowerCase().includes(part));
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name);
}

export function didYouMean(typed: string, names: Iterable<string>): string | undefined {
  const close = closestNames(typed, names).map((name) => `"${name}"`);
  if (close.length === 0) return undefined;
  return `Did you mean ${close.length === 1 ? close[0] : `${close.slice(0, -1).join(', ')} or ${close.at(-1)}`}?`;
}

/** One typing error per three letters, and at least one. */
function tolerance(typed: string): number {
  return Math.max(1, Math.floor(typed.length / 3));
}

function candidates(typed: string, names: Iterable<string>): readonly Candidate[] {
  const word = typed.toLowerCase();
  return [...new Set(names)].map((name) => {
    // The length difference is a lower bound. The exact distance of a long text would take seconds.
    const least = Math.abs(word.length - name.length);
    return { name, distance: least > tolerance(word) ? least : editDistance(word, name.toLowerCase()) };
  });
}

/** Returns the number of letters to insert, delete, replace or swap with a neighbour. */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  const at = (row: readonly number[], column: number) => row[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) best = Math.min(best, at(beforeLast, j - 2) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}

/** Returns a name for messages. A key may be a secret, so only plain names are repeated. */
export function printableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : '(a key that is not a name)';
}
