// The totals of a day as text.
import type { MapDay } from '../shapes.js';
import { type Formats, formatDuration } from './format.js';
import { sumsOf } from './recorded.js';
import type { WordKey } from './words/words.js';

/** Returns the totals; null where a value is unknown. */
export function numbersOf({ trips, stops }: MapDay, formats: Formats): readonly (readonly [WordKey, string | null])[] {
  const { km, isDoubted, movingMs, idleMs, fuelUsed, isFuelInLitres, topSpeed } = sumsOf(trips);
  const { language } = formats;
  return [
    ['distance', dayDistanceText(km, isDoubted, formats)],
    ['movingTime', formatDuration(movingMs)],
    ['idleTime', formatDuration(idleMs)],
    ['trips', language.whole(trips.length)],
    ['stops', language.whole(stops.length)],
    ['topSpeed', topSpeed === null ? null : formats.speed(topSpeed)],
    ['fuelUsed', fuelUsed === null ? null : `${formats.tenths(fuelUsed)}${isFuelInLitres ? ' l' : ''}`],
  ];
}

export function dayDistanceText(km: number, isDoubted: boolean, formats: Formats): string {
  const distance = formats.distance(km);
  return isDoubted ? formats.language.text('about', { distance }) : distance;
}
