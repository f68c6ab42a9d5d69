// The names of attributes and metrics. They follow OpenTelemetry's semantic conventions (HTTP
// client: stable; url.template and GraphQL: in development). All other names begin with `fleet.`.

export const attribute = {
  method: 'http.request.method',
  resendCount: 'http.request.resend_count',
  status: 'http.response.status_code',
  url: 'url.full',
  scheme: 'url.scheme',
  path: 'url.template',
  host: 'server.address',
  port: 'server.port',
  errorType: 'error.type',
  operation: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  label: 'fleet.label',
  user: 'fleet.user',
  callId: 'fleet.call.id',
  priority: 'fleet.call.priority',
  outcome: 'fleet.call.outcome',
  wait: 'fleet.call.wait',
  requestIds: 'fleet.call.request_ids',
  requestId: 'fleet.request.id',
  operations: 'fleet.request.operations',
  calls: 'fleet.request.calls',
  responseId: 'fleet.response.id',
  responseSize: 'fleet.response.size',
  retryPause: 'fleet.retry.pause',
} as const;

export const metric = {
  httpDuration: 'http.client.request.duration',
  callDuration: 'fleet.call.duration',
  callWait: 'fleet.call.wait',
  callsWaiting: 'fleet.calls.waiting',
  requestCalls: 'fleet.request.calls',
  responseSize: 'fleet.response.size',
  retries: 'fleet.retries',
} as const;

export const RETRY_EVENT = 'fleet.retry';
