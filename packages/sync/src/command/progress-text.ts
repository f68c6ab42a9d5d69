// The line that tells how far a sync has come: rows, rate and time left of the part that is being read.
import { durationText } from 'fleet-telematics/kit';
import type { SyncProgress } from '../index.js';

/** Less of a part says nothing about the rest of it. */
const LEAST_FRACTION = 0.02;
const LEAST_MS = 2000;

/**
 * Makes texts such as `trips: 1200 rows, 340 rows/s, 45 %, about 2 min left`. All figures are of the part alone, whatever was read before it.
 *
 * @param now Milliseconds of a clock that only goes forward: the service's clock may be corrected while a sync runs.
 */
export function progressTexts(now: () => number): (progress: SyncProgress) => string {
  let begun = now();
  return ({ part, rows, fraction, isDone }) => {
    const ms = now() - begun;
    // The next part begins when this one is done.
    if (isDone) begun = now();
    const rate = ms > 0 ? `, ${Math.round(rows / (ms / 1000))} rows/s` : '';
    const tells = fraction > LEAST_FRACTION && fraction < 1 && ms > LEAST_MS;
    const left = tells ? `, about ${durationText(rounded((ms / fraction) * (1 - fraction)), 2)} left` : '';
    return `${part}: ${rows} rows${rate}, ${Math.floor(fraction * 100)} %${left}`;
  };
}

/** To whole minutes when there are several. */
function rounded(ms: number): number {
  return ms < 90_000 ? Math.ceil(ms / 1_000) * 1_000 : Math.round(ms / 60_000) * 60_000;
}
