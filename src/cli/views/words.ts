// Times, ages and numbers as people say them. For tables only: tsv, csv and JSON carry the values themselves.
import { toDate } from '../../to-date.js';

const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
] as const;

/** `12 min ago`, `in 3 h`; `now` within a second. */
export function ageText(moment: number, now: number): string {
  const distance = Math.abs(now - moment);
  const unit = units.find(({ ms }) => distance >= ms);
  if (!unit) return 'now';
  const text = `${Math.floor(distance / unit.ms)} ${unit.name}`;
  return moment > now ? `in ${text}` : `${text} ago`;
}

/** Milliseconds since 1970 of a timestamp as the service sends it; null when it is none. */
export function momentOf(value: string | number | null | undefined): number | null {
  try {
    return toDate(value)?.getTime() ?? null;
  } catch {
    return null;
  }
}

/** `12,345`: whole, with separators that do not depend on where the machine stands. */
export function wholeNumber(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}
