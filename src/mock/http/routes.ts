// From a request to its answer: which endpoint, who asks, whose turn it is, which planned fault, then the work itself.

import { login, refresh, type Tokens, userinfo } from '../auth/login.js';
import type { ResettableClock } from '../control/clock.js';
import { type FaultPlan, type Faults, malformed } from '../control/faults.js';
import type { Journal } from '../control/journal.js';
import { graphiqlAsset, graphiqlPage } from '../graphiql/page.js';
import { Context } from '../graphql/context.js';
import type { Documents } from '../graphql/documents.js';
import { errorResponse } from '../graphql/errors.js';
import { type Call, readCall, type Schemas } from '../graphql/execute.js';
import { isUuid } from '../graphql/scalars.js';
import type { Store } from '../store/store.js';
import { Scope } from '../store/visibility.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { FleetUser, Login } from '../world/users.js';
import { ActiveRequests } from './active-requests.js';
import { type Endpoint, endpoints, methods } from './endpoints.js';
import {
  dated,
  type Exchange,
  type Handler,
  type ServiceRequest,
  type ServiceResponse,
  type Spoil,
} from './messages.js';

/** What the endpoints work on. */
export interface Parts {
  readonly clock: ResettableClock;
  readonly store: Store;
  readonly telemetry: Telemetry;
  readonly tokens: Tokens;
  readonly logins: readonly Login[];
  readonly faults: Faults;
  readonly journal: Journal;
  /** Made when the first document arrives: start-up does not wait for it. */
  readonly graphql: () => { readonly schemas: Schemas; readonly documents: Documents };
  readonly latencyMs: number;
  readonly strict: boolean;
  /** Milliseconds of real time, for the journal. */
  readonly stopwatch: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Answers everything under `/__mock/`. */
  readonly control: (request: ServiceRequest, path: string) => ServiceResponse;
}

const largestBody = 8 * 1024 * 1024;

/** One request on its way through the steps below. */
interface Visit {
  readonly request: ServiceRequest;
  readonly path: string;
  readonly startedAt: number;
  user: string | null;
  operations: readonly string[];
  release: () => void;
}

const nothing = (): void => {};

