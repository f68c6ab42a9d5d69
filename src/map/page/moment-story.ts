// What is said of a moment of the day: its time, and the trip or the stop that it belongs to.
import type { MapDay } from '../shapes.js';
import { type Formats, spanText } from './format.js';

interface Period {
  readonly from: number;
  readonly to: number;
}

/** `speed`: in words; empty when it is not known. The date is said when the `period` of the slider has several days. */
export function momentStory(
  { trips, stops }: MapDay,
  at: number,
  speed: string,
  period: Period,
  formats: Formats,
): string {
  const time = formats.day(period.from) === formats.day(period.to) ? formats.seconds(at) : formats.moment(at);
  const trip = trips.find(({ from, to, lastSeenAt }) => from <= at && at <= (to ?? lastSeenAt));
  if (trip !== undefined) {
    const places = [trip.startPlace, trip.endPlace].map((place) => formats.place(place)).join(' → ');
    return joined([time, speed, ...trip.drivers, places === ' → ' ? '' : places]);
  }
  const index = stops.findIndex(({ from, to }) => from <= at && (to === null || at <= to));
  const stop = stops[index];
  if (stop === undefined) return time;
  const name = formats.language.text('stopNumber', { number: String(index + 1) });
  const lasted = stop.to === null ? '' : `, ${spanText(stop.from, stop.to)}`;
  return joined([time, `${name}${lasted}`, formats.place(stop.place)]);
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');
