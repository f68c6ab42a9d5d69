import { readableThrown } from "../core/odd-values.js";
import { quietly } from "../core/quietly.js";
import { SharedLogin } from "./shared-login.js";
const waitingForGate = () => ({ text: "a request of another client or process was still under way" });
class UserTurns {
  /** Who takes turns by this gate. */
  among;
  #options;
  /** Begins with a 429 while the gate was held: the service seems to count requests per login, not per user. */
  #sharedLogin = null;
  constructor(options) {
    this.among = options.among;
    this.#options = options;
  }
  /** The step. */
  take = (batch, next) => {
    batch.progress.waitedFor = waitingForGate;
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      batch.waitedMs = this.#options.timers.now() - batch.waitingSince;
      return next(batch);
    };
    try {
      const turn = this.#sharedLogin?.isOn ? this.#amongAllUsers(batch, begin) : this.#hold(batch.user.gateKey, batch, begin);
      if (!hasBegun) setImmediate(() => hasBegun || this.openConnection());
      return turn;
    } catch (error) {
      return Promise.reject(error);
    }
  };
  /** The service answered this request with 429, so nobody sends for its user for this many milliseconds. */
  pause({ user }, ms) {
    const { gate, timers, warn } = this.#options;
    user.pausedUntil = Math.max(user.pausedUntil, timers.now() + ms);
    quietly(() => gate.pause?.(user.gateKey, ms))(void 0);
    this.#sharedLogin ??= new SharedLogin(this.among, timers, warn);
    this.#sharedLogin.rateLimited();
  }
  openConnection() {
    const { http, baseUrl } = this.#options;
    http.open?.(`${baseUrl}/graphql`);
  }
  /** The gate of the user is held in any case: a client that met no 429 still knows only that one. */
  async #amongAllUsers(batch, begin) {
    const { baseUrl, session } = this.#options;
    const key = `${baseUrl} login ${await session.key()}`;
    return this.#hold(key, batch, () => this.#hold(batch.user.gateKey, batch, begin));
  }
  #hold(key, batch, task) {
    const { deadline, priority } = batch;
    const options = priority === ORDINARY ? deadline : { signal: deadline.signal, priority };
    let outcome = null;
    const begin = () => {
      outcome ??= batch.inContext(task);
      return outcome;
    };
    let held;
    try {
      held = this.#options.gate.hold(key, begin, options);
    } catch (error) {
      held = Promise.reject(error);
    }
    return Promise.resolve(held).then(
      (given) => handedOn(outcome, given),
      // What was sent counts, even when the gate fails after it.
      (error) => outcome ?? Promise.reject(readableThrown(error))
    );
  }
}
const ORDINARY = "normal";
async function handedOn(outcome, given) {
  if (outcome === null) throw new Error("The function hold of the gate never ran the task that it was given.");
  const answer = await outcome;
  if (given !== answer) throw new Error("The function hold of the gate must return what its task returns.");
  return answer;
}
export {
  UserTurns
};
