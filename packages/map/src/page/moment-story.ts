// Describes a moment of the day: its time, and its event, stop or trip.
import type { MapDay } from '../shapes.js';
import { eventText, type Formats, spanText } from './format.js';

export interface StoryDay {
  readonly day: MapDay;
  /** The slider's period; a date is added for several days. */
  readonly period: { readonly from: number; readonly to: number };
  /** True while the day is not over. */
  readonly isGoingOn: boolean;
  readonly speed: string;
}

export function momentStory({ day, period, isGoingOn, speed }: StoryDay, at: number, formats: Formats): string {
  const { trips, stops } = day;
  const { language } = formats;
  const time = formats.day(period.from) === formats.day(period.to) ? formats.seconds(at) : formats.moment(at);
  const events = day.events.filter((event) => event.at === at);
  const eventTexts = new Set(events.map(({ type }) => eventText(type, language)));
  // A trip ends at the moment its stop begins; the sign there is the stop's.
  const index = stops.findIndex(({ from, to }) => from <= at && (to === null || at <= to));
  const stop = stops[index];
  if (stop !== undefined) {
    const lasted = spanText(stop.from, stop.to ?? day.to);
    const length = stop.to === null && isGoingOn ? language.text('soFar', { time: lasted }) : lasted;
    const name = language.text('stopNumber', { number: String(index + 1) });
    return joined([time, ...eventTexts, `${name}, ${length}`, formats.place(stop.place)]);
  }
  const trip = trips.find(({ from, to, lastSeenAt }) => from <= at && at <= (to ?? lastSeenAt));
  const ends = [trip?.startPlace, trip?.endPlace].map((place) => formats.place(place ?? null)).join(' → ');
  const [event] = events;
  // Same speed as in the list of events.
  const speedText = event?.speed == null ? speed : formats.speed(event.speed);
  const place = formats.place(event?.place ?? null) || (ends === ' → ' ? '' : ends);
  if (trip === undefined && event === undefined) return time;
  return joined([time, ...eventTexts, speedText, ...(trip?.drivers ?? []), place]);
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');
