// The calendar days that the map offers.
import { DAY_MS, momentAt, offsetAt } from 'fleet-telematics/kit';
import type { Span } from 'fleet-telematics/kit/command';
import type { MapDate } from '../shapes.js';

/** Returns null when the text is not a calendar day. A day may have 23 or 25 hours. */
export function mapDateOf(day: string, zone: string): MapDate | null {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  return { day, from: momentAt(midnight, zone), to: momentAt(midnight + DAY_MS, zone) };
}

export function datesOf({ from, to }: Span, zone: string): readonly MapDate[] {
  const dates: MapDate[] = [];
  for (let midnight = Math.floor((from + offsetAt(from, zone)) / DAY_MS) * DAY_MS; ; midnight += DAY_MS) {
    const date = mapDateOf(new Date(midnight).toISOString().slice(0, 10), zone);
    if (date === null || date.from >= to) return dates;
    dates.push(date);
  }
}
