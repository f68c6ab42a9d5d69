import type { Track } from './track.js';

/** Returns indices: line ends, and positions at least `step` (in the unit square) apart. */
export function visiblePositions({ x, y, begins, times }: Track, step: number): Int32Array {
  const indices = new Int32Array(times.length);
  let count = 0;
  let [lastX, lastY] = [0, 0];
  for (let i = 0; i < times.length; i++) {
    const [hereX, hereY] = [x[i] ?? 0, y[i] ?? 0];
    const isEnd = begins[i] === 1 || i === times.length - 1 || begins[i + 1] === 1;
    if (!isEnd && Math.abs(hereX - lastX) < step && Math.abs(hereY - lastY) < step) continue;
    indices[count++] = i;
    [lastX, lastY] = [hereX, hereY];
  }
  return indices.slice(0, count);
}