export function createHandler(parts: Parts): Handler {
  const active = new ActiveRequests();

  function leave(visit: Visit, response: ServiceResponse, spoil: Spoil | null = null): Exchange {
    const { user, path, operations } = visit;
    const now = parts.clock.now();
    const at = new Date(now).toISOString();
    const ms = Math.round((parts.stopwatch() - visit.startedAt) * 10) / 10;
    parts.journal.add({ at, user, path, operations, status: spoil === 'reset' ? 0 : response.status, ms });
    return { response: dated(response, now), spoil, done: visit.release };
  }

  /** Runs the work between the faults that come before and after it. */
  function perform(visit: Visit, plan: FaultPlan, work: () => ServiceResponse): Exchange | Promise<Exchange> {
    const finish = (): Exchange => {
      if (plan.instead !== null) return leave(visit, plan.instead);
      if (plan.after === 'malformed')
        return leave(
          visit,
          guarded(() => malformed(work())),
        );
      return leave(visit, guarded(work), plan.after);
    };
    const waitMs = plan.delayMs + (visit.path === '/graphql' ? parts.latencyMs : 0);
    return waitMs > 0 ? parts.wait(waitMs).then(finish) : finish();
  }

  function graphql(visit: Visit): Exchange | Promise<Exchange> {
    const who = selectUser(visit.request, parts.tokens);
    if ('status' in who) return leave(visit, who);
    visit.user = who.user.userName;
    const release = active.begin(who.user.userId);
    if (release === null) {
      const message = 'Another request of this user is still active. Send it again when that one has been answered.';
      return leave(visit, errorResponse(429, 'TOO_MANY_REQUESTS', message));
    }
    visit.release = release;
    let call: Call | ServiceResponse;
    try {
      const { schemas, documents } = parts.graphql();
      call = readCall(visit.request, schemas, documents, parts.strict);
      if (!('status' in call)) visit.operations = call.operations;
    } catch {
      call = internalError();
    }
    const ready = call;
    const plan = parts.faults.take(visit.path, visit.operations);
    return perform(visit, plan, () => ('status' in ready ? ready : ready.run(contextFor(who, plan))));
  }

  function contextFor({ login, user }: Selected, { failing }: FaultPlan): Context {
    const { store, telemetry, strict } = parts;
    const scope = new Scope(store.fleet(user.fleetId), user);
    return new Context({ login, scope, store, telemetry, now: parts.clock.now(), strict, failing });
  }

  function answer(visit: Visit, endpoint: Endpoint): Exchange | Promise<Exchange> {
    const { request } = visit;
    const method = methods[endpoint];
    if (request.method !== method) {
      return leave(visit, errorResponse(405, 'BAD_REQUEST', `Only ${method} is answered here.`, { allow: method }));
    }
    if (request.body.length > largestBody) {
      return leave(visit, errorResponse(413, 'BAD_REQUEST', `The body is larger than ${largestBody} bytes.`));
    }
    if (endpoint === '/graphql') return graphql(visit);
    const plan = parts.faults.take(visit.path, []);
    return perform(visit, plan, () => {
      if (endpoint === '/login/token') return login(request, parts.tokens, parts.logins);
      if (endpoint === '/login/refresh') return refresh(request, parts.tokens);
      if (endpoint === '/login/userinfo') return userinfo(request, parts.tokens);
      return graphiqlPage();
    });
  }

  return (request) => {
    const controlAt = request.path.indexOf('/__mock/');
    if (controlAt >= 0) {
      const path = request.path.slice(controlAt + '/__mock/'.length);
      const response = guarded(() => parts.control(request, path));
      return { response: dated(response, parts.clock.now()), spoil: null, done: nothing };
    }
    const endpoint = endpoints.find((end) => request.path.endsWith(end));
    const startedAt = parts.stopwatch();
    const visit: Visit = {
      request,
      path: endpoint ?? request.path.slice(0, 200),
      startedAt,
      user: null,
      operations: [],
      release: nothing,
    };
    if (endpoint === undefined) {
      // The files of the page at /graphiql are no part of the contract: the journal does not tell of them.
      const asset = graphiqlAsset(request);
      if (asset !== null) return { response: dated(asset, parts.clock.now()), spoil: null, done: nothing };
      return leave(visit, errorResponse(404, 'NOT_FOUND', 'There is nothing at this path.'));
    }
    return answer(visit, endpoint);
  };
}

function internalError(): ServiceResponse {
  return errorResponse(500, 'DataFetchingException', 'The reference service failed. This is a fault of its own.');
}

/** A fault of the service's own must not take the process down, nor show its inside. */
function guarded(work: () => ServiceResponse): ServiceResponse {
  try {
    return work();
  } catch {
    return internalError();
  }
}

interface Selected {
  readonly login: Login;
  readonly user: FleetUser;
}

/** The login behind the token and the user that the headers select, or the answer that refuses. */
function selectUser({ headers }: ServiceRequest, tokens: Tokens): Selected | ServiceResponse {
  const login = tokens.authorize(headers.authorization);
  if (typeof login === 'string') {
    const problem = login === 'missing' ? 'A bearer token is needed.' : 'The access token is unknown or expired.';
    return errorResponse(401, 'UNAUTHORIZED', problem, { 'www-authenticate': 'Bearer' });
  }
  const { userid: userId, fleetid: fleetId } = headers;
  if (userId === undefined && fleetId === undefined) {
    return errorResponse(400, 'BAD_REQUEST', 'A userId or fleetId header is needed.');
  }
  if ((userId !== undefined && !isUuid(userId)) || (fleetId !== undefined && !isUuid(fleetId))) {
    return errorResponse(400, 'BAD_REQUEST', 'The userId and fleetId headers must be UUIDs.');
  }
  const user = login.users.find(
    (one) =>
      (userId === undefined || one.userId === userId.toLowerCase()) &&
      (fleetId === undefined || one.fleetId === fleetId.toLowerCase()),
  );
  if (user === undefined) return errorResponse(403, 'FORBIDDEN', 'The login may not act as this user.');
  return { login, user };
}
