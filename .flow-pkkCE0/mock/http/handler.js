import { login, refresh, userinfo } from "../auth/login-endpoints.js";
import { tokenProblemMessages } from "../auth/tokens.js";
import { malformedResponse } from "../control/faults.js";
import { endpoints, methods } from "../core/endpoints.js";
import {
  bodyTooLarge,
  errorResponse,
  maxBodyBytes,
  withDate
} from "../core/messages.js";
import { toRfc3339 } from "../core/rfc3339.js";
import { isUuid } from "../core/uuid.js";
import { graphiqlAsset, graphiqlPage } from "../graphiql/page.js";
import { prepareRequest } from "../graphql/execute.js";
import { RequestContext } from "../graphql/request-context.js";
import { UserScope } from "../store/visibility.js";
import { ignoresUnknownMembers } from "../variants/inputs.js";
import { throughGateway, tokenRefusal } from "../variants/responses.js";
import { turnKey } from "../variants/turns.js";
const controlPrefix = "/__mock/";
const noop = () => {
};
class Handler {
  #service;
  constructor(service) {
    this.#service = service;
  }
  /** Finds what answers the path: a control endpoint, an endpoint of the contract, or a file of GraphiQL. */
  handle = (request, pause) => {
    const { basePath, control, stopwatch } = this.#service;
    const controlAt = request.path.indexOf(controlPrefix);
    if (controlAt >= 0 && (basePath === null || basePath.length === controlAt)) {
      const path = request.path.slice(controlAt + controlPrefix.length);
      return this.#respondUnlogged(orInternalError(() => control(request, path)));
    }
    const endpoint = endpoints.find(
      (path) => basePath === null ? request.path.endsWith(path) : request.path === basePath + path
    );
    const state = {
      request,
      path: endpoint ?? request.path.slice(0, 200),
      startedAt: stopwatch(),
      pause,
      user: null,
      operations: [],
      ignoredMembers: [],
      release: noop
    };
    if (endpoint !== void 0) return this.#endpoint(state, endpoint);
    const asset = graphiqlAsset(request);
    if (asset !== null) return this.#respondUnlogged(asset);
    const where = basePath === null ? "" : ` The service answers below ${basePath === "" ? "/" : basePath}.`;
    return this.#respond(state, errorResponse(404, "NOT_FOUND", `There is nothing at this path.${where}`));
  };
  #endpoint(state, endpoint) {
    const { request } = state;
    const method = methods[endpoint];
    if (request.method !== method) {
      const refused = errorResponse(405, "BAD_REQUEST", `Only ${method} is answered here.`, { allow: method });
      return this.#respond(state, refused);
    }
    if (request.body.length > maxBodyBytes) return this.#respond(state, bodyTooLarge());
    if (endpoint === "/graphql") return this.#graphql(state);
    const plan = this.#service.faults.consume(state.path, []);
    return this.#runWithFaults(state, plan, () => this.#loginOrPage(request, endpoint));
  }
  #loginOrPage(request, endpoint) {
    const { tokens, logins, variant } = this.#service;
    if (endpoint === "/login/token") return login(request, tokens, logins, variant.current);
    if (endpoint === "/login/refresh") return refresh(request, tokens, variant.current);
    if (endpoint === "/login/userinfo") return userinfo(request, tokens, variant.current);
    return graphiqlPage();
  }
  /** Finds out who asks, takes the user's turn, and runs the operation. */
  #graphql(state) {
    const { tokens, variant, active, lingering, faults } = this.#service;
    const actor = authenticate(state.request, tokens, variant.current);
    if ("status" in actor) return this.#respond(state, actor);
    state.user = actor.user.userName;
    const release = active.begin(turnKey(variant.current, actor.login.username, actor.user.userId));
    if (release === null) {
      const message = "Another request of this user is still active. Send it again when that one has been answered.";
      return this.#respond(state, errorResponse(429, "TOO_MANY_REQUESTS", message));
    }
    const { lingerMs } = variant.current;
    state.release = lingerMs === void 0 ? release : () => void lingering.wait(lingerMs).then(release);
    const prepared = this.#prepare(state);
    const plan = faults.consume(state.path, state.operations);
    return this.#runWithFaults(
      state,
      plan,
      () => "status" in prepared ? prepared : prepared.run(this.#contextFor(actor, plan))
    );
  }
  #prepare(state) {
    const { schemas, documents } = this.#service.graphql();
    try {
      const dropsUnknownKeys = ignoresUnknownMembers(this.#service.variant.current, this.#service.strict);
      const prepared = prepareRequest(state.request, schemas, documents, dropsUnknownKeys);
      if ("status" in prepared) return prepared;
      state.operations = prepared.operations;
      state.ignoredMembers = prepared.ignoredMembers;
      return prepared;
    } catch {
      return internalError();
    }
  }
  #contextFor({ login: login2, user }, { plannedErrors }) {
    const { clock, scripts, store, telemetry, strict, answers: plannedAnswers, variant } = this.#service;
    const now = clock.now();
    scripts.swapDevices(now);
    const scope = new UserScope(store.fleet(user.fleetId), user);
    return new RequestContext({
      login: login2,
      scope,
      store,
      telemetry,
      now,
      strict,
      plannedErrors,
      plannedAnswers,
      variant: variant.current
    });
  }
  /** Runs the request with its planned faults: some replace it, others damage its response. */
  #runWithFaults(state, { delayMs, replacement, damage }, run) {
    const { latencyMs, delays } = this.#service;
    const finish = (end) => {
      if (end === "broken off") return { response: internalError(), connectionFault: "reset", release: state.release };
      if (replacement !== null) return this.#respond(state, replacement);
      if (damage !== "malformed") return this.#respond(state, orInternalError(run), damage);
      return this.#respond(
        state,
        orInternalError(() => malformedResponse(run()))
      );
    };
    const isGraphql = state.path === "/graphql";
    const waitMs = delayMs + (isGraphql ? latencyMs : 0);
    if (waitMs > 0) return delays.wait(waitMs).then(finish);
    return isGraphql && state.pause !== void 0 ? state.pause().then(() => finish()) : finish();
  }
  /** The response as the gateway sends it, with a journal entry. */
  #respond({ user, path, operations, ignoredMembers, startedAt, release }, response, connectionFault = null) {
    const { clock, stopwatch, variant, journal } = this.#service;
    const now = clock.now();
    const sent = throughGateway(variant.current, response);
    journal.add({
      at: toRfc3339(now),
      user,
      path,
      operations,
      ...ignoredMembers.length === 0 ? {} : { ignoredMembers },
      status: connectionFault === "reset" ? 0 : sent.status,
      ms: Math.round((stopwatch() - startedAt) * 10) / 10
    });
    return { response: withDate(sent, now), connectionFault, release };
  }
  #respondUnlogged(response) {
    return { response: withDate(response, this.#service.clock.now()), connectionFault: null, release: noop };
  }
}
function internalError() {
  return errorResponse(500, "DataFetchingException", "The reference service failed. This is a fault of its own.");
}
function orInternalError(run) {
  try {
    return run();
  } catch {
    return internalError();
  }
}
function authenticate({ headers }, tokens, variant) {
  const login2 = tokens.loginForAccess(headers.authorization);
  if (typeof login2 === "string") {
    const usual = errorResponse(401, "UNAUTHORIZED", tokenProblemMessages[login2], { "www-authenticate": "Bearer" });
    return tokenRefusal(variant, true, usual);
  }
  const { userid: userId, fleetid: fleetId } = headers;
  if (userId === void 0 && fleetId === void 0) {
    return errorResponse(400, "BAD_REQUEST", "A userId or fleetId header is needed.");
  }
  if (userId !== void 0 && !isUuid(userId) || fleetId !== void 0 && !isUuid(fleetId)) {
    return errorResponse(400, "BAD_REQUEST", "The userId and fleetId headers must be UUIDs.");
  }
  const user = login2.users.find(
    (candidate) => (userId === void 0 || candidate.userId === userId.toLowerCase()) && (fleetId === void 0 || candidate.fleetId === fleetId.toLowerCase())
  );
  if (user === void 0) return errorResponse(403, "FORBIDDEN", "The login may not act as this user.");
  return { login: login2, user };
}
export {
  Handler
};
