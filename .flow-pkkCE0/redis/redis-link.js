class RedisUnavailable extends Error {
  name = "RedisUnavailable";
}
class RedisLink {
  #connection;
  #timers;
  #events;
  #answerTimeoutMs;
  #pending = 0;
  #isDown = false;
  #hasAnswered = false;
  constructor(connection, timers, answerTimeoutMs, events) {
    this.#connection = connection;
    this.#timers = timers;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#events = events;
  }
  get isDown() {
    return this.#isDown;
  }
  /** Whether Redis has ever answered. */
  get hasAnswered() {
    return this.#hasAnswered;
  }
  /** Commands whose answer has not arrived. */
  get pending() {
    return this.#pending;
  }
  /** The answer of the script; rejects with RedisUnavailable when it is late, and marks Redis as down. */
  run(script, keys, args) {
    return this.within(this.start(script, keys, args));
  }
  /** What was started, with the time limit. It goes on when it is late. */
  async within(answer) {
    let cancel = () => {
    };
    const late = new Promise((_, reject) => {
      cancel = this.#timers.after(this.#answerTimeoutMs, () => {
        const reason = `did not answer within ${this.#answerTimeoutMs} ms`;
        this.#down(reason);
        reject(new RedisUnavailable(`Redis ${reason}.`));
      });
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel();
      answer.catch(() => void 0);
    }
  }
  /** The same without a time limit: it may take until Redis is back. */
  async start(script, keys, args) {
    const rest = [String(keys.length), ...keys, ...args];
    this.#pending++;
    try {
      const answer = await this.#connection.send("EVALSHA", [script.sha, ...rest]).catch((error) => {
        if (!isNoScript(error)) throw error;
        return this.#connection.send("EVAL", [script.text, ...rest]);
      });
      this.#up();
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      this.#down(reason);
      throw new RedisUnavailable(`Redis ${reason}.`);
    } finally {
      this.#pending--;
    }
  }
  #down(reason) {
    if (this.#isDown) return;
    this.#isDown = true;
    this.#events.onDown(reason);
  }
  #up() {
    this.#hasAnswered = true;
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#events.onUp();
  }
}
function isNoScript(error) {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
function reasonOf(error) {
  if (!(error instanceof Error)) return "could not be reached";
  const refusal = /^([A-Z]{3,})(?: |$)/.exec(error.message)?.[1];
  if (refusal !== void 0) return `refused the command (${refusal})`;
  const code = Reflect.get(error, "code");
  return typeof code === "string" && /^[A-Z_]+$/.test(code) ? `could not be reached (${code})` : "could not be reached (the connection is closed)";
}
export {
  RedisLink,
  RedisUnavailable
};
