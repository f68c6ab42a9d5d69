// When a vehicle was at the place under the pointer.
import type { Track } from './track.js';
import { screenX, screenY, shiftOf, type View } from './view.js';

/** Pixels. */
const REACH = 12;

/** The time of the nearest position of a period; null when the track is not near. */
export function timeNear(
  track: Track,
  { from, to }: { readonly from: number; readonly to: number },
  view: View,
  point: { readonly x: number; readonly y: number },
): number | null {
  const shift = shiftOf(view, track.x[0] ?? 0);
  let least = REACH * REACH;
  let found: number | null = null;
  let before: readonly [x: number, y: number, time: number] | null = null;
  for (let i = 0; i < track.times.length; i++) {
    const time = track.times[i] ?? 0;
    if (time < from || time > to) continue;
    const here = [screenX(view, (track.x[i] ?? 0) + shift), screenY(view, track.y[i] ?? 0), time] as const;
    const [x, y, begin] = before === null || track.begins[i] === 1 ? here : before;
    const [dx, dy] = [here[0] - x, here[1] - y];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : ((point.x - x) * dx + (point.y - y) * dy) / length;
    const part = Math.max(0, Math.min(1, along));
    const distance = (x + dx * part - point.x) ** 2 + (y + dy * part - point.y) ** 2;
    if (distance < least) [least, found] = [distance, begin + (time - begin) * part];
    before = here;
  }
  return found;
}
