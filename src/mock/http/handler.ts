// Handles a request: endpoint, login and user, active requests, planned faults, then execution.

import { answerRefresh, login, userinfo } from '../auth/login-endpoints.js';
import { type TokenTable, tokenProblemMessages } from '../auth/tokens.js';
import type { Answers } from '../control/answers.js';
import { type FaultPlan, type Faults, malformedResponse } from '../control/faults.js';
import type { RequestJournal } from '../control/journal.js';
import type { ResettableClock } from '../core/clock.js';
import { type Endpoint, endpoints, methods } from '../core/endpoints.js';
import {
  bodyTooLarge,
  type ConnectionFault,
  errorResponse,
  type Handle,
  type HandledRequest,
  maxBodyBytes,
  type ServiceRequest,
  type ServiceResponse,
  withDate,
} from '../core/messages.js';
import type { WaitEnd, Waits } from '../core/real-time.js';
import { toRfc3339 } from '../core/rfc3339.js';
import { isIdText } from '../core/uuid.js';
import { graphiqlAsset, graphiqlPage } from '../graphiql/page.js';
import type { DocumentCache } from '../graphql/document-cache.js';
import { type PreparedRequest, prepareRequest, type Schemas } from '../graphql/execute.js';
import { RequestContext } from '../graphql/request-context.js';
import type { Scripts } from '../script/scripts.js';
import type { Store } from '../store/store.js';
import { UserScope } from '../store/visibility.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { ignoresUnknownMembers } from '../variants/inputs.js';
import { throughGateway, tokenRefusal, turnKeyOfVariant } from '../variants/responses.js';
import type { MockVariant, VariantSetting } from '../variants/variant.js';
import type { Login, MockLoginUser } from '../world/users.js';
import type { ActiveRequests } from './active-requests.js';

export interface ServiceDependencies {
  readonly clock: ResettableClock;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly tokens: TokenTable;
  readonly logins: readonly Login[];
  readonly active: ActiveRequests;
  readonly faults: Faults;
  readonly answers: Answers;
  readonly scripts: Scripts;
  readonly journal: RequestJournal;
  /** Created with the first document, for a fast start. */
  readonly graphql: () => { readonly schemas: Schemas; readonly documents: DocumentCache };
  readonly variant: VariantSetting;
  /** Path prefix without a final slash; null accepts any prefix. */
  readonly basePath: string | null;
  readonly latencyMs: number;
  readonly strict: boolean;
  /** Milliseconds of real time, for the journal. */
  readonly stopwatch: () => number;
  /** Delays before responses. */
  readonly delays: Waits;
  /** Users that stay active after the response. */
  readonly lingering: Waits;
  readonly control: (request: ServiceRequest, path: string) => ServiceResponse;
}

const controlPrefix = '/__mock/';

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

/** Handles requests; each method is one step. */
export class Handler {
  readonly #service: ServiceDependencies;

  constructor(service: ServiceDependencies) {
    this.#service = service;
  }

  readonly handle: Handle = (request, pause) => {
    const { basePath, control, stopwatch } = this.#service;
    const controlAt = request.path.indexOf(controlPrefix);
    if (controlAt >= 0 && (basePath === null || basePath.length === controlAt)) {
      const path = request.path.slice(controlAt + controlPrefix.length);
      return this.#respondUnlogged(orInternalError(() => control(request, path)));
    }
    const endpoint = endpoints.find((path) =>
      basePath === null ? request.path.endsWith(path) : request.path === basePath + path,
    );
    const state: RequestState = {
      request,
      path: endpoint ?? request.path.slice(0, 200),
      startedAt: stopwatch(),
      pause,
      user: null,
      operations: [],
      ignoredMembers: [],
      release: noop,
    };
    if (endpoint !== undefined) return this.#endpoint(state, endpoint);
    // GraphiQL's files are not part of the contract, so the journal omits them.
    const asset = graphiqlAsset(request);
    if (asset !== null) return this.#respondUnlogged(asset);
    const where = basePath === null ? '' : ` The service answers below ${basePath === '' ? '/' : basePath}.`;
    return this.#respond(state, errorResponse(404, 'NOT_FOUND', `There is nothing at this path.${where}`));
  };

