import { jsonMessage } from "../core/messages.js";
import { tokenRefusal } from "../variants/responses.js";
import { parseForm } from "./form.js";
import { accessLifetimeSeconds, tokenProblemMessages } from "./tokens.js";
function refuse(status, error, description) {
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : void 0;
  return jsonMessage(status, { error, error_description: description }, { "cache-control": "no-store", ...challenge });
}
function readForm(request, names, { loginForms }) {
  const fields = parseForm(request, loginForms === "any");
  if (fields === "unsupported") return refuse(415, "invalid_request", "Send a form as multipart/form-data.");
  if (fields === "malformed") return refuse(400, "invalid_request", "The form cannot be read.");
  const missing = names.filter((name) => (fields.get(name) ?? "") === "");
  if (missing.length === 0) return fields;
  return refuse(400, "invalid_request", `Form field missing: ${missing.join(", ")}.`);
}
const lifetime = ({ accessTokens }) => accessTokens === "jwt" ? {} : { token_type: "Bearer", expires_in: accessLifetimeSeconds };
const tokenResponse = (value) => jsonMessage(200, value, { "cache-control": "no-store" });
function login(request, tokens, logins, variant) {
  const fields = readForm(request, ["username", "password"], variant);
  if (!(fields instanceof Map)) return fields;
  const login2 = logins.find(({ username }) => username === fields.get("username"));
  if (login2 === void 0 || login2.password !== fields.get("password")) {
    return refuse(401, "invalid_grant", "Username or password is wrong.");
  }
  return tokenResponse({
    access_token: tokens.issueAccessToken(login2),
    refresh_token: tokens.issueRefreshToken(login2),
    scope: "fleet",
    ...lifetime(variant)
  });
}
function refresh(request, tokens, variant) {
  const fields = readForm(request, ["refreshToken"], variant);
  if (!(fields instanceof Map)) return fields;
  const exchanged = tokens.exchangeRefreshToken(fields.get("refreshToken") ?? "");
  if (exchanged === null)
    return refuse(401, "invalid_grant", "The refresh token is unknown, replaced or older than 12 hours.");
  return tokenResponse({
    access_token: tokens.issueAccessToken(exchanged.login),
    ...exchanged.refreshToken === null ? {} : { refresh_token: exchanged.refreshToken },
    ...lifetime(variant)
  });
}
function userinfo(request, tokens, variant) {
  const login2 = tokens.loginForAccess(request.headers.authorization);
  if (typeof login2 === "string")
    return tokenRefusal(variant, false, refuse(401, "invalid_token", tokenProblemMessages[login2]));
  return jsonMessage(
    200,
    login2.users.map(({ userName, userId, fleetName, fleetId }) => ({
      userName,
      userId,
      fleetName,
      ...variant.userInfo === "contract" ? {} : { fleetId }
    }))
  );
}
export {
  login,
  refresh,
  userinfo
};
