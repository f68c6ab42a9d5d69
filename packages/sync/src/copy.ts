// The entry point fleet-telematics-sync/copy: reads a copy in SQLite, for `fleet mcp --copy`.
export { type FleetCopy, openCopy } from './copy/open-copy.js';
export type { TripsOfCopy } from './copy/trips-of-copy.js';
