// From a request to its response: endpoint, login and user, active requests, planned faults, and then the request itself.

import { login, refresh, userinfo } from '../auth/login-endpoints.js';
import { type Tokens, tokenProblemMessages } from '../auth/tokens.js';
import { type FaultPlan, type Faults, malformedResponse } from '../control/faults.js';
import type { Journal } from '../control/journal.js';
import type { ResettableClock } from '../core/clock.js';
import { type Endpoint, endpoints, methods } from '../core/endpoints.js';
import {
  bodyTooLarge,
  type ConnectionFault,
  errorResponse,
  type HandledRequest,
  type Handler,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
  withDate,
} from '../core/messages.js';
import { isUuid } from '../core/uuid.js';
import { graphiqlAsset, graphiqlPage } from '../graphiql/page.js';
import type { DocumentCache } from '../graphql/document-cache.js';
import { type PreparedRequest, prepareRequest, type Schemas } from '../graphql/execute.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Store } from '../store/store.js';
import { UserScope } from '../store/visibility.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { FleetUser, Login } from '../world/users.js';
import { ActiveRequests } from './active-requests.js';

/** The parts of the service that the endpoints use. */
export interface ServiceDependencies {
  readonly clock: ResettableClock;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly tokens: Tokens;
  readonly logins: readonly Login[];
  readonly faults: Faults;
  readonly journal: Journal;
  /** Built with the first document, so that the service starts fast. */
  readonly graphql: () => { readonly schemas: Schemas; readonly documents: DocumentCache };
  readonly latencyMs: number;
  readonly strict: boolean;
  /** Milliseconds of real time, for the journal. */
  readonly stopwatch: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Answers everything under `/__mock/`. */
  readonly control: (request: ServiceRequest, path: string) => ServiceResponse;
}

const controlPrefix = '/__mock/';

/** What is known of a request while it passes through the steps below. */
interface RequestState {
  readonly request: ServiceRequest;
  readonly path: string;
  readonly startedAt: number;
  user: string | null;
  operations: readonly string[];
  release: () => void;
}

const noop = (): void => {};

