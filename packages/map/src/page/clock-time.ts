// Converts between a moment and the time of day in a native time field.
import { DAY_MS, momentAt, offsetAt } from 'fleet-telematics/kit';

/** Returns `08:30:05`. */
export function clockTimeOf(moment: number, zone: string): string {
  return new Date(moment + offsetAt(moment, zone)).toISOString().slice(11, 19);
}

/** Returns the first moment, from the second of `from` on, when clocks show `time`. */
export function momentOfClockTime(time: string, from: number, zone: string): number {
  const begin = Math.floor(from / 1_000) * 1_000;
  const wall = begin + offsetAt(begin, zone);
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const at = (days: number) => momentAt(midnight + days * DAY_MS + Date.parse(`1970-01-01T${time}Z`), zone);
  return at(0) >= begin ? at(0) : at(1);
}
