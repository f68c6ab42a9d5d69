class PendingLogins {
  #pending = [];
  /** Notes a login request while the work for it lasts. */
  async during(login, work) {
    this.#pending.push(login);
    try {
      return await work();
    } finally {
      this.#pending.splice(this.#pending.indexOf(login), 1);
    }
  }
  /** What a caller waits for that needs a token or the users of the login. */
  waitedFor = () => {
    const login = this.#pending.find(({ step: step2 }) => step2 !== "userinfo") ?? this.#pending[0];
    if (login === void 0) return { text: "the token store or the credentials function had not answered" };
    const { step, progress } = login;
    const text = `the service had not answered the ${step === "userinfo" ? "request for the users of the login (userinfo)" : `${step} request`}`;
    return { text, refusal: (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step) };
  };
}
export {
  PendingLogins
};
