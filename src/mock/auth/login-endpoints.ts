// The three login endpoints.
import { jsonMessage, type ServiceRequest, type ServiceResponse } from '../core/messages.js';
import { tokenRefusal } from '../variants/responses.js';
import type { MockVariant } from '../variants/variant.js';
import type { Login } from '../world/users.js';
import { parseForm } from './form.js';
import { accessLifetimeSeconds, type TokenTable, tokenProblemMessages } from './tokens.js';

function refuse(status: number, error: string, description: string): ServiceResponse {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return jsonMessage(status, { error, error_description: description }, { 'cache-control': 'no-store', ...challenge });
}

function readForm(
  request: ServiceRequest,
  names: readonly string[],
  { loginForms }: MockVariant,
): Map<string, string> | ServiceResponse {
  const fields = parseForm(request, loginForms === 'any');
  if (fields === 'unsupported') return refuse(415, 'invalid_request', 'Send a form as multipart/form-data.');
  if (fields === 'malformed') return refuse(400, 'invalid_request', 'The form cannot be read.');
  const missing = names.filter((name) => (fields.get(name) ?? '') === '');
  if (missing.length === 0) return fields;
  return refuse(400, 'invalid_request', `Form field missing: ${missing.join(', ')}.`);
}

/** Returns the lifetime members of a response; a JWT carries its own expiry. */
const lifetime = ({ accessTokens }: MockVariant): object =>
  accessTokens === 'jwt' ? {} : { token_type: 'Bearer', expires_in: accessLifetimeSeconds };

const tokenResponse = (value: object): ServiceResponse => jsonMessage(200, value, { 'cache-control': 'no-store' });

export function login(
  request: ServiceRequest,
  tokens: TokenTable,
  logins: readonly Login[],
  variant: MockVariant,
): ServiceResponse {
  const fields = readForm(request, ['username', 'password'], variant);
  if (!(fields instanceof Map)) return fields;
  const login = logins.find(({ username }) => username === fields.get('username'));
  if (login === undefined || login.password !== fields.get('password')) {
    return refuse(401, 'invalid_grant', 'Username or password is wrong.');
  }
  return tokenResponse({
    access_token: tokens.issueAccessToken(login),
    refresh_token: tokens.issueRefreshToken(login),
    scope: 'fleet',
    ...lifetime(variant),
  });
}

export function answerRefresh(request: ServiceRequest, tokens: TokenTable, variant: MockVariant): ServiceResponse {
  const fields = readForm(request, ['refreshToken'], variant);
  if (!(fields instanceof Map)) return fields;
  const exchanged = tokens.exchangeRefreshToken(fields.get('refreshToken') ?? '');
  if (exchanged === null)
    return refuse(401, 'invalid_grant', 'The refresh token is unknown, replaced or older than 12 hours.');
  return tokenResponse({
    access_token: tokens.issueAccessToken(exchanged.login),
    ...(exchanged.refreshToken === null ? {} : { refresh_token: exchanged.refreshToken }),
    ...lifetime(variant),
  });
}

export function userinfo(request: ServiceRequest, tokens: TokenTable, variant: MockVariant): ServiceResponse {
  const login = tokens.loginForAccess(request.headers.authorization);
  if (typeof login === 'string')
    return tokenRefusal(variant, false, refuse(401, 'invalid_token', tokenProblemMessages[login]));
  return jsonMessage(
    200,
    login.users.map(({ userName, userId, fleetName, fleetId }) => ({
      userName,
      userId,
      fleetName,
      ...(variant.userInfo === 'contract' ? {} : { fleetId }),
    })),
  );
}
