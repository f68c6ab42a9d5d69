// The rule for speeding, for trips and alerts: which snapshots above a limit form one stretch.

/** Consecutive snapshots above a limit. Times are in milliseconds since 1970. */
export interface SpeedingStretch {
  readonly from: number;
  readonly to: number;
  readonly topSpeedKmh: number;
}

/** A speed above the limit does not extend over a longer time without snapshots. */
const UNSEEN_MS = 15 * 60_000;

/** Returns the stretch after a snapshot; null below the limit. A missing speed changes nothing. */
export function nextSpeeding(
  before: SpeedingStretch | null,
  { time, speedKmh }: { readonly time: number; readonly speedKmh: number | null },
  limitKmh: number,
): SpeedingStretch | null {
  const continued = before !== null && time - before.to > UNSEEN_MS ? null : before;
  if (speedKmh === null) return continued;
  if (speedKmh <= limitKmh) return null;
  if (continued === null) return { from: time, to: time, topSpeedKmh: speedKmh };
  return { from: continued.from, to: time, topSpeedKmh: Math.max(continued.topSpeedKmh, speedKmh) };
}
