// The tools that change nothing, in the order in which models see them.
import type { Tool } from '../../mcp/tool.js';
import { describe, query } from './contract.js';
import type { CopyQuery } from './copy.js';
import { driverAssignments, whoDrove } from './drivers.js';
import { findRecordTool, recordDetails } from './find-record.js';
import { vehiclesNear } from './near.js';
import { runReport } from './report.js';
import { fleetStatus, whereIs } from './status.js';
import { fleetToday } from './today.js';
import { listTrips, sumTripsTool } from './trips.js';
import { placeVisits } from './visits.js';

/** `copy`: of the fleet, for questions about the past. */
export function readTools(copy: CopyQuery | null): readonly Tool[] {
  return [
    whereIs,
    whoDrove,
    listTrips(copy),
    sumTripsTool(copy),
    placeVisits,
    vehiclesNear,
    fleetStatus,
    fleetToday,
    driverAssignments,
    findRecordTool,
    recordDetails,
    runReport,
    describe,
    query,
  ];
}
