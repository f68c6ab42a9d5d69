/**
 * The SDK: all that a Node developer imports, and nothing else.
 * @module fleet-telematics
 */

export type { ClientIdentity, UserSelection } from './auth/acting-user.js';
export { fileTokenStore } from './auth/file-token-store.js';
export type { Credentials } from './auth/login-endpoints.js';
export { memoryTokenStore } from './auth/memory-token-store.js';
export type { SessionInfo } from './auth/session.js';
export type { StoredSession, TokenStore } from './auth/token-store.js';
export { FleetClient } from './client.js';
export type { FleetClientOptions } from './client-options.js';
export type { ListQuery, ResultOf, RowOf, Selection, SelectOptions } from './contract/selection/types.js';
export type { CallTrace, RequestTrace, RetryTrace } from './core/channels.js';
export { configFolder } from './core/config-folder.js';
export { type Timestamp, toDate } from './core/dates.js';
export {
  AbortError,
  AmbiguousMutationError,
  AuthenticationError,
  ClosedError,
  CredentialsError,
  FleetError,
  type FleetErrorCode,
  GateError,
  type GraphQLErrorEntry,
  GraphQLResponseError,
  HeadersError,
  HttpError,
  IncompleteStreamError,
  InvalidInputError,
  type LoginUser,
  NetworkError,
  ProtocolError,
  QueueFullError,
  RateLimitError,
  ResponseTooLargeError,
  SessionExpiredError,
  TimeoutError,
  TokenStoreError,
  TransportError,
  UserSelectionError,
  type VehicleFailure,
} from './core/errors.js';
export type { ClientSource } from './core/event-source.js';
export type { FleetStream } from './core/generator-stream.js';
export type {
  CallEvent,
  ClientHooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SessionEvent,
  WarningEvent,
} from './core/hooks.js';
export type { CallOptions, RetryLimits } from './core/operation.js';
export type { Clock, Fetch, ResponseHeaders } from './core/ports.js';
export type { Priority } from './core/priority.js';
export { withIds } from './core/with-ids.js';
export type { FleetApi } from './fleet-api.js';
export type * from './generated/input-types.js';
export type { OperationName } from './generated/operation-table.js';
export type * from './generated/record-types.js';
export { fileGate } from './locks/file-gate.js';
export { type Gate, type HoldOptions, localGate } from './locks/gate.js';
export type { CallResponse } from './request/call-response.js';
export type { EachItem, EachOptions, EachOutcomes } from './request/each.js';
export type { HttpAnswer, HttpRequest, HttpStep } from './request/http-steps.js';
export type { RetryOptions } from './request/retry-policy.js';
export type { ClientStats } from './request/stats.js';
export type { EventKind } from './telemetry/events/event-rule.js';
export type { FleetEvent } from './telemetry/events/fleet-event.js';
export type {
  CheckpointEvent,
  EventState,
  WatchEvent,
  WatchEventRule,
  WatchEventsOptions,
} from './telemetry/events/rule-events.js';
export { type LiveStatus, liveStatus } from './telemetry/live-status.js';
export type { ContinuedStop, Stop, StopOptions, StopSegment } from './telemetry/stops/stop.js';
export type { VehiclesStreamEvent, VehiclesStreamOptions } from './telemetry/streams/stream-snapshots.js';
export type { VehiclePeriod, VehiclesPeriod } from './telemetry/streams/vehicles-in-period.js';
export type {
  Trip,
  TripDetails,
  TripEvent,
  TripGeofence,
  TripOptions,
  TripPosition,
  TripReadings,
  TripSegment,
  TripSnapshot,
  TripSpeeding,
  TripVisit,
} from './telemetry/trips/trip.js';
export { tripsFrom } from './telemetry/trips/trips-from.js';
export type {
  GeofenceEvent,
  GeofenceVisit,
  StatusEvent,
  WatchedGeofence,
  WatchedVehicle,
  WatchGeofencesOptions,
  WatchStatusOptions,
} from './telemetry/watch/events.js';
