// One login session. Tokens live only here and disappear with the page; the password is not stored.
// The access token is refreshed before it expires, and once more when the service rejects it.

/** The contract's lifetime of an access token: 300 seconds. */
const contractLifetimeMs = 300_000;
/** Fraction of the lifetime after which a token is refreshed. */
const refreshFraction = 0.8;

export interface User {
  readonly userId: string;
  readonly label: string;
}

/** Thrown when the service refuses to refresh the token; the user must log in again. */
export class SessionEnded extends Error {
  constructor() {
    super('Your session has ended. Log in again.');
  }
}

export interface BrowserPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
}

interface Token {
  readonly access: string;
  /** Epoch milliseconds; a later use refreshes the token first. */
  readonly staleAt: number;
}

export class PageSession {
  readonly #ports: BrowserPorts;
  readonly #refreshToken: string;
  #token: Token;
  #ended = false;

  private constructor(ports: BrowserPorts, token: Token, refreshToken: string) {
    this.#ports = ports;
    this.#token = token;
    this.#refreshToken = refreshToken;
  }

  /** Throws an Error with a message for the form. */
  static async logIn(ports: BrowserPorts, username: string, password: string): Promise<PageSession> {
    const sentAt = ports.now();
    const response = await postForm(ports, 'login/token', { username, password });
    if (isRefusal(response.status)) throw new Error('User name or password is wrong.');
    const answer = await readJson(response, 'login');
    const refreshToken = textOf(answer, 'refresh_token');
    if (refreshToken === null) throw new Error('The answer to the login contains no refresh_token.');
    return new PageSession(ports, readToken(answer, sentAt), refreshToken);
  }

  async users(): Promise<User[]> {
    const answer = await readJson(await this.send('login/userinfo', {}, {}), 'userinfo');
    if (!Array.isArray(answer)) throw new Error('The answer to userinfo is not a list.');
    return answer.flatMap((row: unknown) => {
      const userId = textOf(row, 'userId');
      if (userId === null) return [];
      const names = [textOf(row, 'userName'), textOf(row, 'fleetName')].filter((name) => name !== null);
      return [{ userId, label: names.join(' · ') || userId }];
    });
  }

  /** Ends the session. Queued requests are not sent. */
  end(): void {
    this.#ended = true;
  }

  /** Sends a request with a valid token. Throws SessionEnded when it cannot refresh the token. */
  async send(path: string, headers: Readonly<Record<string, string>>, init: RequestInit): Promise<Response> {
    if (this.#ended) throw new SessionEnded();
    if (this.#ports.now() >= this.#token.staleAt) await this.#refresh();
    const response = await this.#sendOnce(path, headers, init);
    if (response.status !== 401) return response;
    await this.#refresh();
    return this.#sendOnce(path, headers, init);
  }

  #sendOnce(path: string, headers: Readonly<Record<string, string>>, init: RequestInit): Promise<Response> {
    const authorization = `Bearer ${this.#token.access}`;
    return reach(this.#ports, path, { ...init, headers: { accept: 'application/json', ...headers, authorization } });
  }

  async #refresh(): Promise<void> {
    const sentAt = this.#ports.now();
    const response = await postForm(this.#ports, 'login/refresh', { refreshToken: this.#refreshToken });
    if (isRefusal(response.status)) throw new SessionEnded();
    this.#token = readToken(await readJson(response, 'refresh'), sentAt);
  }
}

/** The contract defines no status of a rejected login; these mean nothing else there. */
function isRefusal(status: number): boolean {
  return status === 400 || status === 401 || status === 403 || status === 422;
}

function postForm(ports: BrowserPorts, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return reach(ports, path, { method: 'POST', body: form, headers: { accept: 'application/json' } });
}

/** Paths are relative to the page, which has the service's base URL. */
async function reach(ports: BrowserPorts, path: string, init: RequestInit): Promise<Response> {
  try {
    return await ports.fetch(path, init);
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
    throw new Error(`The answer to the ${step} request is not JSON.`);
  }
}

function readToken(answer: unknown, sentAt: number): Token {
  const access = textOf(answer, 'access_token');
  if (access === null) throw new Error('The service answered without an access_token.');
  const seconds = Number(propertyOf(answer, 'expires_in'));
  const lifetimeMs = seconds > 0 ? seconds * 1000 : contractLifetimeMs;
  return { access, staleAt: sentAt + lifetimeMs * refreshFraction };
}

export function propertyOf(source: unknown, name: string): unknown {
  return typeof source === 'object' && source !== null ? Reflect.get(source, name) : undefined;
}

function textOf(source: unknown, name: string): string | null {
  const value = propertyOf(source, name);
  return typeof value === 'string' && value !== '' ? value : null;
}
