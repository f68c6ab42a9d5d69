// Finds the time for a point under the pointer.
import type { MapDay, MapEvent, MapStop } from '../shapes.js';
import { xOf, yOf } from './mercator.js';
import type { Track } from './track.js';
import { type PageView, screenX, screenY, shiftOf } from './view.js';

/** In pixels. */
const REACH = 12;

/** Returns null when the track is not near. */
export function timeNear(
  track: Track,
  { from, to }: { readonly from: number; readonly to: number },
  view: PageView,
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

/** Returns the time of the topmost event or stop sign at the point, or null. */
export function timeOfSign(
  { track, from, stops, events }: Pick<MapDay, 'from' | 'stops' | 'events'> & { readonly track: Track },
  view: PageView,
  point: { readonly x: number; readonly y: number },
): number | null {
  const shift = shiftOf(view, track.x[0] ?? 0);
  const isAt = ({ latitude, longitude }: MapEvent | MapStop, wide: number, above: number, below: number) => {
    const [x, foot] = [screenX(view, xOf(longitude) + shift), screenY(view, yOf(latitude))];
    return Math.abs(point.x - x) <= wide && point.y >= foot - above && point.y <= foot + below;
  };
  // Only the triangle of an event: its pole ends on the line or on a stop.
  const event = events.findLast((each) => isAt(each, 9, 30, -14));
  if (event !== undefined) return event.at;
  const stop = stops.findLast((each) => isAt(each, 10, 8, 8));
  return stop === undefined ? null : Math.max(from, stop.from);
}

export function nearestEvent(events: readonly MapEvent[], time: number, reachMs: number): number | null {
  let [least, found]: [number, number | null] = [reachMs, null];
  for (const { at } of events) {
    const distance = Math.abs(at - time);
    if (distance <= least) [least, found] = [distance, at];
  }
  return found;
}