export function createHandler(service: ServiceDependencies): Handler {
  const active = new ActiveRequests();

  function respond(
    state: RequestState,
    response: ServiceResponse,
    connectionFault: ConnectionFault | null = null,
  ): HandledRequest {
    const { user, path, operations } = state;
    const now = service.clock.now();
    const at = new Date(now).toISOString();
    const ms = Math.round((service.stopwatch() - state.startedAt) * 10) / 10;
    service.journal.add({ at, user, path, operations, status: connectionFault === 'reset' ? 0 : response.status, ms });
    return { response: withDate(response, now), connectionFault, release: state.release };
  }

  /** Responds without a journal entry. */
  function respondUnlogged(response: ServiceResponse): HandledRequest {
    return { response: withDate(response, service.clock.now()), connectionFault: null, release: noop };
  }

  /** Runs the request with its planned faults: some replace it, others damage its response. */
  function runWithFaults(
    state: RequestState,
    plan: FaultPlan,
    run: () => ServiceResponse,
  ): HandledRequest | Promise<HandledRequest> {
    const finish = (): HandledRequest => {
      if (plan.replacement !== null) return respond(state, plan.replacement);
      const { damage } = plan;
      if (damage !== 'malformed') return respond(state, orInternalError(run), damage);
      return respond(
        state,
        orInternalError(() => malformedResponse(run())),
      );
    };
    const waitMs = plan.delayMs + (state.path === '/graphql' ? service.latencyMs : 0);
    return waitMs > 0 ? service.wait(waitMs).then(finish) : finish();
  }

  function handleGraphql(state: RequestState): HandledRequest | Promise<HandledRequest> {
    const actor = authenticate(state.request, service.tokens);
    if ('status' in actor) return respond(state, actor);
    state.user = actor.user.userName;
    const release = active.begin(actor.user.userId);
    if (release === null) {
      const message = 'Another request of this user is still active. Send it again when that one has been answered.';
      return respond(state, errorResponse(429, 'TOO_MANY_REQUESTS', message));
    }
    state.release = release;
    const prepared = prepare(state);
    const plan = service.faults.consume(state.path, state.operations);
    return runWithFaults(state, plan, () => ('status' in prepared ? prepared : prepared.run(contextFor(actor, plan))));
  }

  function prepare(state: RequestState): PreparedRequest | ServiceResponse {
    try {
      const { schemas, documents } = service.graphql();
      const prepared = prepareRequest(state.request, schemas, documents, service.strict);
      if (!('status' in prepared)) state.operations = prepared.operations;
      return prepared;
    } catch {
      return internalError();
    }
  }

  function contextFor({ login, user }: Actor, { plannedErrors }: FaultPlan): RequestContext {
    const { store, telemetry, strict } = service;
    const scope = new UserScope(store.fleet(user.fleetId), user);
    return new RequestContext({ login, scope, store, telemetry, now: service.clock.now(), strict, plannedErrors });
  }

  function handleEndpoint(state: RequestState, endpoint: Endpoint): HandledRequest | Promise<HandledRequest> {
    const { request } = state;
    const method = methods[endpoint];
    if (request.method !== method) {
      return respond(state, errorResponse(405, 'BAD_REQUEST', `Only ${method} is answered here.`, { allow: method }));
    }
    if (request.body.length > maxBodyBytes) return respond(state, bodyTooLarge());
    if (endpoint === '/graphql') return handleGraphql(state);
    const plan = service.faults.consume(state.path, []);
    return runWithFaults(state, plan, () => {
      if (endpoint === '/login/token') return login(request, service.tokens, service.logins);
      if (endpoint === '/login/refresh') return refresh(request, service.tokens);
      if (endpoint === '/login/userinfo') return userinfo(request, service.tokens);
      return graphiqlPage();
    });
  }

  return (request) => {
    const controlAt = request.path.indexOf(controlPrefix);
    if (controlAt >= 0) {
      const path = request.path.slice(controlAt + controlPrefix.length);
      return respondUnlogged(orInternalError(() => service.control(request, path)));
    }
    const endpoint = endpoints.find((path) => request.path.endsWith(path));
    const startedAt = service.stopwatch();
    const state: RequestState = {
      request,
      path: endpoint ?? request.path.slice(0, 200),
      startedAt,
      user: null,
      operations: [],
      release: noop,
    };
    if (endpoint !== undefined) return handleEndpoint(state, endpoint);
    // The files of the page at /graphiql are not part of the contract, so the journal leaves them out.
    const asset = graphiqlAsset(request);
    if (asset !== null) return respondUnlogged(asset);
    return respond(state, errorResponse(404, 'NOT_FOUND', 'There is nothing at this path.'));
  };
}

function internalError(): ServiceResponse {
  return errorResponse(500, 'DataFetchingException', 'The reference service failed. This is a fault of its own.');
}

/** An error of the service itself must not end the process nor show its internals. */
function orInternalError(run: () => ServiceResponse): ServiceResponse {
  try {
    return run();
  } catch {
    return internalError();
  }
}

/** The login and the user on whose behalf a request runs. */
interface Actor {
  readonly login: Login;
  readonly user: FleetUser;
}

/** The login of the token and the user that the headers select, or the response that refuses the request. */
function authenticate({ headers }: ServiceRequest, tokens: Tokens): Actor | ServiceResponse {
  const login = tokens.loginForAccess(headers.authorization);
  if (typeof login === 'string') {
    return errorResponse(401, 'UNAUTHORIZED', tokenProblemMessages[login], { 'www-authenticate': 'Bearer' });
  }
  const { userid: userId, fleetid: fleetId } = headers;
  if (userId === undefined && fleetId === undefined) {
    return errorResponse(400, 'BAD_REQUEST', 'A userId or fleetId header is needed.');
  }
  if ((userId !== undefined && !isUuid(userId)) || (fleetId !== undefined && !isUuid(fleetId))) {
    return errorResponse(400, 'BAD_REQUEST', 'The userId and fleetId headers must be UUIDs.');
  }
  const user = login.users.find(
    (candidate) =>
      (userId === undefined || candidate.userId === userId.toLowerCase()) &&
      (fleetId === undefined || candidate.fleetId === fleetId.toLowerCase()),
  );
  if (user === undefined) return errorResponse(403, 'FORBIDDEN', 'The login may not act as this user.');
  return { login, user };
}
