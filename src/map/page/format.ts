// Times, distances and speeds as people read them: in the time zone of the map, and in the units they chose.

export type Units = 'metric' | 'imperial';

const KM_PER_MILE = 1.609344;

export class Formats {
  readonly zone: string;
  units: Units;
  readonly #time: Intl.DateTimeFormat;
  readonly #seconds: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;

  constructor(zone: string, units: Units, locale?: string) {
    this.zone = zone;
    this.units = units;
    const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const date = { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' } as const;
    this.#time = new Intl.DateTimeFormat(locale, clock);
    this.#seconds = new Intl.DateTimeFormat(locale, { ...clock, second: '2-digit' });
    this.#moment = new Intl.DateTimeFormat(locale, { ...clock, ...date });
    this.#date = new Intl.DateTimeFormat(locale, { ...date, year: 'numeric' });
    // Sweden writes a date as ISO 8601 does.
    this.#day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  }

  /** `08:30` */
  time(moment: number): string {
    return this.#time.format(moment);
  }

  /** `08:30:05` */
  seconds(moment: number): string {
    return this.#seconds.format(moment);
  }

  /** With the day. */
  moment(moment: number): string {
    return this.#moment.format(moment);
  }

  date(moment: number): string {
    return this.#date.format(moment);
  }

  /** `2026-03-01`: the day of a moment. */
  day(moment: number): string {
    return this.#day.format(moment);
  }

  /** The speed is in km/h. */
  speed(kmh: number): string {
    return this.units === 'metric' ? `${Math.round(kmh)} km/h` : `${Math.round(kmh / KM_PER_MILE)} mph`;
  }

  distance(km: number): string {
    const [value, unit] = this.units === 'metric' ? [km, 'km'] : [km / KM_PER_MILE, 'mi'];
    return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${unit}`;
  }
}

/** `2 h 05 min`, `12 min`, `40 s` */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `now`, `5 min ago`, `3 h ago`, `2 d ago` */
export function ageText(ms: number): string {
  if (ms < 60_000) return 'now';
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ago`;
  return ms < 86_400_000 ? `${Math.floor(ms / 3_600_000)} h ago` : `${Math.floor(ms / 86_400_000)} d ago`;
}

/** `HARSH_BRAKING` is `Harsh braking`. */
export function eventText(type: string): string {
  const words = type.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 trip`, `12 trips` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
