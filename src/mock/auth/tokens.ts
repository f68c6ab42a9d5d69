// Issues access and refresh tokens and says whose they are. Tokens are random and kept in this instance only, so a guessed token
// or a token of another instance is refused. Their age is measured on the service's clock.
import { randomBytes } from 'node:crypto';
import type { TimeSource } from '../core/clock.js';
import { hourMs } from '../core/durations.js';
import type { Login } from '../world/users.js';

export const accessLifetimeSeconds = 300;
const accessLifetimeMs = accessLifetimeSeconds * 1000;
const refreshLifetimeMs = 12 * hourMs;
// Expired tokens are removed each time this many tokens have been issued.
const sweepInterval = 1000;

interface IssuedToken {
  readonly login: Login;
  readonly at: number;
}

/** Why a request has no login; `missing` when it carries no bearer token. */
export type TokenProblem = 'missing' | 'invalid';

export const tokenProblemMessages: Readonly<Record<TokenProblem, string>> = {
  missing: 'A bearer token is needed.',
  invalid: 'The access token is unknown or expired.',
};

export class Tokens {
  readonly #clock: TimeSource;
  readonly #access = new Map<string, IssuedToken>();
  readonly #refresh = new Map<string, IssuedToken>();
  #issued = 0;

  constructor(clock: TimeSource) {
    this.#clock = clock;
  }

  issueAccessToken(login: Login): string {
    return this.#issue(this.#access, login);
  }

  issueRefreshToken(login: Login): string {
    return this.#issue(this.#refresh, login);
  }

  /** The login of an Authorization header. */
  loginForAccess(header: string | undefined): Login | TokenProblem {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) return 'missing';
    const issued = this.#access.get(token);
    return issued !== undefined && this.#isValid(issued, accessLifetimeMs) ? issued.login : 'invalid';
  }

  /** The login of a refresh token; null when the token is unknown or older than 12 hours. */
  loginForRefresh(token: string): Login | null {
    const issued = this.#refresh.get(token);
    return issued !== undefined && this.#isValid(issued, refreshLifetimeMs) ? issued.login : null;
  }

  reset(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #isValid({ at }: IssuedToken, lifetimeMs: number): boolean {
    return this.#clock.now() - at < lifetimeMs;
  }

  #issue(tokens: Map<string, IssuedToken>, login: Login): string {
    const token = randomBytes(32).toString('base64url');
    tokens.set(token, { login, at: this.#clock.now() });
    this.#issued += 1;
    if (this.#issued % sweepInterval === 0) this.#sweep();
    return token;
  }

  #sweep(): void {
    for (const [tokens, lifetimeMs] of [
      [this.#access, accessLifetimeMs],
      [this.#refresh, refreshLifetimeMs],
    ] as const) {
      for (const [token, issued] of tokens) if (!this.#isValid(issued, lifetimeMs)) tokens.delete(token);
    }
  }
}
