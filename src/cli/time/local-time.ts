// Writes times for people, in one time zone. Tables name its offset once, in their headings; a time at another offset, as after a change
// of daylight saving, carries its own.
import { offsetAt, zoneNamed } from '../../core/time-zone.js';

/** How times are written. */
export interface LocalTime {
  /** An IANA name; undefined for the zone of the machine. */
  readonly zone: string | undefined;
  /** The offset that a heading names, in milliseconds ahead of UTC; null when each time carries its own. */
  readonly offset: number | null;
}

/** `exact`: seconds, and milliseconds where there are any. */
export type Precision = 'minute' | 'second' | 'exact';

/** `2026-03-02 09:41`, or `2026-03-02 09:41+02:00` where no heading names this offset. Minutes and seconds are cut, not rounded. */
export function localTime(moment: number, precision: Precision, { zone, offset }: LocalTime): string {
  // At the very end of time the local time is no date any more, and the offset is not a number.
  const own = offsetAt(moment, zone) || 0;
  return `${wallOf(moment, own, precision)}${own === offset ? '' : suffixOf(own)}`;
}

/** `09:41:05+02:00` */
export function localTimeOfDay(moment: number, zone: string | undefined): string {
  const own = offsetAt(moment, zone);
  return `${wallOf(moment, own, 'second').slice(-8)}${suffixOf(own)}`;
}

/** `2026-03-02` */
export function localDate(moment: number, zone: string | undefined): string {
  return wallOf(moment, offsetAt(moment, zone), 'minute').replace(/ .*$/, '');
}

/** For a heading: `UTC+02:00`, or `UTC`. */
export function offsetName(offset: number): string {
  return offset === 0 ? 'UTC' : `UTC${signed(offset)}`;
}

/**
 * A heading with the zone of its times, `startedAt (Europe/Tallinn)`, or their offset, `startedAt (UTC+02:00)`; null for one without. An
 * offset is in milliseconds.
 */
export function zoneInHeading(heading: string): { readonly name: string; readonly zone: string | number } | null {
  const [, name = '', inBrackets] = /^(.*?) *\(([\w/:+-]+)\)$/.exec(heading) ?? [];
  if (inBrackets === undefined) return null;
  const offset = /^UTC(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(inBrackets);
  if (!offset) {
    const zone = zoneNamed(inBrackets);
    return zone === undefined ? null : { name, zone };
  }
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = offset;
  const distance = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return { name, zone: sign === '-' ? -distance : distance };
}

/** The one offset of all these times; null when they have several, or there is none. */
export function commonOffset(moments: Iterable<number>, zone: string | undefined): number | null {
  let common: number | null = null;
  for (const moment of moments) {
    const offset = offsetAt(moment, zone);
    if (common !== null && common !== offset) return null;
    common = offset;
  }
  return common;
}

/** The largest time that JavaScript can write. */
const LAST_MOMENT = 8.64e15;

function wallOf(moment: number, offset: number, precision: Precision): string {
  const wall = new Date(Math.max(-LAST_MOMENT, Math.min(LAST_MOMENT, moment + offset))).toISOString();
  return wall.replace('T', ' ').replace(ends[precision], '');
}

/** What is left out of `2026-03-02 09:41:05.123Z`. */
const ends: Readonly<Record<Precision, RegExp>> = { minute: /:\d\d\.\d+Z$/, second: /\.\d+Z$/, exact: /(\.000)?Z$/ };

/** As in RFC 3339, so that the time can be typed as it is shown. */
function suffixOf(offset: number): string {
  return offset === 0 ? 'Z' : signed(offset);
}

/** `+02:00`; with seconds for the local times of old cities, such as `+01:39:49`. */
function signed(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return `${offset < 0 ? '-' : '+'}${shown.map((part) => String(part).padStart(2, '0')).join(':')}`;
}
