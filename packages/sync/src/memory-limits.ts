// What keeps the memory of a sync small, however many vehicles and days it reads.

// Two answers are in memory at once as bytes, and the rows of a vehicle in one of them as objects, which take many times as much.

/**
 * Size up to which answers grow that trips are computed of, about eight vehicle days: they have few fields. Twice as large ones need half as
 * many requests, but 100 MB more memory, and other calls of the user wait longer for their turn.
 */
export const TRIP_ANSWER_BYTES = 8 * 1024 * 1024;
/** The same for whole snapshots. A vehicle that was silent may bring ten times as much in one answer. */
export const SNAPSHOT_ANSWER_BYTES = 1024 * 1024;
/** Snapshots that are written together. */
export const BATCH_SNAPSHOTS = 2000;
