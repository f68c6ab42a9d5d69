// One login. Its tokens are held here and nowhere else, so that they are gone with the page; the password is not held at
// all. The access token is refreshed before it expires, and once more when the service refuses it all the same.

/** By contract an access token is valid for 300 seconds. */
const contractLifetimeMs = 300_000;
/** A token is replaced when this part of its life is over. */
const freshPart = 0.8;

/** What the login may act as. */
export interface User {
  readonly userId: string;
  readonly label: string;
}

/** The login cannot go on: the service refused to refresh its token. */
export class SessionEnded extends Error {
  constructor() {
    super('Your session has ended. Log in again.');
  }
}

/** Of the browser, handed in. */
export interface Outside {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
}

interface Token {
  readonly access: string;
  /** From when on it is refreshed before it is used. */
  readonly staleAt: number;
}

export class Session {
  readonly #outside: Outside;
  readonly #refreshToken: string;
  #token: Token;
  #ended = false;

  private constructor(outside: Outside, token: Token, refreshToken: string) {
    this.#outside = outside;
    this.#token = token;
    this.#refreshToken = refreshToken;
  }

  /** Throws an Error whose message is for the person at the form. */
  static async logIn(outside: Outside, username: string, password: string): Promise<Session> {
    const sentAt = outside.now();
    const response = await postForm(outside, 'login/token', { username, password });
    if (isRefusal(response.status)) throw new Error('User name or password is wrong.');
    const answer = await readJson(response, 'login');
    const refreshToken = textOf(answer, 'refresh_token');
    if (refreshToken === null) throw new Error('The answer to the login holds no refresh_token.');
    return new Session(outside, readToken(answer, sentAt), refreshToken);
  }

  /** The users of this login. */
  async users(): Promise<User[]> {
    const answer = await readJson(await this.send('login/userinfo', {}, {}), 'userinfo');
    if (!Array.isArray(answer)) throw new Error('The answer to userinfo is no list.');
    return answer.flatMap((row: unknown) => {
      const userId = textOf(row, 'userId');
      if (userId === null) return [];
      const names = [textOf(row, 'userName'), textOf(row, 'fleetName')].filter((name) => name !== null);
      return [{ userId, label: names.join(' · ') || userId }];
    });
  }

  /** Logged out: requests that still wait for their turn are not sent. */
  end(): void {
    this.#ended = true;
  }

  /** Sends with a token that holds. Throws SessionEnded when there is none to be had. */
  async send(path: string, headers: Readonly<Record<string, string>>, init: RequestInit): Promise<Response> {
    if (this.#ended) throw new SessionEnded();
    if (this.#outside.now() >= this.#token.staleAt) await this.#refresh();
    const response = await this.#sendOnce(path, headers, init);
    if (response.status !== 401) return response;
    await this.#refresh();
    return this.#sendOnce(path, headers, init);
  }

  #sendOnce(path: string, headers: Readonly<Record<string, string>>, init: RequestInit): Promise<Response> {
    const authorization = `Bearer ${this.#token.access}`;
    return reach(this.#outside, path, { ...init, headers: { ...headers, authorization, accept: 'application/json' } });
  }

  async #refresh(): Promise<void> {
    const sentAt = this.#outside.now();
    const response = await postForm(this.#outside, 'login/refresh', { refreshToken: this.#refreshToken });
    if (isRefusal(response.status)) throw new SessionEnded();
    this.#token = readToken(await readJson(response, 'refresh'), sentAt);
  }
}

/** The contract does not show how a refusal looks; these statuses can mean nothing else on a login endpoint. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 401 || status === 403 || status === 422;
}

function postForm(outside: Outside, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return reach(outside, path, { method: 'POST', body: form, headers: { accept: 'application/json' } });
}

/** Paths are relative to the page, which stands at the service's base URL. */
async function reach(outside: Outside, path: string, init: RequestInit): Promise<Response> {
  try {
    return await outside.fetch(path, init);
  } catch {
    throw new Error('The service cannot be reached. Is it still running?');
  }
}

async function readJson(response: Response, step: string): Promise<unknown> {
  if (!response.ok) throw new Error(`The service answered the ${step} request with HTTP ${response.status}.`);
  try {
    const value: unknown = await response.json();
    return value;
  } catch {
    throw new Error(`The answer to the ${step} request is no JSON.`);
  }
}

function readToken(answer: unknown, sentAt: number): Token {
  const access = textOf(answer, 'access_token');
  if (access === null) throw new Error('The service answered without an access_token.');
  const seconds = Number(property(answer, 'expires_in'));
  const lifetimeMs = seconds > 0 ? seconds * 1000 : contractLifetimeMs;
  return { access, staleAt: sentAt + lifetimeMs * freshPart };
}

function property(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function textOf(of: unknown, name: string): string | null {
  const value = property(of, name);
  return typeof value === 'string' && value !== '' ? value : null;
}
