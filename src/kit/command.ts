// The entry fleet-telematics/kit/command: the parts of a command, for fleet-telematics-sync,
// fleet-telematics-map and fleet-telematics-mcp. Only these packages may use it: they are released
// together, and it may change in any version.
export { type Command, InvalidArgumentError, Option } from 'commander';
export { parseDocument } from '../cli/api/variables.js';
export { readSettings, type Settings } from '../cli/config/settings.js';
export { allowPartial } from '../cli/connection/allow-partial.js';
export { call } from '../cli/connection/call.js';
export { connect, openForUser, resolveUser } from '../cli/connection/connect.js';
export {
  type Context,
  note,
  type ReportingRun,
  type Run,
  type ServiceRun,
  serviceNow,
} from '../cli/context/context.js';
export { type DefineCommand, examples } from '../cli/context/define-command.js';
export { printRows } from '../cli/context/print.js';
export { type Progress, progressOn } from '../cli/context/progress.js';
export { Report } from '../cli/context/report.js';
export { CliError, refusal } from '../cli/errors/cli-error.js';
export { commandFailureOf, DIFFERENCES, isNotFound } from '../cli/errors/exit-codes.js';
export { vehicleFailureReason } from '../cli/errors/failed-vehicles.js';
export { refusedFile } from '../cli/errors/unusable.js';
export { NamedRows } from '../cli/find/choose-record.js';
export { findIds } from '../cli/find/record.js';
export {
  addVehicleFlags,
  hasVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
  vehiclesArgument,
} from '../cli/find/vehicles.js';
export { bareEnv, childEnv } from '../cli/io/child-env.js';
export { type Sleep, type TableFrame, write } from '../cli/io/io.js';
export { withoutControls } from '../cli/io/plain-text.js';
export { duration, every } from '../cli/live/flags.js';
export { currentDrivers, type StatusAnswer, statusRequest, statusRows } from '../cli/live/fleet-status.js';
export { outageText, recoveryText } from '../cli/live/messages.js';
export { pollUntilInterrupted } from '../cli/live/poll.js';
export type { View } from '../cli/output/view.js';
export { loadPackage } from '../cli/packages/load-package.js';
export { repeatable } from '../cli/parse/repeatable.js';
export {
  endsTooEarly,
  expandPeriodFlags,
  knownServiceNow,
  type PeriodExpression,
  type PeriodFlags,
  type PeriodSpan,
  pastMoment,
  periodHelp,
  readPeriodExpression,
  readTime,
  type Span,
  timeHelp,
  timestamp,
} from '../cli/parse/time.js';
export { wholeBetween } from '../cli/parse/whole-number.js';
export { positionIn } from '../cli/places/places.js';
export { noPlaces } from '../cli/places/read-places.js';
export type { PlannedChange } from '../cli/plan/record-change.js';
export { allKinds } from '../cli/records/all-kinds.js';
export { tokenKind } from '../cli/records/driver-token.js';
export { geofenceKind } from '../cli/records/geofence.js';
export { groupKind } from '../cli/records/group.js';
export { personKind } from '../cli/records/person.js';
export { type RecordKind, recordId, textsOf } from '../cli/records/record-kind.js';
export { vehicleKind } from '../cli/records/vehicle.js';
export { isMarkedDeleted } from '../cli/shape/deleted.js';
export { listShape } from '../cli/shape/list-shape.js';
export { zoneName } from '../cli/time/chosen-zone.js';
export { localTime } from '../cli/time/format-time.js';
export { addressText } from '../cli/views/geofence.js';
export { hoursText, wholeNumber } from '../cli/views/humanize.js';
export { distanceText, fieldsOfPlace, type PlaceFields, placeTextIn } from '../cli/views/place.js';
export type { StatusRow } from '../cli/views/status.js';
export { contractText } from '../generated/contract-text.js';
export * from '../index.js';
export * from './kit.js';
