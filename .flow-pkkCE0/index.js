import { fileTokenStore } from "./auth/file-token-store.js";
import { memoryTokenStore } from "./auth/memory-token-store.js";
import { FleetClient } from "./client.js";
import { configFolder } from "./core/config-folder.js";
import { toDate } from "./core/dates.js";
import {
  AbortError,
  AmbiguousMutationError,
  AuthenticationError,
  ClosedError,
  CredentialsError,
  FleetError,
  GateError,
  GraphQLResponseError,
  HeadersError,
  HttpError,
  IncompleteStreamError,
  InvalidInputError,
  NetworkError,
  ProtocolError,
  QueueFullError,
  RateLimitError,
  ResponseTooLargeError,
  SessionExpiredError,
  TimeoutError,
  TokenStoreError,
  TransportError,
  UserSelectionError
} from "./core/errors.js";
import { withIds } from "./core/with-ids.js";
import { fileGate } from "./locks/file-gate.js";
import { localGate } from "./locks/gate.js";
import { liveStatus } from "./telemetry/live-status.js";
import { tripsFrom } from "./telemetry/trips/trips-from.js";
export {
  AbortError,
  AmbiguousMutationError,
  AuthenticationError,
  ClosedError,
  CredentialsError,
  FleetClient,
  FleetError,
  GateError,
  GraphQLResponseError,
  HeadersError,
  HttpError,
  IncompleteStreamError,
  InvalidInputError,
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
  configFolder,
  fileGate,
  fileTokenStore,
  liveStatus,
  localGate,
  memoryTokenStore,
  toDate,
  tripsFrom,
  withIds
};
