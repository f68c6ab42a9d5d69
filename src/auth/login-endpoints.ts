// The three login endpoints of the contract: requests and answers. The `SendLogin` argument is
// responsible for retries, deadlines and connections.
import type { OffContract } from '../core/error-facts.js';
import { errorOf, messageOf } from '../core/error-messages.js';
import { AuthenticationError, type FailedCall, HttpError, type LoginUser, ProtocolError } from '../core/errors.js';
import { parseExactly } from '../core/json.js';
import type { FetchInit } from '../core/ports.js';
import type { RequestIds } from '../core/request-ids.js';
import { isTokenError } from '../core/token-refusal.js';

/** Lifetime of an access token by contract. */
const ACCESS_TOKEN_LIFETIME_MS = 300_000;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type LoginStep = 'login' | 'refresh' | 'userinfo';

export interface LoginRequest {
  readonly step: LoginStep;
  readonly path: '/login/token' | '/login/refresh' | '/login/userinfo';
  readonly init: FetchInit;
  /** True while the old token is valid: one try only. */
  readonly isEarly?: boolean;
}

export interface LoginAnswer {
  readonly status: number;
  readonly text: string;
  readonly challenge: string | null;
  /** By this machine's clock. */
  readonly sentAt: number;
  readonly attempts: number;
  readonly ids: RequestIds;
}

/**
 * Sends a login request, with retries. Any status is an answer, except a 429, 502, 503 or 504 that
 * does not end. Rejects with a FleetError without an answer.
 */
export type SendLogin = (request: LoginRequest) => Promise<LoginAnswer>;

export interface Tokens {
  readonly accessToken: string;
  readonly accessLifetimeMs: number;
  /** Null when the old one stays valid. */
  readonly refreshToken: string | null;
  readonly sentAt: number;
}

/** POST /login/token: returns tokens. Throws AuthenticationError for refused credentials. */
export async function logIn(send: SendLogin, credentials: Credentials): Promise<Tokens> {
  const form = multipartForm({ username: credentials.username, password: credentials.password });
  const answer = await send({ step: 'login', path: '/login/token', init: formInit(form) });
  if (isRefusal(answer)) {
    throw errorOf(AuthenticationError, { kind: 'loginRefused', status: answer.status }, callOf('login', answer));
  }
  return readTokens(answer, 'login');
}

/** POST /login/refresh: returns a new access token; null for a refused refresh token. */
export async function refresh(
  send: SendLogin,
  refreshToken: string,
  { isEarly }: { readonly isEarly: boolean },
): Promise<Tokens | null> {
  const form = multipartForm({ refreshToken });
  const answer = await send({ step: 'refresh', path: '/login/refresh', init: formInit(form), isEarly });
  if (isRefusal(answer)) return null;
  return readTokens(answer, 'refresh');
}

/** GET /login/userinfo: returns the users; the request's ids for a refused token. */
export async function listLoginUsers(send: SendLogin, accessToken: string): Promise<LoginUser[] | RequestIds> {
  const answer = await send({
    step: 'userinfo',
    path: '/login/userinfo',
    init: { method: 'GET', headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' } },
  });
  if (answer.status === 401 || (answer.status === 403 && isTokenError(answer.challenge, answer.text)))
    return answer.ids;
  const rows = readJson(answer, 'userinfo');
  if (!Array.isArray(rows)) throw offContract('noUsers', 'userinfo', answer);
  return rows.flatMap((row: unknown) => {
    const userId = readIdText(row, 'userId');
    if (userId === null) return [];
    return [
      {
        userId,
        userName: text(row, 'userName'),
        fleetName: text(row, 'fleetName'),
        fleetId: readIdText(row, 'fleetId'),
      },
    ];
  });
}

function formInit(form: { contentType: string; body: string }): FetchInit {
  return {
    method: 'POST',
    headers: { 'content-type': form.contentType, accept: 'application/json' },
    body: form.body,
  };
}

/**
 * True when the service refuses the login. The contract does not define it, but these statuses have
 * no other meaning here. An HTML page with 400 or 403 comes from a gateway or a network that
 * blocked the request.
 */
function isRefusal({ status, text }: LoginAnswer): boolean {
  if (status === 401 || status === 422) return true;
  return (status === 400 || status === 403) && !/^\s*<(!doctype|html|head|body|\?xml)\b/i.test(text);
}

function readTokens(answer: LoginAnswer, step: 'login' | 'refresh'): Tokens {
  const body = readJson(answer, step);
  const accessToken = text(body, 'access_token');
  // fetch would quote an invalid header value in its error.
  if (accessToken === null || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw offContract('noToken', step, answer);
  }
  return {
    accessToken,
    accessLifetimeMs: lifetimeMs(body),
    refreshToken: text(body, 'refresh_token'),
    sentAt: answer.sentAt,
  };
}

/** Returns the lifetime by `expires_in`, which is not in the contract, or else by the contract. */
function lifetimeMs(body: unknown): number {
  const raw = property(body, 'expires_in');
  const seconds = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0
    ? seconds * 1000
    : ACCESS_TOKEN_LIFETIME_MS;
}

function readJson(answer: LoginAnswer, step: LoginStep): unknown {
  if (answer.status < 200 || answer.status > 299) {
    const facts = { kind: 'status', status: answer.status } as const;
    const call = callOf(step, answer);
    throw new HttpError(messageOf(facts, call), answer.status, { ...call, facts });
  }
  try {
    return parseExactly(answer.text);
  } catch {
    throw offContract('noJson', step, answer);
  }
}

function offContract(what: OffContract, operation: LoginStep, answer: LoginAnswer): ProtocolError {
  return errorOf(ProtocolError, { kind: 'offContract', what }, callOf(operation, answer));
}

function callOf(operation: LoginStep, { attempts, ids }: LoginAnswer): FailedCall {
  return { operation, attempts, ...ids };
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function text(of: unknown, name: string): string | null {
  const value = property(of, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns an id as text, because some services send numbers; null without one. */
function readIdText(source: unknown, name: string): string | null {
  const value = property(source, name);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : text(source, name);
}

interface MultipartForm {
  readonly contentType: string;
  readonly body: string;
}

/** Encodes a form. Names must be plain words; values may be any text. */
function multipartForm(fields: Readonly<Record<string, string>>): MultipartForm {
  const values = Object.values(fields);
  let boundary = newBoundary();
  while (values.some((value) => value.includes(boundary))) boundary = newBoundary();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` };
}

function newBoundary(): string {
  return `form-${crypto.randomUUID()}`;
}
