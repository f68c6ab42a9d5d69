import { AsyncResource } from "node:async_hooks";
class UserOfClient {
  known;
  #choose;
  #waiting = /* @__PURE__ */ new Set();
  #isChoosing = false;
  /** `choose` is called once for all calls that wait. Its failure is theirs; the next call makes it try again. */
  constructor(user, choose) {
    this.known = user;
    this.#choose = choose;
  }
  get waiting() {
    let counted = 0;
    for (const { isCounted } of this.#waiting) if (isCounted) counted++;
    return counted;
  }
  async withUser(deadline, task, isCounted = true) {
    if (this.known) return task(this.known);
    deadline.throwIfExceeded();
    return new Promise((resolve, reject) => {
      const removeListener = deadline.onExceeded(() => {
        this.#waiting.delete(waiting);
        reject(deadline.reason);
      });
      const asyncContext = new AsyncResource("FleetCall");
      const waiting = {
        proceed: (user) => {
          removeListener();
          asyncContext.runInAsyncScope(() => task(user)).then(resolve, reject);
        },
        fail: (error) => {
          removeListener();
          reject(error);
        },
        isCounted
      };
      this.#waiting.add(waiting);
      this.#chooseOnce();
    });
  }
  #chooseOnce() {
    if (this.#isChoosing) return;
    this.#isChoosing = true;
    this.#choose().then(
      (user) => {
        this.known = user;
        for (const { proceed } of this.#takeWaiting()) proceed(user);
      },
      (error) => {
        for (const { fail } of this.#takeWaiting()) fail(error);
      }
    );
  }
  #takeWaiting() {
    this.#isChoosing = false;
    const all = [...this.#waiting];
    this.#waiting.clear();
    return all;
  }
}
export {
  UserOfClient
};
