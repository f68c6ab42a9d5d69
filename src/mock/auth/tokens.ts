// Issues and validates access and refresh tokens. Tokens are random and live in this instance only,
// so guessed or foreign tokens are refused. Their age is measured on the service's clock.
import { randomBytes } from 'node:crypto';
import type { TimeSource } from '../core/clock.js';
import { hourMs } from '../core/durations.js';
import { createJwt } from '../variants/jwt.js';
import type { VariantSetting } from '../variants/variant.js';
import type { Login } from '../world/users.js';

export const accessLifetimeSeconds = 300;
const accessLifetimeMs = accessLifetimeSeconds * 1000;
const refreshLifetimeMs = 12 * hourMs;
// Number of issued tokens after which expired tokens are removed.
const sweepInterval = 1000;

interface IssuedToken {
  readonly login: Login;
  readonly at: number;
  /** End of the grace period of a replaced token; undefined while not replaced. */
  readonly replacedUntil?: number;
}

export interface ExchangedToken {
  readonly login: Login;
  /** The new refresh token; null when the sent one stays valid. */
  readonly refreshToken: string | null;
}

/** The reason why a request has no login; `missing` without a bearer token. */
export type TokenProblem = 'missing' | 'invalid';

export const tokenProblemMessages: Readonly<Record<TokenProblem, string>> = {
  missing: 'A bearer token is needed.',
  invalid: 'The access token is unknown or expired.',
};

const randomToken = (): string => randomBytes(32).toString('base64url');

export class TokenTable {
  readonly #clock: TimeSource;
  readonly #access = new Map<string, IssuedToken>();
  readonly #refresh = new Map<string, IssuedToken>();
  readonly #variant: VariantSetting;
  #issued = 0;

  constructor(clock: TimeSource, variant: VariantSetting) {
    this.#clock = clock;
    this.#variant = variant;
  }

  issueAccessToken(login: Login): string {
    const now = this.#clock.now();
    const isJwt = this.#variant.current.accessTokens === 'jwt';
    const token = isJwt ? createJwt(login.username, now, now + accessLifetimeMs) : randomToken();
    return this.#issue(this.#access, login, token);
  }

  issueRefreshToken(login: Login): string {
    return this.#issue(this.#refresh, login, randomToken());
  }

  /** Returns the login of an Authorization header, or the problem with it. */
  loginForAccess(header: string | undefined): Login | TokenProblem {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
    if (token === undefined) return 'missing';
    const issued = this.#access.get(token);
    return issued !== undefined && this.#isValid(issued, accessLifetimeMs) ? issued.login : 'invalid';
  }

  /** Exchanges a refresh token. Null when it is unknown, older than 12 hours or replaced. */
  exchangeRefreshToken(token: string): ExchangedToken | null {
    const issued = this.#refresh.get(token);
    if (issued === undefined || !this.#isValid(issued, refreshLifetimeMs)) return null;
    const { refreshTokens: rotation } = this.#variant.current;
    if (rotation === undefined) return { login: issued.login, refreshToken: null };
    const now = this.#clock.now();
    const graceMs = rotation === 'rotate' ? 0 : rotation.rotateWithGraceMs;
    if (issued.replacedUntil === undefined) this.#refresh.set(token, { ...issued, replacedUntil: now + graceMs });
    else if (now >= issued.replacedUntil) return null;
    return { login: issued.login, refreshToken: this.issueRefreshToken(issued.login) };
  }

  reset(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #isValid({ at }: IssuedToken, lifetimeMs: number): boolean {
    return this.#clock.now() - at < lifetimeMs;
  }

  #issue(tokens: Map<string, IssuedToken>, login: Login, token: string): string {
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
