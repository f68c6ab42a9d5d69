import { randomBytes } from "node:crypto";
import { hourMs } from "../core/durations.js";
import { createJwt } from "../variants/jwt.js";
const accessLifetimeSeconds = 300;
const accessLifetimeMs = accessLifetimeSeconds * 1e3;
const refreshLifetimeMs = 12 * hourMs;
const sweepInterval = 1e3;
const tokenProblemMessages = {
  missing: "A bearer token is needed.",
  invalid: "The access token is unknown or expired."
};
const randomToken = () => randomBytes(32).toString("base64url");
class Tokens {
  #clock;
  #access = /* @__PURE__ */ new Map();
  #refresh = /* @__PURE__ */ new Map();
  #variant;
  #issued = 0;
  constructor(clock, variant) {
    this.#clock = clock;
    this.#variant = variant;
  }
  issueAccessToken(login) {
    const now = this.#clock.now();
    const isJwt = this.#variant.current.accessTokens === "jwt";
    const token = isJwt ? createJwt(login.username, now, now + accessLifetimeMs) : randomToken();
    return this.#issue(this.#access, login, token);
  }
  issueRefreshToken(login) {
    return this.#issue(this.#refresh, login, randomToken());
  }
  /** The login of an Authorization header. */
  loginForAccess(header) {
    const token = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
    if (token === void 0) return "missing";
    const issued = this.#access.get(token);
    return issued !== void 0 && this.#isValid(issued, accessLifetimeMs) ? issued.login : "invalid";
  }
  /** Exchanges a refresh token; null when it is unknown, older than 12 hours or replaced. */
  exchangeRefreshToken(token) {
    const issued = this.#refresh.get(token);
    if (issued === void 0 || !this.#isValid(issued, refreshLifetimeMs)) return null;
    const { refreshTokens: rotation } = this.#variant.current;
    if (rotation === void 0) return { login: issued.login, refreshToken: null };
    const now = this.#clock.now();
    const graceMs = rotation === "rotate" ? 0 : rotation.rotateWithGraceMs;
    if (issued.replacedUntil === void 0) this.#refresh.set(token, { ...issued, replacedUntil: now + graceMs });
    else if (now >= issued.replacedUntil) return null;
    return { login: issued.login, refreshToken: this.issueRefreshToken(issued.login) };
  }
  reset() {
    this.#access.clear();
    this.#refresh.clear();
  }
  #isValid({ at }, lifetimeMs) {
    return this.#clock.now() - at < lifetimeMs;
  }
  #issue(tokens, login, token) {
    tokens.set(token, { login, at: this.#clock.now() });
    this.#issued += 1;
    if (this.#issued % sweepInterval === 0) this.#sweep();
    return token;
  }
  #sweep() {
    for (const [tokens, lifetimeMs] of [
      [this.#access, accessLifetimeMs],
      [this.#refresh, refreshLifetimeMs]
    ]) {
      for (const [token, issued] of tokens) if (!this.#isValid(issued, lifetimeMs)) tokens.delete(token);
    }
  }
}
export {
  Tokens,
  accessLifetimeSeconds,
  tokenProblemMessages
};
