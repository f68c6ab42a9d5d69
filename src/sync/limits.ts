// What keeps the memory of a sync small, however many vehicles and days it reads.

// Two answers are in memory at once, as text and as objects, which take many times as much.

/** Size up to which answers grow that trips are computed of: they have few fields. */
export const TRIP_ANSWER_BYTES = 2 * 1024 * 1024;
/** The same for whole snapshots. A vehicle that was silent may bring ten times as much in one answer. */
export const SNAPSHOT_ANSWER_BYTES = 1024 * 1024;
/** Snapshots that are written together. */
export const BATCH_SNAPSHOTS = 2000;
