import { HeadersError } from "../core/errors.js";
import { quietly } from "../core/quietly.js";
import { defaultUserAgent } from "../core/version.js";
function addedHeaders(headers = {}, userAgent = defaultUserAgent) {
  const agent = { "user-agent": userAgent };
  if (typeof headers !== "function") return { agent, constant: { ...headers }, ofRequest: null };
  return { agent, constant: {}, ofRequest: (request) => headersFrom(headers, request) };
}
function programHeaders({ constant, ofRequest }, event, ofCall) {
  const ofClient = (event && ofRequest?.(event)) ?? constant;
  return ofCall === void 0 ? ofClient : withHeaders(ofClient, ofCall);
}
function withHeaders(headers, others) {
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...others };
}
function headersFrom(headers, request) {
  const details = { operation: request.kind === "login" ? request.operations[0] ?? null : null };
  let given;
  let problem;
  try {
    given = headers(request);
    problem = headersProblem(given, "What the headers function of the client returns");
  } catch (error) {
    const message = "The headers function of the client failed, so the request was not sent: error.cause is what it threw. Make the call again when the function works.";
    throw new HeadersError(message, { ...details, cause: error });
  }
  if (problem === null) return given;
  quietly(() => given)(void 0);
  throw new HeadersError(`${problem}. The request was not sent.`, { ...details, retryable: false });
}
function withTracing(added, headers) {
  const valid = Object.entries(added).filter(([name, value]) => headerProblem(name, value) === null);
  if (valid.length === 0) return headers;
  return withHeaders(Object.fromEntries(valid.map(([name, value]) => [name.toLowerCase(), String(value)])), headers);
}
const reserved = /* @__PURE__ */ new Set([
  ...["authorization", "userid", "fleetid", "content-type", "accept", "accept-encoding", "content-length", "host"],
  ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect"]
]);
function headersProblem(headers, owner) {
  if (isPromise(headers)) return `${owner} must be headers, not a promise of them`;
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) {
    return `${owner} must be a plain object of header names and strings`;
  }
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== null) return `${owner} ${problem}`;
  }
  return null;
}
function headerProblem(name, value) {
  const lowerCase = name.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "must have header names that HTTP allows";
  if (lowerCase === "user-agent") return "must not have user-agent: the option userAgent sets it";
  if (reserved.has(lowerCase)) return `must not have ${lowerCase}: the client sets it`;
  return isHeaderValue(value) ? null : "must have values that are strings and fit in a header";
}
function isPromise(value) {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
function isHeaderValue(value) {
  return typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
export {
  addedHeaders,
  headersProblem,
  isHeaderValue,
  programHeaders,
  withTracing
};
