// From what the clocks of a time zone show to the moment it is, and back. A zone is an IANA name; undefined is the machine's.

const day = 86_400_000;

/**
 * The moment at which clocks of the zone show this. Where they show it twice, the first; where they skip it, as much later as
 * they are put forward. `wall` is what they show, as if it were UTC.
 */
export function momentAt(wall: number, zone: string | undefined): number {
  const before = offsetAt(wall - day, zone);
  const after = offsetAt(wall + day, zone);
  const fits = [before, after].find((offset) => offsetAt(wall - offset, zone) === offset);
  return wall - (fits ?? before);
}

/** What the clocks of the zone are ahead of UTC, in milliseconds. */
export function offsetAt(moment: number, zone: string | undefined): number {
  if (zone === undefined) return -new Date(moment).getTimezoneOffset() * 60_000;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const wall = new Date(0);
  const isBefore = parts.some(({ type, value }) => type === 'era' && value.startsWith('B'));
  wall.setUTCFullYear(isBefore ? 1 - part('year') : part('year'), part('month') - 1, part('day'));
  wall.setUTCHours(part('hour'), part('minute'), part('second'));
  return wall.getTime() - Math.floor(moment / 1_000) * 1_000;
}

/** What TZ says, when it is a name that is known; Node itself reads the older forms, such as `CET-1CEST`. */
export function zoneOf(tz: string | undefined): string | undefined {
  if (!tz) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: tz.replace(/^:/, '') }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