  #endpoint(state: RequestState, endpoint: Endpoint): HandledRequest | Promise<HandledRequest> {
    const { request } = state;
    const method = methods[endpoint];
    if (request.method !== method) {
      const refused = errorResponse(405, 'BAD_REQUEST', `Only ${method} is answered here.`, { allow: method });
      return this.#respond(state, refused);
    }
    if (request.body.length > maxBodyBytes) return this.#respond(state, bodyTooLarge());
    if (endpoint === '/graphql') return this.#graphql(state);
    const plan = this.#service.faults.consume(state.path, []);
    return this.#runWithFaults(state, plan, () => this.#loginOrPage(request, endpoint));
  }

  #loginOrPage(request: ServiceRequest, endpoint: Exclude<Endpoint, '/graphql'>): ServiceResponse {
    const { tokens, logins, variant } = this.#service;
    if (endpoint === '/login/token') return login(request, tokens, logins, variant.current);
    if (endpoint === '/login/refresh') return answerRefresh(request, tokens, variant.current);
    if (endpoint === '/login/userinfo') return userinfo(request, tokens, variant.current);
    return graphiqlPage();
  }

  #graphql(state: RequestState): HandledRequest | Promise<HandledRequest> {
    const { tokens, variant, active, lingering, faults } = this.#service;
    const actor = authenticate(state.request, tokens, variant.current);
    if ('status' in actor) return this.#respond(state, actor);
    state.user = actor.user.userName;
    const release = active.begin(turnKeyOfVariant(variant.current, actor.login.username, actor.user.userId));
    if (release === null) {
      const message = 'Another request of this user is still active. Send it again when that one has been answered.';
      return this.#respond(state, errorResponse(429, 'TOO_MANY_REQUESTS', message));
    }
    const { lingerMs } = variant.current;
    state.release = lingerMs === undefined ? release : () => void lingering.wait(lingerMs).then(release);
    const prepared = this.#prepare(state);
    const plan = faults.consume(state.path, state.operations);
    return this.#runWithFaults(state, plan, () =>
      'status' in prepared ? prepared : prepared.run(this.#contextFor(actor, plan)),
    );
  }

  #prepare(state: RequestState): PreparedRequest | ServiceResponse {
    // Not in the try block: a missing resolver is a bug of this project, not a service response.
    const { schemas, documents } = this.#service.graphql();
    try {
      const dropsUnknownKeys = ignoresUnknownMembers(this.#service.variant.current, this.#service.strict);
      const prepared = prepareRequest(state.request, schemas, documents, dropsUnknownKeys);
      if ('status' in prepared) return prepared;
      state.operations = prepared.operations;
      state.ignoredMembers = prepared.ignoredMembers;
      return prepared;
    } catch {
      return internalError();
    }
  }

  #contextFor({ login, user }: Actor, { plannedErrors }: FaultPlan): RequestContext {
    const { clock, scripts, store, telemetry, strict, answers: plannedAnswers, variant } = this.#service;
    const now = clock.now();
    scripts.swapDevices(now);
    const scope = new UserScope(store.fleet(user.fleetId), user);
    return new RequestContext({
      login,
      scope,
      store,
      telemetry,
      now,
      strict,
      plannedErrors,
      plannedAnswers,
      variant: variant.current,
    });
  }

  #runWithFaults(
    state: RequestState,
    { delayMs, replacement, damage }: FaultPlan,
    run: () => ServiceResponse,
  ): HandledRequest | Promise<HandledRequest> {
    const { latencyMs, delays } = this.#service;
    const finish = (end?: WaitEnd): HandledRequest => {
      // The service was reset, so its journal must not contain earlier requests.
      if (end === 'broken off') return { response: internalError(), connectionFault: 'reset', release: state.release };
      if (replacement !== null) return this.#respond(state, replacement);
      if (damage !== 'malformed') return this.#respond(state, orInternalError(run), damage);
      return this.#respond(
        state,
        orInternalError(() => malformedResponse(run())),
      );
    };
    const isGraphql = state.path === '/graphql';
    const waitMs = delayMs + (isGraphql ? latencyMs : 0);
    if (waitMs > 0) return delays.wait(waitMs).then(finish);
    return isGraphql && state.pause !== undefined ? state.pause().then(() => finish()) : finish();
  }

  /** Applies the gateway's changes, and adds a journal entry. */
  #respond(
    { user, path, operations, ignoredMembers, startedAt, release }: RequestState,
    response: ServiceResponse,
    connectionFault: ConnectionFault | null = null,
  ): HandledRequest {
    const { clock, stopwatch, variant, journal } = this.#service;
    const now = clock.now();
    const sent = throughGateway(variant.current, response);
    journal.add({
      at: toRfc3339(now),
      user,
      path,
      operations,
      ...(ignoredMembers.length === 0 ? {} : { ignoredMembers }),
      status: connectionFault === 'reset' ? 0 : sent.status,
      ms: Math.round((stopwatch() - startedAt) * 10) / 10,
    });
    return { response: withDate(sent, now), connectionFault, release };
  }

  #respondUnlogged(response: ServiceResponse): HandledRequest {
    return { response: withDate(response, this.#service.clock.now()), connectionFault: null, release: noop };
  }
}

function internalError(): ServiceResponse {
  return errorResponse(500, 'DataFetchingException', 'The reference service failed. This is a fault of its own.');
}

/** An internal error must not end the process or expose details. */
function orInternalError(run: () => ServiceResponse): ServiceResponse {
  try {
    return run();
  } catch {
    return internalError();
  }
}

interface Actor {
  readonly login: Login;
  readonly user: MockLoginUser;
}

/** Returns the login of the token and the user of the headers, or a refusal. */
function authenticate({ headers }: ServiceRequest, tokens: TokenTable, variant: MockVariant): Actor | ServiceResponse {
  const login = tokens.loginForAccess(headers.authorization);
  if (typeof login === 'string') {
    const usual = errorResponse(401, 'UNAUTHORIZED', tokenProblemMessages[login], { 'www-authenticate': 'Bearer' });
    return tokenRefusal(variant, true, usual);
  }
  const { userid: userId, fleetid: fleetId } = headers;
  if (userId === undefined && fleetId === undefined) {
    return errorResponse(400, 'BAD_REQUEST', 'A userId or fleetId header is needed.');
  }
  if ((userId !== undefined && !isIdText(userId)) || (fleetId !== undefined && !isIdText(fleetId))) {
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
