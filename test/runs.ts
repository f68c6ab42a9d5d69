// The number of random cases of a property: all nightly, a tenth in the checks of every push.

/** True in the nightly run, which sets `FULL_RUNS`. */
export const isFullRun = Boolean(process.env.FULL_RUNS);

/** Returns the number of cases to try, of `full` cases in the nightly run. */
export const runs = (full: number): number => (isFullRun ? full : Math.ceil(full / 10));
