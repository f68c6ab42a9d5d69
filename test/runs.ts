// How often a property is tried: in full by `npm run check`, a quarter of it by `npm test`, which is run many times a day.

export const runs = (full: number): number => (process.env.FULL_RUNS ? full : Math.ceil(full / 4));
