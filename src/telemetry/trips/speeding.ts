// The rule for speeding, for trips and for alerts: which snapshots above a limit belong together. A pure function.

/** Snapshots above a limit, one after the other. Times are in milliseconds since 1970. */
export interface SpeedingStretch {
  /** The first snapshot above the limit. */
  readonly from: number;
  /** The last one. */
  readonly to: number;
  readonly topSpeedKmh: number;
}

/** A speed above the limit says nothing about what comes after a longer time without a snapshot. */
const UNSEEN_MS = 15 * 60_000;

/** The stretch that goes on after a snapshot; null when the vehicle is not above the limit. A snapshot without a speed changes nothing. */
export function speedingAfter(
  before: SpeedingStretch | null,
  { time, speedKmh }: { readonly time: number; readonly speedKmh: number | null },
  limitKmh: number,
): SpeedingStretch | null {
  const goesOn = before !== null && time - before.to > UNSEEN_MS ? null : before;
  if (speedKmh === null) return goesOn;
  if (speedKmh <= limitKmh) return null;
  if (goesOn === null) return { from: time, to: time, topSpeedKmh: speedKmh };
  return { from: goesOn.from, to: time, topSpeedKmh: Math.max(goesOn.topSpeedKmh, speedKmh) };
}
