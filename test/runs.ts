// How often a property is tried: in full by `npm run check`, a tenth of it by `npm test`, which is run many times a day.

/** Whether the environment asks for the full run (`FULL_RUNS`, which `npm run check` sets). */
export const isFullRun = Boolean(process.env.FULL_RUNS);

export const runs = (full: number): number => (isFullRun ? full : Math.ceil(full / 10));
