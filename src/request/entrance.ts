// Where calls wait until it is known for which user they are. They enter that user's lane in the order they came, all at once, and
// nobody slips in between.
import type { ActingUser } from '../auth/user.js';
import { type Patience, PatienceOver } from './patience.js';

export class Entrance {
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
  pass<T>(patience: Patience, task: (user: ActingUser) => Promise<T>): Promise<T> {
    if (this.#user) return task(this.#user);
    if (patience.reason !== null) return Promise.reject(new PatienceOver(patience.reason));
    return new Promise((resolve, reject) => {
      const forget = patience.onOver((reason) => {
        this.#waiting.delete(waiting);
        reject(new PatienceOver(reason));
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
