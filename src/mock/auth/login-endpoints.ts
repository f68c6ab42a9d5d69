// The three login endpoints.
import { json, type ServiceRequest, type ServiceResponse } from '../core/messages.js';
import type { Login } from '../world/users.js';
import { parseForm } from './form.js';
import { accessLifetimeSeconds, type Tokens, tokenProblemMessages } from './tokens.js';

function refuse(status: number, error: string, description: string): ServiceResponse {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return json(status, { error, error_description: description }, { 'cache-control': 'no-store', ...challenge });
}

/** The form of the request, or the response that refuses it. */
function readForm(request: ServiceRequest, names: readonly string[]): Map<string, string> | ServiceResponse {
  const fields = parseForm(request);
  if (fields === 'unsupported') {
    return refuse(415, 'invalid_request', 'Send a form: multipart/form-data or application/x-www-form-urlencoded.');
  }
  if (fields === 'malformed') return refuse(400, 'invalid_request', 'The form cannot be read.');
  const missing = names.filter((name) => (fields.get(name) ?? '') === '');
  if (missing.length === 0) return fields;
  return refuse(400, 'invalid_request', `Form field missing: ${missing.join(', ')}.`);
}

const tokenResponse = (value: object): ServiceResponse => json(200, value, { 'cache-control': 'no-store' });

/** POST /login/token */
export function login(request: ServiceRequest, tokens: Tokens, logins: readonly Login[]): ServiceResponse {
  const fields = readForm(request, ['username', 'password']);
  if (!(fields instanceof Map)) return fields;
  const login = logins.find(({ username }) => username === fields.get('username'));
  if (login === undefined || login.password !== fields.get('password')) {
    return refuse(401, 'invalid_grant', 'Username or password is wrong.');
  }
  return tokenResponse({
    access_token: tokens.issueAccessToken(login),
    refresh_token: tokens.issueRefreshToken(login),
    scope: 'fleet',
    token_type: 'Bearer',
    expires_in: accessLifetimeSeconds,
  });
}

/** POST /login/refresh */
export function refresh(request: ServiceRequest, tokens: Tokens): ServiceResponse {
  const fields = readForm(request, ['refreshToken']);
  if (!(fields instanceof Map)) return fields;
  const login = tokens.loginForRefresh(fields.get('refreshToken') ?? '');
  if (login === null) return refuse(401, 'invalid_grant', 'The refresh token is unknown or older than 12 hours.');
  return tokenResponse({
    access_token: tokens.issueAccessToken(login),
    token_type: 'Bearer',
    expires_in: accessLifetimeSeconds,
  });
}

/** GET /login/userinfo */
export function userinfo(request: ServiceRequest, tokens: Tokens): ServiceResponse {
  const login = tokens.loginForAccess(request.headers.authorization);
  if (typeof login === 'string') return refuse(401, 'invalid_token', tokenProblemMessages[login]);
  return json(
    200,
    login.users.map(({ userName, userId, fleetName, fleetId }) => ({ userName, userId, fleetName, fleetId })),
  );
}
