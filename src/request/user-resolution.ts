// Where calls wait until it is known for which user they are. They enter that user's lane in the order they came, all at once, and
// nobody slips in between.
import type { ActingUser } from '../auth/acting-user.js';
import { type CallDeadline, DeadlineExceeded } from './deadline.js';

export class UserResolution {
  #user: ActingUser | null;
  readonly #choose: () => Promise<ActingUser>;
  readonly #waiting = new Set<{
    readonly enter: (user: ActingUser) => void;
    readonly turnAway: (why: unknown) => void;
  }>();
  #isChoosing = false;

  /** `choose` is asked once, however many calls wait; a failure of it is theirs, and not kept for those who come later. */
  constructor(user: ActingUser | null, choose: () => Promise<ActingUser>) {
    this.#user = user;
    this.#choose = choose;
  }

  /** Runs the task with the user: at once when it is known. */
  withUser<T>(patience: CallDeadline, task: (user: ActingUser) => Promise<T>): Promise<T> {
    if (this.#user) return task(this.#user);
    if (patience.reason !== null) return Promise.reject(new DeadlineExceeded(patience.reason));
    return new Promise((resolve, reject) => {
      const forget = patience.onExceeded((reason) => {
        this.#waiting.delete(waiting);
        reject(new DeadlineExceeded(reason));
      });
      const waiting = {
        enter: (user: ActingUser) => {
          forget();
          task(user).then(resolve, reject);
        },
        turnAway: (why: unknown) => {
          forget();
          reject(why);
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
        for (const { enter } of this.#leave()) enter(user);
      },
      (why: unknown) => {
        for (const { turnAway } of this.#leave()) turnAway(why);
      },
    );
  }

  #leave() {
    this.#isChoosing = false;
    const all = [...this.#waiting];
    this.#waiting.clear();
    return all;
  }
}
