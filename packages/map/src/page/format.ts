// Formats times, distances and speeds in the selected time zone and units.

import type { MapPlace } from '../shapes.js';
import { Language } from './words/language.js';

export type Units = 'metric' | 'imperial';

export const KM_PER_MILE = 1.609344;

function clockOf(locale: string, zone: string) {
  const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const date = { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' } as const;
  return {
    time: new Intl.DateTimeFormat(locale, clock),
    seconds: new Intl.DateTimeFormat(locale, { ...clock, second: '2-digit' }),
    moment: new Intl.DateTimeFormat(locale, { ...clock, ...date }),
    date: new Intl.DateTimeFormat(locale, { ...date, year: 'numeric' }),
    // The Swedish date format is that of ISO 8601.
    day: new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }),
  };
}

/** Age from which a date needs its year: half a year. */
const YEAR_CLEAR_MS = 182 * 86_400_000;

export class Formats {
  /** Time zone of the fleet's calendar days, whatever zone times are shown in. */
  readonly fleetZone: string;
  units: Units;
  readonly language: Language;
  #zone: string;
  #clock: ReturnType<typeof clockOf>;
  readonly #fleetDay: Intl.DateTimeFormat;
  readonly #tenths: Intl.NumberFormat;

  constructor(zone: string, units: Units, language = new Language('en')) {
    const { locale } = language;
    this.language = language;
    this.#tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.fleetZone = zone;
    this.units = units;
    this.#zone = zone;
    this.#clock = clockOf(locale, zone);
    this.#fleetDay = this.#clock.day;
  }

  get zone(): string {
    return this.#zone;
  }

  set zone(zone: string) {
    this.#clock = clockOf(this.language.locale, zone);
    this.#zone = zone;
  }

  /** Returns `08:30`. */
  time(moment: number): string {
    return this.#clock.time.format(moment);
  }

  /** Returns `24:00` for midnight, the end of a period. */
  endTime(moment: number): string {
    const text = this.time(moment);
    return text === '00:00' ? '24:00' : text;
  }

  /** Returns `08:30:05`. */
  seconds(moment: number): string {
    return this.#clock.seconds.format(moment);
  }

  moment(moment: number): string {
    return this.#clock.moment.format(moment);
  }

  /** Returns the moment, with the year when it is old. */
  pastMoment(moment: number, ageMs: number): string {
    return ageMs < YEAR_CLEAR_MS ? this.moment(moment) : `${this.date(moment)}, ${this.time(moment)}`;
  }

  date(moment: number): string {
    return this.#clock.date.format(moment);
  }

  minuteOfDay(moment: number): number {
    const [hours = 0, minutes = 0] = this.time(moment).split(':').map(Number);
    return hours * 60 + minutes;
  }

  /** `day`: such as 2026-03-01. */
  calendarDate(day: string): string {
    return clockOf(this.language.locale, 'UTC').date.format(Date.parse(day));
  }

  /** Returns `2026-03-01`, in the fleet's time zone. */
  fleetDay(moment: number): string {
    return this.#fleetDay.format(moment);
  }

  /** Returns `2026-03-01`, in the displayed time zone. */
  day(moment: number): string {
    return this.#clock.day.format(moment);
  }

  speed(kmh: number): string {
    return this.units === 'metric' ? `${Math.round(kmh)} km/h` : `${Math.round(kmh / KM_PER_MILE)} mph`;
  }

  distance(km: number): string {
    const [value, unit] = this.units === 'metric' ? [km, 'km'] : [km / KM_PER_MILE, 'mi'];
    return `${value < 100 ? this.tenths(value) : this.language.whole(value)} ${unit}`;
  }

  /** Returns `in Depot Tartu` or `2.3 km NE of Depot Tartu`; empty when unknown. */
  place(place: MapPlace | null): string {
    if (place === null) return '';
    const { name, direction } = place;
    if (direction === null) return this.language.text('inPlace', { name });
    const wind = this.language.translation('wind', direction) ?? direction;
    return this.language.text('nearPlace', { distance: this.metres(place.metres), direction: wind, name });
  }

  /** Returns `340 m` or `2.3 km`. */
  metres(metres: number): string {
    const isNear = this.units === 'metric' && metres < 999.5;
    return isNear ? `${Math.round(metres)} m` : this.distance(metres / 1_000);
  }

  /** Returns `1.5`. */
  tenths(value: number): string {
    return this.#tenths.format(value);
  }

  /** Returns `now` or `5 min ago`. Below a minute: `now` for live data, empty for the past. */
  age(ms: number, time: ShownTime): string {
    if (ms >= 60_000 || time === 'late') return this.ago(ms);
    return time === 'live' ? this.language.text('now') : '';
  }

  /** Returns `40 s ago` or `5 min ago`. */
  ago(ms: number): string {
    if (ms >= 86_400_000) return this.language.counted(Math.floor(ms / 86_400_000), 'dayAgo');
    const [unit, size] = ms < 60_000 ? ['s', 1_000] : ms < 3_600_000 ? ['min', 60_000] : ['h', 3_600_000];
    return this.language.text('ago', { time: `${Math.max(0, Math.floor(ms / size))} ${unit}` });
  }

  exactly(moment: number): string {
    return `${this.date(moment)}, ${this.seconds(moment)}`;
  }
}

/** Returns `2 h 05 min`, `12 min` or `40 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Returns the difference of two times as displayed, to the minute. */
export function spanText(from: number, to: number): string {
  const minutes = Math.floor(to / 60_000) - Math.floor(from / 60_000);
  return formatDuration(minutes > 0 ? minutes * 60_000 : to - from);
}

/** `live`: true now. `late`: true when the last data arrived. `past`: the slider's time. */
export type ShownTime = 'live' | 'late' | 'past';

/** True when the device only reports that an event has happened. */
export function isUnknownEvent(type: string): boolean {
  return /UNKNOWN$/.test(type);
}

/** Returns `Harsh braking` for `HARSH_BRAKING`; an unknown type becomes English words. */
export function eventText(type: string, language: Language): string {
  const translated = language.translation('event', type);
  if (translated !== null) return translated;
  const words = type.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
