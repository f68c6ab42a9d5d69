// Converts between local time in a time zone and UTC. A zone is an IANA name; undefined is the zone of the machine.

export const DAY_MS = 86_400_000;

/**
 * Converts local time to UTC. A local time that occurs twice, when clocks go back, is the first one; a time that is skipped, when clocks
 * go forward, moves forward with them. `wall` is the local time written as if it were UTC, in milliseconds.
 */
export function momentAt(wall: number, zone: string | undefined): number {
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  const matching = [before, after].find((offset) => offsetAt(wall - offset, zone) === offset);
  return wall - (matching ?? before);
}

/** Returns true for a local time that clocks never show, because they are put forward over it. `wall` as in `momentAt`. */
export function isSkippedTime(wall: number, zone: string | undefined): boolean {
  const moment = momentAt(wall, zone);
  return moment + offsetAt(moment, zone) !== wall;
}

/** Whether clocks have shown the local time of this moment before, because they were put back. */
export function isSecondTime(moment: number, zone: string | undefined): boolean {
  const own = offsetAt(moment, zone);
  return offsetAt(moment - DAY_MS, zone) > own && momentAt(moment + own, zone) !== moment;
}

/** How far the zone is ahead of UTC, in milliseconds. */
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

/** A format is slow to make, and a table has many times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
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

/** The zone that TZ names, when it is an IANA name. Node itself handles the older forms, such as `CET-1CEST`. */
export function zoneOf(tz: string | undefined): string | undefined {
  return tz ? zoneNamed(tz.replace(/^:?(posix\/|right\/)?/, '')) : undefined;
}

/** Whether TZ has the form of an IANA name, and there is no such zone: Node then takes UTC without a word. */
export function isMissingZone(tz: string): boolean {
  return (
    /^:?[A-Za-z][A-Za-z_+-]*(\/[A-Za-z_+-]+)*$/.test(tz) &&
    zoneOf(tz) === undefined &&
    !/^:?(localtime|Factory)$/.test(tz)
  );
}

/** The IANA name of a zone, in any case; undefined when there is none of that name. */
export function zoneNamed(name: string): string | undefined {
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
