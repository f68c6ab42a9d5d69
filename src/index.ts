// All that a Node developer imports, and nothing else.

export type { ClientIdentity, UserWish } from './auth/acting-user.js';
export { type FileTokenStoreOptions, fileTokenStore } from './auth/file-token-store.js';
export type { Credentials } from './auth/login-endpoints.js';
export { memoryTokenStore } from './auth/memory-token-store.js';
export type { CredentialsSource, SessionInfo } from './auth/session.js';
export type { StoredSession, TokenStore } from './auth/token-store.js';
export type { FleetDocument } from './base-client.js';
export { checkSchema, pullSchema, type SchemaOptions } from './check-schema.js';
export { FleetClient } from './client.js';
export type { FleetClientOptions } from './client-options.js';
export type {
  AssumptionFinding,
  OperationFinding,
  SchemaChange,
  SchemaReport,
} from './contract/schema-check/findings.js';
export type {
  ListQuery,
  PlainListQuery,
  RecordOperation,
  ResultOf,
  RowOf,
  Selected,
  Selection,
  SelectOptions,
  Unselected,
} from './contract/selection/types.js';
export { configFolder } from './core/config-folder.js';
export { toDate } from './core/dates.js';
export {
  AbortError,
  AmbiguousMutationError,
  type AnyFleetError,
  AuthenticationError,
  CredentialsError,
  FleetError,
  type FleetErrorCode,
  type FleetUser,
  type GraphQLErrorEntry,
  GraphQLResponseError,
  HttpError,
  IncompleteStreamError,
  InvalidInputError,
  NetworkError,
  ProtocolError,
  RateLimitError,
  ResponseTooLargeError,
  SessionExpiredError,
  TimeoutError,
  TransportError,
  UserSelectionError,
  type VehicleError,
} from './core/errors.js';
export type {
  CallEvent,
  Hooks,
  RefreshEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WarningEvent,
} from './core/hooks.js';
export type { CallOptions, Operation, OperationArgument } from './core/operation.js';
export type { Clock, Fetch, FetchInit, FetchResponse } from './core/ports.js';
export type { Priority } from './core/priority.js';
export { withIds } from './core/with-ids.js';
export { contractText } from './generated/contract-text.js';
export type * as contract from './generated/contract-types.js';
export type {
  AddressInput,
  AssignDriverInput,
  ChangeGeofenceGroupsInput,
  ChangeVehicleGroupsInput,
  CreateDriverTokenInput,
  CreateGeofenceInput,
  CreateGroupInput,
  CreatePersonInput,
  CustomFieldInput,
  GeofenceInput,
  GetDriverAssignmentsInput,
  UnassignDriverInput,
  UpdateDriverTokenInput,
  UpdateGroupInput,
  UpdatePersonInput,
  VehicleInput,
  WrappedReportInput,
} from './generated/contract-types.js';
export { type OperationName, type OperationTypes, operations } from './generated/operation-table.js';
export type {
  CanBus,
  CustomField,
  Device,
  DriverAssignment,
  DriverToken,
  FleetUserInfo,
  Geofence,
  GeofenceGroupChange,
  Group,
  Label,
  MetaSensor,
  Person,
  Role,
  Rule,
  Sensor,
  Snapshot,
  Vehicle,
  VehicleGroupChange,
  VehicleType,
  WorkSchedule,
  WrappedReport,
  WrappedReportInputs,
} from './generated/record-types.js';
export type { RowStream } from './lists/stream-list.js';
export { type FileGateOptions, fileGate } from './locks/file-gate.js';
export { type Gate, type HoldOptions, localGate } from './locks/gate.js';
export type { CallTrace, RequestTrace } from './request/observe.js';
export type { HeadersOption } from './request/request-headers.js';
export type { RetryOptions } from './request/retry-policy.js';
export type { ActiveRequest, ClientStats, UserStats, WaitingCalls } from './request/stats.js';
export { type LiveSnapshot, type LiveStatus, type LiveStatusOptions, liveStatus } from './telemetry/live-status.js';
export type {
  FleetPeriod,
  FleetSnapshotStream,
  FleetStreamOptions,
  SnapshotPeriod,
  SnapshotStream,
} from './telemetry/streams/stream-snapshots.js';
export type { TrackTrip } from './telemetry/tracks/features.js';
export type { TrackSnapshot } from './telemetry/tracks/fix.js';
export {
  type TrackOptions,
  type TrackRow,
  writeGeoJson,
  writeGpx,
  writeKml,
} from './telemetry/tracks/write-tracks.js';
export type {
  PeriodTripOptions,
  Trip,
  TripOptions,
  TripPosition,
  TripSnapshot,
  TripTrackPoint,
} from './telemetry/trips/trip.js';
export { tripsFrom } from './telemetry/trips/trips-from.js';
export type {
  AppearedEvent,
  BoardEvent,
  ChangedEvent,
  EventIterator,
  GeofenceEvent,
  GeofenceVisit,
  GoneEvent,
  KnownVisit,
  OutageEvent,
  RecoveredEvent,
  StatusEvent,
  VisitEvent,
  VisitsEvent,
  WatchedGeofence,
  WatchedVehicle,
  WatchGeofencesOptions,
  WatchOptions,
  WatchStatusOptions,
} from './telemetry/watch/events.js';
