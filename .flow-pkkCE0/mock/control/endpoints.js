import { bodyText, emptyResponse, jsonMessage } from "../core/messages.js";
import { anything, boolean, object, optional, refined, rfc3339, text, wholeNumber } from "../core/readers.js";
import { toRfc3339 } from "../core/rfc3339.js";
const errorResponse = (status, message) => jsonMessage(status, { error: message });
function bodyOf(request) {
  try {
    return JSON.parse(bodyText(request.body));
  } catch {
    throw new TypeError("the body is not JSON");
  }
}
const noOptions = object({}, "the body");
const clockChange = refined(
  object(
    {
      advance: optional(wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
      set: optional(rfc3339),
      freeze: optional(boolean)
    },
    "the body"
  ),
  (change) => Object.keys(change).length === 1 ? null : "must have exactly one of advance, set and freeze",
  "the body"
);
const vehicleScript = object({ vehicleId: text, script: anything }, "the body");
function changeClock(clock, body) {
  const { advance, set, freeze } = clockChange(body, "");
  if (advance !== void 0) clock.advance(advance);
  if (set !== void 0) clock.set(set);
  if (freeze !== void 0) clock.freeze(freeze);
}
function noContent(action) {
  action();
  return emptyResponse(204);
}
function createControl(service) {
  const now = () => toRfc3339(service.clock.now());
  const actions = {
    "GET health": () => jsonMessage(200, { status: "ok", now: now() }),
    "GET requests": () => jsonMessage(200, { requests: service.journal.list() }),
    "DELETE requests": () => noContent(() => service.journal.clear()),
    "POST reset": (request) => {
      if (request.body.length > 0) noOptions(bodyOf(request), "");
      return noContent(service.reset);
    },
    "GET clock": () => jsonMessage(200, { now: now() }),
    "POST clock": (request) => {
      changeClock(service.clock, bodyOf(request));
      return jsonMessage(200, { now: now() });
    },
    "GET faults": () => jsonMessage(200, { faults: service.faults.list() }),
    // `add` checks the rule.
    "POST faults": (request) => jsonMessage(201, { id: service.faults.add(bodyOf(request)) }),
    "DELETE faults": () => noContent(() => service.faults.clear()),
    // `script` checks the script.
    "POST scripts": (request) => noContent(() => {
      const { vehicleId, script } = vehicleScript(bodyOf(request), "");
      service.scripts.script(vehicleId, script);
    }),
    "GET scripts": () => jsonMessage(200, { scripts: service.scripts.list() }),
    "DELETE scripts": () => noContent(() => service.scripts.clear()),
    "POST answers": (request) => jsonMessage(201, { id: service.answers.addPlain(bodyOf(request)) }),
    "GET answers": () => jsonMessage(200, { answers: service.answers.list() }),
    "DELETE answers": () => noContent(() => service.answers.clear()),
    "GET variant": () => jsonMessage(200, service.variant.current),
    // `set` checks the variant.
    "PUT variant": (request) => noContent(() => service.variant.set(bodyOf(request))),
    "GET snapshot": () => jsonMessage(200, service.snapshot()),
    "PUT snapshot": (request) => noContent(() => service.restore(bodyOf(request)))
  };
  const methodsOf = (path) => Object.keys(actions).flatMap((key) => key.endsWith(` ${path}`) ? key.slice(0, -path.length - 1) : []);
  return (request, path) => {
    const key = `${request.method} ${path}`;
    const action = Object.hasOwn(actions, key) ? actions[key] : void 0;
    if (action === void 0) {
      const methods = methodsOf(path);
      if (methods.length === 0) return errorResponse(404, "there is no control endpoint of this name");
      return jsonMessage(405, { error: "wrong method" }, { allow: methods.join(", ") });
    }
    try {
      return action(request);
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return errorResponse(400, error.message);
      throw error;
    }
  };
}
export {
  createControl
};
