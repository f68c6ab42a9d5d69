// The field names that somebody may have meant who wrote another one: a slip of the finger away, or a part of the name.
import { editDistance } from './edit-distance.js';

const MOST = 3;
const SHORTEST_PART = 3;

/** The nearest names, best first, without regard to case; none when nothing is near. */
export function nearMisses(written: string, names: Iterable<string>): readonly string[] {
  const said = written.toLowerCase();
  const slips = Math.max(1, Math.floor(said.length / 3));
  const near = [...names].flatMap((name) => {
    const candidate = name.toLowerCase();
    const distance = editDistance(said, candidate);
    if (distance <= slips) return { name, distance };
    const isPart = said.length >= SHORTEST_PART && candidate.includes(said);
    return isPart ? { name, distance } : [];
  });
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name);
}
