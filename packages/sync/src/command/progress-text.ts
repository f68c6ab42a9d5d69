// Formats the progress line of a sync: rows, rate and time left of the current part.
import { durationText } from 'fleet-telematics/kit';
import type { SyncProgress } from '../index.js';

/** A smaller fraction does not predict the rest. */
const LEAST_FRACTION = 0.02;
const LEAST_MS = 2000;

/**
 * Formats texts such as `trips: 1200 rows, 340 rows/s, 45 %, about 2 min left`, for one part alone.
 *
 * @param now A monotonic clock in milliseconds: the service's clock may be corrected during a sync.
 */
export function progressTexts(now: () => number): (progress: SyncProgress) => string {
  let begun = now();
  return ({ part, rows, fraction, isDone }) => {
    const ms = now() - begun;
    if (isDone) begun = now();
    const rate = ms > 0 ? `, ${Math.round(rows / (ms / 1000))} rows/s` : '';
    const hasEstimate = fraction > LEAST_FRACTION && fraction < 1 && ms > LEAST_MS;
    const left = hasEstimate ? `, about ${durationText(rounded((ms / fraction) * (1 - fraction)), 2)} left` : '';
    return `${part}: ${rows} rows${rate}, ${Math.floor(fraction * 100)} %${left}`;
  };
}

/** Rounds to whole minutes from 90 s on. */
function rounded(ms: number): number {
  return ms < 90_000 ? Math.ceil(ms / 1_000) * 1_000 : Math.round(ms / 60_000) * 60_000;
}
