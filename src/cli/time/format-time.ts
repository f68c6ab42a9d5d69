// Formats times in one zone. Tables name its offset in the heading; a time with another one has a
// suffix.
import { canonicalZone, offsetAt } from '../../core/time-zone.js';

export interface LocalTime {
  /** IANA name; undefined for the zone of the machine. */
  readonly zone: string | undefined;
  /** Offset in the heading, in milliseconds ahead of UTC; null when each time has its own. */
  readonly offset: number | null;
}

/** `exact`: seconds, and milliseconds unless they are 0. */
export type Precision = 'minute' | 'second' | 'exact';

/** Returns `2026-03-02 09:41`, with `+02:00` if no heading names it. Cut, not rounded. */
export function localTime(moment: number, precision: Precision, { zone, offset }: LocalTime): string {
  // At the very end of the time range the local time is no valid date, and the offset is NaN.
  const own = offsetAt(moment, zone) || 0;
  return `${wallOf(moment, own, precision)}${own === offset ? '' : suffixOf(own)}`;
}

/** Returns `09:41:05+02:00`. */
export function localTimeOfDay(moment: number, zone: string | undefined): string {
  const own = offsetAt(moment, zone);
  return `${wallOf(moment, own, 'second').slice(-8)}${suffixOf(own)}`;
}

/** Returns `2026-03-02`. */
export function localDate(moment: number, zone: string | undefined): string {
  return wallOf(moment, offsetAt(moment, zone), 'minute').replace(/ .*$/, '');
}

/** Returns `UTC+02:00` or `UTC`, for a heading. */
export function offsetName(offset: number): string {
  return offset === 0 ? 'UTC' : `UTC${formatOffset(offset)}`;
}

/** Parses the zone or offset (ms) of a heading: `startedAt (Europe/Tallinn)`, else null. */
export function zoneInHeading(heading: string): { readonly name: string; readonly zone: string | number } | null {
  const [, name = '', inBrackets] = /^(.*?) *\(([\w/:+-]+)\)$/.exec(heading) ?? [];
  if (inBrackets === undefined) return null;
  const offset = /^UTC(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(inBrackets);
  if (!offset) {
    const zone = canonicalZone(inBrackets);
    return zone === undefined ? null : { name, zone };
  }
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = offset;
  const distance = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return { name, zone: sign === '-' ? -distance : distance };
}

/** Returns the common offset of all times; null when they have several, or there are no times. */
export function commonOffset(moments: Iterable<number>, zone: string | undefined): number | null {
  let common: number | null = null;
  for (const moment of moments) {
    const offset = offsetAt(moment, zone);
    if (common !== null && common !== offset) return null;
    common = offset;
  }
  return common;
}

const LAST_MOMENT = 8.64e15;

function wallOf(moment: number, offset: number, precision: Precision): string {
  const wall = new Date(Math.max(-LAST_MOMENT, Math.min(LAST_MOMENT, moment + offset))).toISOString();
  return wall.replace('T', ' ').replace(ends[precision], '');
}

/** The parts to remove from `2026-03-02 09:41:05.123Z`. */
const ends: Readonly<Record<Precision, RegExp>> = { minute: /:\d\d\.\d+Z$/, second: /\.\d+Z$/, exact: /(\.000)?Z$/ };

/** As in RFC 3339, so that the time can be typed as it is shown. */
function suffixOf(offset: number): string {
  return offset === 0 ? 'Z' : formatOffset(offset);
}

/** Returns `+02:00`; with seconds for historical local times, such as `+01:39:49`. */
function formatOffset(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return `${offset < 0 ? '-' : '+'}${shown.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
