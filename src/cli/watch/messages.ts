// The texts that --watch prints beside the data: outages and recoveries, with times in the zone of the table.
import { localTimeOfDay } from '../time/local-time.js';
import type { OutageEvent } from './poll.js';

/** `500 ms`, `30 s`, `2 min`, `1 h 30 min`: exact, not rounded to one unit. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ');
}

export function outageText({ since, message, waitMs }: OutageEvent, zone: string | undefined): string {
  return `! no answer since ${localTimeOfDay(since, zone)}, trying again in ${durationText(waitMs)}: ${message}`;
}

export function recoveryText(outageMs: number): string {
  return `! the service answers again, after ${durationText(outageMs)}`;
}
