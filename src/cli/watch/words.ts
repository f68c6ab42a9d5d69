// What --watch says beside the data: outages, their end, and the time of day as the rest of the output has it, in UTC.
import type { Outage } from './poll.js';

/** `09:30:05Z` */
export function timeOfDay(moment: number): string {
  return `${new Date(moment).toISOString().slice(11, 19)}Z`;
}

/** `500 ms`, `30 s`, `2 min`, `1 h 30 min`: exact, for what somebody has set. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ');
}

export function outageText({ since, message, waitMs }: Outage): string {
  return `! no answer since ${timeOfDay(since)}, trying again in ${spanText(waitMs)}: ${message}`;
}

export function backText(outageMs: number): string {
  return `! the service answers again, after ${spanText(outageMs)}`;
}
