// Converts between local time and UTC. A zone is an IANA name; undefined is the zone of the
// machine.

export const DAY_MS = 86_400_000;

/**
 * Converts local time to UTC. `wall` is the local time written as UTC, in milliseconds. A local
 * time that occurs twice is the first one. A time that is skipped is moved forward with the clock.
 */
export function momentAt(wall: number, zone: string | undefined): number {
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  const matching = [before, after].find((offset) => offsetAt(wall - offset, zone) === offset);
  return wall - (matching ?? before);
}

/** True for a local time that is skipped when clocks go forward. */
export function isSkippedTime(wall: number, zone: string | undefined): boolean {
  const moment = momentAt(wall, zone);
  return moment + offsetAt(moment, zone) !== wall;
}

/** True when clocks were put back and show the local time of this moment for the second time. */
export function isSecondTime(moment: number, zone: string | undefined): boolean {
  const own = offsetAt(moment, zone);
  return offsetAt(moment - DAY_MS, zone) > own && momentAt(moment + own, zone) !== moment;
}

/** Returns the offset from UTC in milliseconds; positive when the zone is ahead. */
export function offsetAt(moment: number, zone: string | undefined): number {
  if (zone === undefined) return -new Date(moment).getTimezoneOffset() * 60_000;
  if (zone === 'UTC') return 0;
  const parts = formatOf(zone).formatToParts(moment);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  const wall = new Date(0);
  const isBeforeChrist = parts.some(({ type, value }) => type === 'era' && value.startsWith('B'));
  wall.setUTCFullYear(isBeforeChrist ? 1 - part('year') : part('year'), part('month') - 1, part('day'));
  wall.setUTCHours(part('hour'), part('minute'), part('second'));
  return wall.getTime() - Math.floor(moment / 1_000) * 1_000;
}

/** Cached: creating a format is slow, and a table has many times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const cached = formats.get(zone);
  if (cached) return cached;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** Returns the zone of TZ if it is an IANA name. Node handles older forms, such as `CET-1CEST`. */
export function zoneFromTz(tz: string | undefined): string | undefined {
  return tz ? canonicalZone(tz.replace(/^:?(posix\/|right\/)?/, '')) : undefined;
}

/** True when TZ looks like an IANA name, but there is no such zone: Node then silently uses UTC. */
export function isMissingZone(tz: string): boolean {
  return (
    /^:?[A-Za-z][A-Za-z_+-]*(\/[A-Za-z_+-]+)*$/.test(tz) &&
    zoneFromTz(tz) === undefined &&
    !/^:?(localtime|Factory)$/.test(tz)
  );
}

/** Returns the IANA name of a zone, given in any letter case; undefined for an unknown one. */
export function canonicalZone(name: string): string | undefined {
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
