import { InvalidArgumentError, Option } from "commander";
import { parseDocument } from "../cli/api/variables.js";
import { readSettings } from "../cli/config/settings.js";
import { allowPartial } from "../cli/connection/allow-partial.js";
import { call } from "../cli/connection/call.js";
import { connect, openForUser, resolveUser } from "../cli/connection/connect.js";
import {
  note,
  serviceNow
} from "../cli/context/context.js";
import { examples } from "../cli/context/define-command.js";
import { printRows } from "../cli/context/print.js";
import { progressOn } from "../cli/context/progress.js";
import { Report } from "../cli/context/report.js";
import { CliError, refusal } from "../cli/errors/cli-error.js";
import { commandFailureOf, DIFFERENCES, isNotFound } from "../cli/errors/exit-codes.js";
import { vehicleFailureReason } from "../cli/errors/failed-vehicles.js";
import { refusedFile } from "../cli/errors/unusable.js";
import { NamedRows } from "../cli/find/match.js";
import { findIds } from "../cli/find/record.js";
import {
  addVehicleFlags,
  hasVehicleFlags,
  onlyVehicle,
  vehicleChoice,
  vehiclesArgument
} from "../cli/find/vehicles.js";
import { bareEnv, childEnv } from "../cli/io/child-env.js";
import { write } from "../cli/io/io.js";
import { withoutControls } from "../cli/io/plain-text.js";
import { loadPackage } from "../cli/packages/load-package.js";
import { repeatable } from "../cli/parse/repeatable.js";
import {
  endsTooEarly,
  knownServiceNow,
  pastMoment,
  periodHelp,
  readPeriodExpression,
  readTime,
  timeHelp,
  timestamp,
  withDay
} from "../cli/parse/time.js";
import { wholeBetween } from "../cli/parse/whole-number.js";
import { positionIn } from "../cli/places/places.js";
import { noPlaces } from "../cli/places/read-places.js";
import { allKinds } from "../cli/records/all-kinds.js";
import { tokenKind } from "../cli/records/driver-token.js";
import { geofenceKind } from "../cli/records/geofence.js";
import { groupKind } from "../cli/records/group.js";
import { personKind } from "../cli/records/person.js";
import { recordId, textsOf } from "../cli/records/record-kind.js";
import { vehicleKind } from "../cli/records/vehicle.js";
import { isMarkedDeleted } from "../cli/shape/deleted.js";
import { listShape } from "../cli/shape/list-shape.js";
import { zoneName } from "../cli/time/chosen-zone.js";
import { localTime } from "../cli/time/local-time.js";
import { addressText } from "../cli/views/geofence.js";
import { hoursText, wholeNumber } from "../cli/views/humanize.js";
import { distanceText, fieldsOfPlace, placeTextIn } from "../cli/views/place.js";
import { duration, every } from "../cli/watch/flags.js";
import { currentDrivers, statusRequest, statusRows } from "../cli/watch/fleet-status.js";
import { outageText, recoveryText } from "../cli/watch/messages.js";
import { pollUntilInterrupted } from "../cli/watch/poll.js";
import { contractText } from "../generated/contract-text.js";
export * from "../index.js";
export * from "./kit.js";
export {
  CliError,
  DIFFERENCES,
  InvalidArgumentError,
  NamedRows,
  Option,
  Report,
  addVehicleFlags,
  addressText,
  allKinds,
  allowPartial,
  bareEnv,
  call,
  childEnv,
  commandFailureOf,
  connect,
  contractText,
  currentDrivers,
  distanceText,
  duration,
  endsTooEarly,
  every,
  examples,
  fieldsOfPlace,
  findIds,
  geofenceKind,
  groupKind,
  hasVehicleFlags,
  hoursText,
  isMarkedDeleted,
  isNotFound,
  knownServiceNow,
  listShape,
  loadPackage,
  localTime,
  noPlaces,
  note,
  onlyVehicle,
  openForUser,
  outageText,
  parseDocument,
  pastMoment,
  periodHelp,
  personKind,
  placeTextIn,
  pollUntilInterrupted,
  positionIn,
  printRows,
  progressOn,
  readPeriodExpression,
  readSettings,
  readTime,
  recordId,
  recoveryText,
  refusal,
  refusedFile,
  repeatable,
  resolveUser,
  serviceNow,
  statusRequest,
  statusRows,
  textsOf,
  timeHelp,
  timestamp,
  tokenKind,
  vehicleChoice,
  vehicleFailureReason,
  vehicleKind,
  vehiclesArgument,
  wholeBetween,
  wholeNumber,
  withDay,
  withoutControls,
  write,
  zoneName
};
