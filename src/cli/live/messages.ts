// Messages of --watch about outages and recoveries, with times in the zone of the table.
import { durationText } from '../../core/durations.js';
import { localTimeOfDay } from '../time/format-time.js';
import type { OutageNotice } from './poll.js';

export function outageText({ since, message, waitMs }: OutageNotice, zone: string | undefined): string {
  return `! no answer since ${localTimeOfDay(since, zone)}, trying again in ${durationText(waitMs)}: ${message}`;
}

export function recoveryText(outageMs: number): string {
  return `! the service answers again, after ${durationText(outageMs)}`;
}
