// Limits that keep the memory of a sync small for any number of vehicles and days.

// Two answers are in memory as bytes, and one vehicle's rows as objects, which take far more.

/**
 * Maximum growth of answers for trips, in bytes: about eight vehicle days, as they have few fields.
 * Twice the size halves the requests, but takes 100 MB more memory, and other calls wait longer.
 */
export const TRIP_ANSWER_BYTES = 8 * 1024 * 1024;
/** In bytes, for whole snapshots. A vehicle that was silent may bring ten times as much at once. */
export const SNAPSHOT_ANSWER_BYTES = 1024 * 1024;
export const BATCH_SNAPSHOTS = 2000;
