// The time-outs, thresholds and counts of the command line, in one place. Those of the SDK come from the SDK.

/** How long an interrupted command may take to clean up before the process ends. */
export const interruptGraceMs = 1_000;

/** Width of a help text that the build prints in advance. */
export const prebuiltHelpColumns = 80;

/** How many choices an error message lists for people; JSON lists all. */
export const maxChoicesShown = 20;
/** How many lines of a file, features of a map or other problems one message lists. */
export const maxProblemsShown = 10;
/** How many records a confirmation lists by name. */
export const maxConfirmedNames = 10;
/** How many vehicles without data a remark lists. */
export const maxMissingVehicles = 5;
/** How many broken operations `fleet doctor` lists. */
export const maxBrokenOperations = 5;

/**
 * A table on a terminal computes its column widths from at least this many rows, and from more that are there already; it prints later
 * rows as they arrive. In a pipe it waits for all of them, up to the second number.
 */
export const tableSampleRows = 200;
export const pipedTableRows = 100_000;
/** `snapshots list` updates its progress once per this many rows. */
export const progressEveryRows = 500;

/** Completion: how long names of records are used without asking the service again, and how long a Tab waits for its answer. */
export const namesFreshMs = 300_000;
export const namesWaitMs = 1_000;

/** `--watch`: the default pause between two requests, and the shortest one allowed. */
export const watchIntervalMs = 30_000;
export const minWatchIntervalMs = 1_000;

/** `fleet map`: the default pause between two requests while a page is visible. */
export const mapWatchIntervalMs = 10_000;
/** `fleet map`: of how many vehicles and how long the roads are drawn, and how long they are good for. */
export const maxRoadVehicles = 50;
export const roadsSpanMs = 86_400_000;
export const roadsMaxAgeMs = 1_800_000;
/** `fleet map --file`: how many vehicles' snapshots are in memory at a time. */
export const mapFileBatch = 20;

/** `fleet doctor`: how long a connection may take. */
export const connectTimeoutMs = 10_000;
/** `fleet doctor`: how long the answer to the clock check may take. */
export const answerTimeoutMs = 60_000;
/** `fleet doctor`: a certificate that expires sooner is reported. */
export const certificateWarningDays = 14;
/** `fleet doctor`: a larger difference between the clocks is reported. */
export const clockDifferenceWarningMs = 30_000;
/** `fleet doctor`: a turn that one process holds for longer is reported. A turn lasts one request. */
export const longTurnMs = 60_000;

/** How long a connection to Redis may take, and from which answer time on `fleet doctor` reports it. */
export const redisConnectMs = 2_000;
export const slowRedisMs = 100;

/** `vehicles status --watch` reads the assignments again after this time: they change a few times a day, and each vehicle is asked for. */
export const assignmentsMaxAgeMs = 300_000;
/** The service accepts an assignment that begins at most this long ago. */
export const assignmentMaxAgeMs = 10 * 86_400_000;
/** Assignments that ended this long before a change are shown too, in case the clocks differ. */
export const assignmentClockSkewMs = 3_600_000;
/** Times of assignments that differ by less are the same after a change: services may round them. */
export const assignmentToleranceMs = 60_000;
