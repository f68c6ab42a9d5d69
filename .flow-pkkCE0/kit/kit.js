import { isLoopback } from "../core/base-url.js";
import { copyToBackup } from "../core/corrupt-file-backup.js";
import { isDateTime } from "../core/dates.js";
import { durationText } from "../core/durations.js";
import { errorCode } from "../core/error-code.js";
import { SyncTargetError } from "../core/errors.js";
import { bearing, greatCircleKm } from "../core/geo.js";
import { Journal } from "../core/journal.js";
import { isObject, isSameJson, valueAtPath } from "../core/json.js";
import { makeFolder } from "../core/make-folder.js";
import { numberFrom, problemIn } from "../core/option-checks.js";
import { realTimers } from "../core/ports.js";
import { refusedInput } from "../core/refused-input.js";
import { settleFolder } from "../core/settle-folder.js";
import { didYouMean } from "../core/suggestions.js";
import { DAY_MS, momentAt, offsetAt, zoneNamed } from "../core/time-zone.js";
import { askedId, isUuid } from "../core/uuid.js";
import { sdkVersion } from "../core/version.js";
import { operations } from "../generated/operation-table.js";
import { acquireFreeLease, leaseHolder } from "../locks/lease.js";
import { FIRST_LOOK_BACK_MS } from "../telemetry/activities/activities-of-vehicles.js";
import { ActivityReader } from "../telemetry/activities/activity-reader.js";
import { isAhead, MAX_AHEAD_MS } from "../telemetry/latest.js";
import { liveStatuses, offlineAfterMs, staleAfterMs } from "../telemetry/live-status.js";
import { Readings, readFlag, readNumber, readText } from "../telemetry/readings.js";
import { stopKind } from "../telemetry/stops/vehicle-stops.js";
import { despiteFailures } from "../telemetry/streams/despite-failures.js";
import { inTimeOrder } from "../telemetry/time-order.js";
import { timestampMs } from "../telemetry/timestamps.js";
import { fixOf } from "../telemetry/tracks/fix.js";
import { FixCleaner } from "../telemetry/tracks/fix-cleaner.js";
import { gpxOf } from "../telemetry/tracks/gpx.js";
import { defaultSegmentRules } from "../telemetry/tracks/segments.js";
import { GeofenceVisits } from "../telemetry/visits/geofence-visits.js";
import { Board } from "../telemetry/watch/board.js";
import { metresFromEdge, shapeOf } from "../telemetry/watch/geofence-shape.js";
import { nearestPointOf } from "../telemetry/watch/nearest-point.js";
export {
  ActivityReader,
  Board,
  DAY_MS,
  FIRST_LOOK_BACK_MS,
  FixCleaner,
  GeofenceVisits,
  Journal,
  MAX_AHEAD_MS,
  Readings,
  SyncTargetError,
  acquireFreeLease,
  askedId,
  bearing,
  copyToBackup,
  defaultSegmentRules,
  despiteFailures,
  didYouMean,
  durationText,
  errorCode,
  fixOf,
  gpxOf,
  greatCircleKm,
  inTimeOrder,
  isAhead,
  isDateTime,
  isLoopback,
  isObject,
  isSameJson,
  isUuid,
  leaseHolder,
  liveStatuses,
  makeFolder,
  metresFromEdge,
  momentAt,
  nearestPointOf,
  numberFrom,
  offlineAfterMs,
  offsetAt,
  operations,
  problemIn,
  readFlag,
  readNumber,
  readText,
  realTimers,
  refusedInput,
  sdkVersion,
  settleFolder,
  shapeOf,
  staleAfterMs,
  stopKind,
  timestampMs,
  valueAtPath,
  zoneNamed
};
