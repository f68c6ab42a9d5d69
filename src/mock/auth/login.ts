// The three login endpoints and the tokens they hand out. Tokens are random and live in this instance only, so a guessed, an
// altered or another instance's token is refused; how old one is, is read off the service's clock.
import { randomBytes } from 'node:crypto';
import type { TimeSource } from '../control/clock.js';
import { formFields } from '../http/form.js';
import { json, type ServiceRequest, type ServiceResponse } from '../http/messages.js';
import type { Login } from '../world/users.js';

const accessSeconds = 300;
const refreshMs = 12 * 3_600_000;
// Expired tokens are swept when this many have been handed out since the last sweep.
const sweepEvery = 1000;

interface Issued {
  readonly login: Login;
  readonly at: number;
}

/** Why there is no login behind a request; `missing` when it carries no bearer token at all. */
export type TokenProblem = 'missing' | 'invalid';

export class Tokens {
  readonly #clock: TimeSource;
  readonly #access = new Map<string, Issued>();
  readonly #refresh = new Map<string, Issued>();
  #issued = 0;

  constructor(clock: TimeSource) {
    this.#clock = clock;
  }

  newAccess(login: Login): string {
    return this.#issue(this.#access, login);
  }

  newRefresh(login: Login): string {
    return this.#issue(this.#refresh, login);
  }

  /** The login behind an Authorization header. */
  authorize(header: string | undefined): Login | TokenProblem {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) return 'missing';
    const issued = this.#access.get(token);
    return issued !== undefined && this.#fresh(issued, accessSeconds * 1000) ? issued.login : 'invalid';
  }

  /** The login behind a refresh token, null when it is unknown or older than 12 hours. */
  refreshing(token: string): Login | null {
    const issued = this.#refresh.get(token);
    return issued !== undefined && this.#fresh(issued, refreshMs) ? issued.login : null;
  }

  reset(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #fresh({ at }: Issued, lifetimeMs: number): boolean {
    return this.#clock.now() - at < lifetimeMs;
  }

  #issue(tokens: Map<string, Issued>, login: Login): string {
    const token = randomBytes(32).toString('base64url');
    tokens.set(token, { login, at: this.#clock.now() });
    this.#issued += 1;
    if (this.#issued % sweepEvery === 0) this.#sweep();
    return token;
  }

  #sweep(): void {
    for (const [token, issued] of this.#access)
      if (!this.#fresh(issued, accessSeconds * 1000)) this.#access.delete(token);
    for (const [token, issued] of this.#refresh) if (!this.#fresh(issued, refreshMs)) this.#refresh.delete(token);
  }
}

function refused(status: number, error: string, description: string): ServiceResponse {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return json(status, { error, error_description: description }, { 'cache-control': 'no-store', ...challenge });
}

/** The fields of the request's form, or the answer that refuses it. */
function form(request: ServiceRequest, names: readonly string[]): ReadonlyMap<string, string> | ServiceResponse {
  const fields = formFields(request);
  if (fields === 'unsupported') {
    return refused(415, 'invalid_request', 'Send a form: multipart/form-data or application/x-www-form-urlencoded.');
  }
  if (fields === 'malformed') return refused(400, 'invalid_request', 'The form cannot be read.');
  const missing = names.filter((name) => (fields.get(name) ?? '') === '');
  if (missing.length === 0) return fields;
  return refused(400, 'invalid_request', `Form field missing: ${missing.join(', ')}.`);
}

const granted = (value: object): ServiceResponse => json(200, value, { 'cache-control': 'no-store' });

/** POST /login/token */
export function login(request: ServiceRequest, tokens: Tokens, logins: readonly Login[]): ServiceResponse {
  const fields = form(request, ['username', 'password']);
  if (!(fields instanceof Map)) return fields as ServiceResponse; // ReadonlyMap hides that there is no third case
  const known = logins.find(({ username }) => username === fields.get('username'));
  if (known === undefined || known.password !== fields.get('password')) {
    return refused(401, 'invalid_grant', 'Username or password is wrong.');
  }
  return granted({
    access_token: tokens.newAccess(known),
    refresh_token: tokens.newRefresh(known),
    scope: 'fleet',
    token_type: 'Bearer',
    expires_in: accessSeconds,
  });
}

/** POST /login/refresh */
export function refresh(request: ServiceRequest, tokens: Tokens): ServiceResponse {
  const fields = form(request, ['refreshToken']);
  if (!(fields instanceof Map)) return fields as ServiceResponse; // as above
  const known = tokens.refreshing(fields.get('refreshToken') ?? '');
  if (known === null) return refused(401, 'invalid_grant', 'The refresh token is unknown or older than 12 hours.');
  return granted({ access_token: tokens.newAccess(known), token_type: 'Bearer', expires_in: accessSeconds });
}

/** GET /login/userinfo */
export function userinfo(request: ServiceRequest, tokens: Tokens): ServiceResponse {
  const known = tokens.authorize(request.headers.authorization);
  if (typeof known === 'string') {
    const problem = known === 'missing' ? 'A bearer token is needed.' : 'The access token is unknown or expired.';
    return refused(401, 'invalid_token', problem);
  }
  return json(
    200,
    known.users.map(({ userName, userId, fleetName, fleetId }) => ({ userName, userId, fleetName, fleetId })),
  );
}
