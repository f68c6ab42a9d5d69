// What counts as a stop between two trips.

/** A shorter time between two trips is a pause of the engine and not a stop. */
export const SHORTEST_STOP_MS = 180_000;
