// A caller of the reference service that uses only its contract.
import { createMockService, type MockService, type MockServiceOptions } from '../../src/mock/service.js';

const base = 'http://mock.test/api';
export const noon = Date.UTC(2026, 2, 4, 12);

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly classification: string };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read responses member by member.
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is under test
  readonly data: any;
  readonly errors: readonly GraphqlError[];
}

/** Returns a service whose clock is frozen at noon, also after a reset. */
export function frozenService(options: MockServiceOptions = {}): MockService {
  return createMockService({ clock: { now: () => noon }, ...options });
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: { data?: unknown; errors?: readonly GraphqlError[] } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not every response is JSON.
  }
  return { status: response.status, headers: response.headers, text, data: body.data, errors: body.errors ?? [] };
}

export function form(fields: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
  readonly token_type: string;
  readonly expires_in: number;
}

export interface UserEntry {
  readonly userId: string;
  readonly userName: string;
  readonly fleetId: string;
  readonly fleetName: string;
}

export type Fetch = typeof globalThis.fetch;

export async function tokens(fetch: Fetch, username = 'demo', password = username): Promise<TokenAnswer> {
  const response = await fetch(`${base}/login/token`, { method: 'POST', body: form({ username, password }) });
  if (response.status !== 200) throw new Error(`login answered ${response.status}`);
  return JSON.parse(await response.text());
}

export async function refreshed(fetch: Fetch, refreshToken: string): Promise<Response> {
  return fetch(`${base}/login/refresh`, { method: 'POST', body: form({ refreshToken }) });
}

export async function users(fetch: Fetch, accessToken: string): Promise<UserEntry[]> {
  const response = await fetch(`${base}/login/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
  if (response.status !== 200) throw new Error(`userinfo answered ${response.status}`);
  return JSON.parse(await response.text());
}

export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
  readonly user: UserEntry;
  (query: string, variables?: object): Promise<Answer>;
  /** Returns the data; fails the test on errors. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is under test
  data(query: string, variables?: object): Promise<any>;
}

/** Logs in as the user at this index of userinfo. */
export async function caller(fetch: Fetch, username = 'demo', place = 0): Promise<Caller> {
  const { access_token: token } = await tokens(fetch, username);
  const user = (await users(fetch, token))[place];
  if (user === undefined) throw new Error('no such user');
  const headers = { authorization: `Bearer ${token}`, userId: user.userId };
  const call = async (query: string, variables?: object) => post(fetch, headers, JSON.stringify({ query, variables }));
  const data = async (query: string, variables?: object) => {
    const answer = await call(query, variables);
    if (answer.status !== 200 || answer.errors.length > 0 || answer.data == null)
      throw new Error(`answered ${answer.status}: ${answer.text}`);
    return answer.data;
  };
  return Object.assign(call, { headers, user, data });
}

export async function post(fetch: Fetch, headers: Record<string, string>, body: string): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers };
  return answerOf(await fetch(`${base}/graphql`, { method: 'POST', headers: all, body }));
}

export const iso = (time: number): string => new Date(time).toISOString();
export const hour = 3_600_000;
export const day = 86_400_000;
export const nobody = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
