// From a request to its response: endpoint, login and user, active requests, planned faults, and then the request itself.

import { login, refresh, userinfo } from '../auth/login-endpoints.js';
import { type Tokens, tokenProblemMessages } from '../auth/tokens.js';
import type { Answers } from '../control/answers.js';
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
import type { Scripts } from '../script/scripts.js';
import type { Store } from '../store/store.js';
import { UserScope } from '../store/visibility.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { ignoresUnknownMembers } from '../variants/inputs.js';
import { throughGateway, tokenRefusal } from '../variants/responses.js';
import { turnKey } from '../variants/turns.js';
import type { MockVariant, VariantSetting } from '../variants/variant.js';
import type { FleetUser, Login } from '../world/users.js';
import type { ActiveRequests } from './active-requests.js';

/** The parts of the service that the endpoints use. */
export interface ServiceDependencies {
  readonly clock: ResettableClock;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly tokens: Tokens;
  readonly logins: readonly Login[];
  readonly active: ActiveRequests;
  readonly faults: Faults;
  readonly answers: Answers;
  readonly scripts: Scripts;
  readonly journal: Journal;
  /** Built with the first document, so that the service starts fast. */
  readonly graphql: () => { readonly schemas: Schemas; readonly documents: DocumentCache };
  readonly variant: VariantSetting;
  /** The path below which the service answers, without a slash at its end; null: below any path. */
  readonly basePath: string | null;
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
  readonly pause: (() => Promise<void>) | undefined;
  user: string | null;
  operations: readonly string[];
  ignoredMembers: readonly string[];
  release: () => void;
}

const noop = (): void => {};

export function createHandler(service: ServiceDependencies): Handler {
  function respond(
    state: RequestState,
    response: ServiceResponse,
    connectionFault: ConnectionFault | null = null,
  ): HandledRequest {
    const { user, path, operations } = state;
    const now = service.clock.now();
    const at = new Date(now).toISOString();
    const ms = Math.round((service.stopwatch() - state.startedAt) * 10) / 10;
    const sent = throughGateway(service.variant.current, response);
    const ignored = state.ignoredMembers.length === 0 ? {} : { ignoredMembers: state.ignoredMembers };
    const status = connectionFault === 'reset' ? 0 : sent.status;
    service.journal.add({ at, user, path, operations, ...ignored, status, ms });
    return { response: withDate(sent, now), connectionFault, release: state.release };
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
    const isGraphql = state.path === '/graphql';
    const waitMs = plan.delayMs + (isGraphql ? service.latencyMs : 0);
    if (waitMs > 0) return service.wait(waitMs).then(finish);
    return isGraphql && state.pause !== undefined ? state.pause().then(finish) : finish();
  }

  function handleGraphql(state: RequestState): HandledRequest | Promise<HandledRequest> {
    const actor = authenticate(state.request, service.tokens, service.variant.current);
    if ('status' in actor) return respond(state, actor);
    state.user = actor.user.userName;
    const release = service.active.begin(turnKey(service.variant.current, actor.login.username, actor.user.userId));
    if (release === null) {
      const message = 'Another request of this user is still active. Send it again when that one has been answered.';
      return respond(state, errorResponse(429, 'TOO_MANY_REQUESTS', message));
    }
    const { lingerMs } = service.variant.current;
    state.release = lingerMs === undefined ? release : () => void service.wait(lingerMs).then(release);
    const prepared = prepare(state);
    const plan = service.faults.consume(state.path, state.operations);
    return runWithFaults(state, plan, () => ('status' in prepared ? prepared : prepared.run(contextFor(actor, plan))));
  }

  function prepare(state: RequestState): PreparedRequest | ServiceResponse {
    try {
      const { schemas, documents } = service.graphql();
      const dropsUnknownKeys = ignoresUnknownMembers(service.variant.current, service.strict);
      const prepared = prepareRequest(state.request, schemas, documents, dropsUnknownKeys);
      if ('status' in prepared) return prepared;
      state.operations = prepared.operations;
      state.ignoredMembers = prepared.ignoredMembers;
      return prepared;
    } catch {
      return internalError();
    }
  }

  function contextFor({ login, user }: Actor, { plannedErrors }: FaultPlan): RequestContext {
    const { store, telemetry, strict, answers: plannedAnswers } = service;
    const now = service.clock.now();
    service.scripts.swapDevices(now);
    const scope = new UserScope(store.fleet(user.fleetId), user);
    const variant = service.variant.current;
    return new RequestContext({ login, scope, store, telemetry, now, strict, plannedErrors, plannedAnswers, variant });
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
      const { tokens, logins } = service;
      const variant = service.variant.current;
      if (endpoint === '/login/token') return login(request, tokens, logins, variant);
      if (endpoint === '/login/refresh') return refresh(request, tokens, variant);
      if (endpoint === '/login/userinfo') return userinfo(request, tokens, variant);
      return graphiqlPage();
    });
  }

  return (request, pause) => {
    const { basePath } = service;
    const controlAt = request.path.indexOf(controlPrefix);
    if (controlAt >= 0 && (basePath === null || basePath.length === controlAt)) {
      const path = request.path.slice(controlAt + controlPrefix.length);
      return respondUnlogged(orInternalError(() => service.control(request, path)));
    }
    const endpoint = endpoints.find((path) =>
      basePath === null ? request.path.endsWith(path) : request.path === basePath + path,
    );
    const startedAt = service.stopwatch();
    const state: RequestState = {
      request,
      path: endpoint ?? request.path.slice(0, 200),
      startedAt,
      pause,
      user: null,
      operations: [],
      ignoredMembers: [],
      release: noop,
    };
    if (endpoint !== undefined) return handleEndpoint(state, endpoint);
    // The files of the page at /graphiql are not part of the contract, so the journal leaves them out.
    const asset = graphiqlAsset(request);
    if (asset !== null) return respondUnlogged(asset);
    const where = basePath === null ? '' : ` The service answers below ${basePath === '' ? '/' : basePath}.`;
    return respond(state, errorResponse(404, 'NOT_FOUND', `There is nothing at this path.${where}`));
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
function authenticate({ headers }: ServiceRequest, tokens: Tokens, variant: MockVariant): Actor | ServiceResponse {
  const login = tokens.loginForAccess(headers.authorization);
  if (typeof login === 'string') {
    const usual = errorResponse(401, 'UNAUTHORIZED', tokenProblemMessages[login], { 'www-authenticate': 'Bearer' });
    return tokenRefusal(variant, true, usual);
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
