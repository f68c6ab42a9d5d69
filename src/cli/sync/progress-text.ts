// The line that tells how far a sync has come: rows, rate and time left of the part that is being read.
import type { SyncProgress } from '../../sync/index.js';

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
    const left = tells ? `, about ${shortTime((ms / fraction) * (1 - fraction))} left` : '';
    return `${part}: ${rows} rows${rate}, ${Math.floor(fraction * 100)} %${left}`;
  };
}

function shortTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90
    ? `${seconds} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`;
}
