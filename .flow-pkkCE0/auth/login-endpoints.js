import { messageOf } from "../core/error-messages.js";
import { AuthenticationError, HttpError, ProtocolError } from "../core/errors.js";
import { parseExactly } from "../core/json.js";
import { isTokenError } from "../core/token-refusal.js";
const ACCESS_TOKEN_LIFETIME_MS = 3e5;
async function logIn(send, credentials) {
  const form = multipartForm({ username: credentials.username, password: credentials.password });
  const answer = await send({ step: "login", path: "/login/token", init: formInit(form) });
  if (isRefusal(answer)) {
    const facts = { kind: "loginRefused", status: answer.status };
    const call = callOf("login", answer);
    throw new AuthenticationError(messageOf(facts, call), { ...call, facts });
  }
  return readTokens(answer, "login");
}
async function refresh(send, refreshToken, { isEarly }) {
  const form = multipartForm({ refreshToken });
  const answer = await send({ step: "refresh", path: "/login/refresh", init: formInit(form), isEarly });
  if (isRefusal(answer)) return null;
  return readTokens(answer, "refresh");
}
async function listLoginUsers(send, accessToken) {
  const answer = await send({
    step: "userinfo",
    path: "/login/userinfo",
    init: { method: "GET", headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" } }
  });
  if (answer.status === 401 || answer.status === 403 && isTokenError(answer.challenge, answer.text))
    return answer.ids;
  const rows = readJson(answer, "userinfo");
  if (!Array.isArray(rows)) throw offContract("noUsers", "userinfo", answer);
  return rows.flatMap((row) => {
    const userId = id(row, "userId");
    if (userId === null) return [];
    return [
      { userId, userName: text(row, "userName"), fleetName: text(row, "fleetName"), fleetId: id(row, "fleetId") }
    ];
  });
}
function formInit(form) {
  return {
    method: "POST",
    headers: { "content-type": form.contentType, accept: "application/json" },
    body: form.body
  };
}
function isRefusal({ status, text: text2 }) {
  if (status === 401 || status === 422) return true;
  return (status === 400 || status === 403) && !/^\s*<(!doctype|html|head|body|\?xml)\b/i.test(text2);
}
function readTokens(answer, step) {
  const body = readJson(answer, step);
  const accessToken = text(body, "access_token");
  if (accessToken === null || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw offContract("noToken", step, answer);
  }
  return {
    accessToken,
    accessLifetimeMs: lifetimeMs(body),
    refreshToken: text(body, "refresh_token"),
    sentAt: answer.sentAt
  };
}
function lifetimeMs(body) {
  const raw = property(body, "expires_in");
  const seconds = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0 ? seconds * 1e3 : ACCESS_TOKEN_LIFETIME_MS;
}
function readJson(answer, step) {
  if (answer.status < 200 || answer.status > 299) {
    const facts = { kind: "status", status: answer.status };
    const call = callOf(step, answer);
    throw new HttpError(messageOf(facts, call), answer.status, { ...call, facts });
  }
  try {
    return parseExactly(answer.text);
  } catch {
    throw offContract("noJson", step, answer);
  }
}
function offContract(what, operation, answer) {
  const facts = { kind: "offContract", what };
  const call = callOf(operation, answer);
  return new ProtocolError(messageOf(facts, call), { ...call, facts });
}
function callOf(operation, { attempts, ids }) {
  return { operation, attempts, ...ids };
}
function property(of, name) {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : void 0;
}
function text(of, name) {
  const value = property(of, name);
  return typeof value === "string" && value !== "" ? value : null;
}
function id(of, name) {
  const value = property(of, name);
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : text(of, name);
}
function multipartForm(fields) {
  const values = Object.values(fields);
  let boundary = newBoundary();
  while (values.some((value) => value.includes(boundary))) boundary = newBoundary();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r
Content-Disposition: form-data; name="${name}"\r
\r
${value}\r
`
  );
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${parts.join("")}--${boundary}--\r
` };
}
function newBoundary() {
  return `form-${crypto.randomUUID()}`;
}
export {
  listLoginUsers,
  logIn,
  refresh
};
