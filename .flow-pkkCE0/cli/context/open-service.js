class OpenService {
  #lender;
  #clock = null;
  #baseUrl = null;
  #author = null;
  #shared = null;
  #endings = [];
  constructor(lender = null) {
    this.#lender = lender;
  }
  /**
   * Returns a service for one command of a server: the command gets this client, the clock and the
   * author of the server, and ends nothing but what it has opened itself.
   */
  lend(client) {
    const lent = new OpenService(this);
    lent.share(client);
    return lent;
  }
  /** The last client counts; clients for other users of the login share its clock. `baseUrl`: null when no network is between. */
  opened(client, baseUrl) {
    this.#clock = client;
    this.#baseUrl = baseUrl;
  }
  /** The time of the service; null before a client was opened. */
  now() {
    return this.#clock?.serviceNow() ?? this.#lender?.now() ?? null;
  }
  actsFor(author) {
    this.#author = author;
  }
  /** Null for a service of this process, and before a client acts for a user. */
  get author() {
    return this.#author ?? this.#lender?.author ?? null;
  }
  /** A server answers many calls with one client. */
  share(client) {
    this.#shared = client;
  }
  /** Null where each command opens its own. */
  get shared() {
    return this.#shared;
  }
  get baseUrl() {
    return this.#baseUrl ?? this.#lender?.baseUrl ?? null;
  }
  /** Called when the command ends, whether it succeeds or fails; in order. */
  onEnd(ending) {
    this.#endings.push(ending);
  }
  async end() {
    for (const ending of this.#endings.splice(0)) await ending();
  }
}
export {
  OpenService
};
