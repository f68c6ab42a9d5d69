// Calls wait here until the user that their client acts for is known, and then go on in the order in which they were made.
import type { ActingUser } from '../auth/acting-user.js';
import { captureContext } from './caller-context.js';
import { type CallDeadline, DeadlineExceeded } from './deadline.js';

export class UserResolution {
  #user: ActingUser | null;
  readonly #choose: () => Promise<ActingUser>;
  readonly #waiting = new Set<{
    readonly proceed: (user: ActingUser) => void;
    readonly fail: (error: unknown) => void;
  }>();
  #isChoosing = false;

  /** `choose` is called once for all calls that wait. Its failure is theirs; the next call makes it try again. */
  constructor(user: ActingUser | null, choose: () => Promise<ActingUser>) {
    this.#user = user;
    this.#choose = choose;
  }

  /** Runs the task with the user; at once when the user is known. */
  withUser<T>(deadline: CallDeadline, task: (user: ActingUser) => Promise<T>): Promise<T> {
    if (this.#user) return task(this.#user);
    if (deadline.reason !== null) return Promise.reject(new DeadlineExceeded(deadline.reason));
    return new Promise((resolve, reject) => {
      const removeListener = deadline.onExceeded((reason) => {
        this.#waiting.delete(waiting);
        reject(new DeadlineExceeded(reason));
      });
      const context = captureContext();
      const waiting = {
        proceed: (user: ActingUser) => {
          removeListener();
          context(() => task(user)).then(resolve, reject);
        },
        fail: (error: unknown) => {
          removeListener();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
      this.#chooseOnce();
    });
  }

  #chooseOnce(): void {
    if (this.#isChoosing) return;
    this.#isChoosing = true;
    this.#choose().then(
      (user) => {
        this.#user = user;
        for (const { proceed } of this.#takeWaiting()) proceed(user);
      },
      (error: unknown) => {
        for (const { fail } of this.#takeWaiting()) fail(error);
      },
    );
  }

  #takeWaiting() {
    this.#isChoosing = false;
    const all = [...this.#waiting];
    this.#waiting.clear();
    return all;
  }
}
