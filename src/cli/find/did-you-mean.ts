// "Did you mean": the candidates that are a slip of the finger away from what was typed.
import { editDistance } from '../../core/edit-distance.js';

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
