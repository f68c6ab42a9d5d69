const contractLifetimeMs = 3e5;
const refreshFraction = 0.8;
class SessionEnded extends Error {
  constructor() {
    super("Your session has ended. Log in again.");
  }
}
class Session {
  #ports;
  #refreshToken;
  #token;
  #ended = false;
  constructor(ports, token, refreshToken) {
    this.#ports = ports;
    this.#token = token;
    this.#refreshToken = refreshToken;
  }
  /** Throws an Error whose message is shown in the form. */
  static async logIn(ports, username, password) {
    const sentAt = ports.now();
    const response = await postForm(ports, "login/token", { username, password });
    if (isRefusal(response.status)) throw new Error("User name or password is wrong.");
    const answer = await readJson(response, "login");
    const refreshToken = textOf(answer, "refresh_token");
    if (refreshToken === null) throw new Error("The answer to the login contains no refresh_token.");
    return new Session(ports, readToken(answer, sentAt), refreshToken);
  }
  /** The users of this login. */
  async users() {
    const answer = await readJson(await this.send("login/userinfo", {}, {}), "userinfo");
    if (!Array.isArray(answer)) throw new Error("The answer to userinfo is not a list.");
    return answer.flatMap((row) => {
      const userId = textOf(row, "userId");
      if (userId === null) return [];
      const names = [textOf(row, "userName"), textOf(row, "fleetName")].filter((name) => name !== null);
      return [{ userId, label: names.join(" \xB7 ") || userId }];
    });
  }
  /** Ends the session. Requests that still wait are not sent. */
  end() {
    this.#ended = true;
  }
  /** Sends a request with a valid token. Throws SessionEnded if the token cannot be refreshed. */
  async send(path, headers, init) {
    if (this.#ended) throw new SessionEnded();
    if (this.#ports.now() >= this.#token.staleAt) await this.#refresh();
    const response = await this.#sendOnce(path, headers, init);
    if (response.status !== 401) return response;
    await this.#refresh();
    return this.#sendOnce(path, headers, init);
  }
  #sendOnce(path, headers, init) {
    const authorization = `Bearer ${this.#token.access}`;
    return reach(this.#ports, path, { ...init, headers: { accept: "application/json", ...headers, authorization } });
  }
  async #refresh() {
    const sentAt = this.#ports.now();
    const response = await postForm(this.#ports, "login/refresh", { refreshToken: this.#refreshToken });
    if (isRefusal(response.status)) throw new SessionEnded();
    this.#token = readToken(await readJson(response, "refresh"), sentAt);
  }
}
function isRefusal(status) {
  return status === 400 || status === 401 || status === 403 || status === 422;
}
function postForm(ports, path, fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return reach(ports, path, { method: "POST", body: form, headers: { accept: "application/json" } });
}
async function reach(ports, path, init) {
  try {
    return await ports.fetch(path, init);
  } catch {
    throw new Error("The service cannot be reached. Is it still running?");
  }
}
async function readJson(response, step) {
  if (!response.ok) throw new Error(`The service answered the ${step} request with HTTP ${response.status}.`);
  try {
    const value = await response.json();
    return value;
  } catch {
    throw new Error(`The answer to the ${step} request is not JSON.`);
  }
}
function readToken(answer, sentAt) {
  const access = textOf(answer, "access_token");
  if (access === null) throw new Error("The service answered without an access_token.");
  const seconds = Number(property(answer, "expires_in"));
  const lifetimeMs = seconds > 0 ? seconds * 1e3 : contractLifetimeMs;
  return { access, staleAt: sentAt + lifetimeMs * refreshFraction };
}
function property(of, name) {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : void 0;
}
function textOf(of, name) {
  const value = property(of, name);
  return typeof value === "string" && value !== "" ? value : null;
}
export {
  Session,
  SessionEnded
};
