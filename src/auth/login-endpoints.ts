// The three login endpoints of the contract: what is sent, and what is read from the answers. Repeating, deadlines and
// sockets are the business of the `SendLogin` that is handed in.
import { AuthenticationError, type FleetUser, HttpError, ProtocolError } from '../core/errors.js';
import type { FetchInit } from '../core/ports.js';
import { multipartForm } from './multipart.js';

/** By contract an access token is valid for 300 seconds. */
const CONTRACT_LIFETIME_MS = 300_000;

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A login step, as events and errors name it. */
export type LoginStep = 'login' | 'refresh' | 'userinfo';

export interface LoginRequest {
  readonly step: LoginStep;
  readonly path: '/login/token' | '/login/refresh' | '/login/userinfo';
  readonly init: FetchInit;
  /** There is still a good token: one try, and no long wait. */
  readonly isAhead?: boolean;
}

export interface LoginAnswer {
  readonly status: number;
  readonly text: string;
  /** When the answered request left, by the wall clock. */
  readonly sentAt: number;
  readonly attempts: number;
}

/**
 * Sends a login request, again when that may help. Resolves with any answer that is worth reading; rejects with a
 * FleetError when there is none (network, 429 or 5xx to the end, timeout).
 */
export type SendLogin = (request: LoginRequest) => Promise<LoginAnswer>;

/** What a login or a refresh brought. */
export interface Tokens {
  readonly accessToken: string;
  readonly accessLifetimeMs: number;
  /** Null when the answer held none: keep the old one. */
  readonly refreshToken: string | null;
  readonly sentAt: number;
}

/** POST /login/token: tokens for credentials. Throws AuthenticationError when the service refuses them. */
export async function logIn(send: SendLogin, credentials: Credentials): Promise<Tokens> {
  const form = multipartForm({ username: credentials.username, password: credentials.password });
  const answer = await send({ step: 'login', path: '/login/token', init: formInit(form) });
  if (isRefusal(answer.status)) {
    throw new AuthenticationError(
      `The service refused the login (HTTP ${answer.status}): username or password is wrong. Check the credentials and that the base URL is the right one.`,
      { operation: 'login', attempts: answer.attempts },
    );
  }
  return readTokens(answer, 'login');
}

/** POST /login/refresh: a new access token for a refresh token; null when the service refuses it. */
export async function refresh(
  send: SendLogin,
  refreshToken: string,
  { isAhead }: { readonly isAhead: boolean },
): Promise<Tokens | null> {
  const form = multipartForm({ refreshToken });
  const answer = await send({ step: 'refresh', path: '/login/refresh', init: formInit(form), isAhead });
  if (isRefusal(answer.status)) return null;
  return readTokens(answer, 'refresh');
}

/** GET /login/userinfo: the users that the token may act for; null when the token is refused. */
export async function listUsers(send: SendLogin, accessToken: string): Promise<FleetUser[] | null> {
  const answer = await send({
    step: 'userinfo',
    path: '/login/userinfo',
    init: { method: 'GET', headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' } },
  });
  if (answer.status === 401) return null;
  const rows = readJson(answer, 'userinfo');
  if (!Array.isArray(rows)) {
    throw new ProtocolError(
      'The answer to /login/userinfo is no JSON array. Check that the base URL is the right one.',
      {
        operation: 'userinfo',
        attempts: answer.attempts,
      },
    );
  }
  return rows.flatMap((row: unknown) => {
    const userId = text(row, 'userId');
    if (userId === null) return [];
    return [
      { userId, userName: text(row, 'userName'), fleetName: text(row, 'fleetName'), fleetId: text(row, 'fleetId') },
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

/** The contract does not show how a refusal looks; these statuses can mean nothing else on a login endpoint. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 401 || status === 403 || status === 422;
}

function readTokens(answer: LoginAnswer, step: 'login' | 'refresh'): Tokens {
  const body = readJson(answer, step);
  const accessToken = text(body, 'access_token');
  // A token travels in a header: anything but visible ASCII would make fetch throw an error that quotes it.
  if (accessToken === null || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new ProtocolError(
      `The answer to /login/${step === 'login' ? 'token' : 'refresh'} holds no usable access_token.`,
      {
        operation: step,
        attempts: answer.attempts,
      },
    );
  }
  return {
    accessToken,
    accessLifetimeMs: lifetimeMs(body),
    refreshToken: text(body, 'refresh_token'),
    sentAt: answer.sentAt,
  };
}

/** `expires_in` is not in the contract: seconds, as a number or as text, where it makes sense; else the contract's 300. */
function lifetimeMs(body: unknown): number {
  const raw = property(body, 'expires_in');
  const seconds = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : CONTRACT_LIFETIME_MS;
}

function readJson(answer: LoginAnswer, step: LoginStep): unknown {
  if (answer.status < 200 || answer.status > 299) {
    throw new HttpError(
      `The service answered the ${step} request with HTTP ${answer.status}. Check that the base URL is the right one.`,
      answer.status,
      { operation: step, attempts: answer.attempts },
    );
  }
  try {
    const value: unknown = JSON.parse(answer.text);
    return value;
  } catch {
    throw new ProtocolError(
      `The answer to the ${step} request is no JSON. Check that the base URL is the right one and that no proxy answers in its place.`,
      { operation: step, attempts: answer.attempts },
    );
  }
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function text(of: unknown, name: string): string | null {
  const value = property(of, name);
  return typeof value === 'string' && value !== '' ? value : null;
}
