// The user that a client acts for. Its calls wait here, in order, until the user is known.
import { AsyncResource } from 'node:async_hooks';
import type { ActingUser } from '../auth/acting-user.js';
import type { CallDeadline } from '../core/deadline.js';
import type { CallUser } from './call.js';

export class ClientUser implements CallUser {
  actingUser: ActingUser | null;
  readonly #choose: () => Promise<ActingUser>;
  readonly #waiting = new Set<{
    readonly proceed: (user: ActingUser) => void;
    readonly fail: (error: unknown) => void;
    readonly isCounted: boolean;
  }>();
  #isChoosing = false;

  /** `choose` is called once for all waiting calls. After a failure the next call tries again. */
  constructor(user: ActingUser | null, choose: () => Promise<ActingUser>) {
    this.actingUser = user;
    this.#choose = choose;
  }

  get waiting(): number {
    let counted = 0;
    for (const { isCounted } of this.#waiting) if (isCounted) counted++;
    return counted;
  }

  async withUser<T>(deadline: CallDeadline, task: (user: ActingUser) => Promise<T>, isCounted = true): Promise<T> {
    if (this.actingUser) return task(this.actingUser);
    deadline.throwIfExceeded();
    return new Promise((resolve, reject) => {
      const removeListener = deadline.onExceeded(() => {
        this.#waiting.delete(waiting);
        reject(deadline.reason);
      });
      const asyncContext = new AsyncResource('FleetCall');
      const waiting = {
        proceed: (user: ActingUser) => {
          removeListener();
          asyncContext.runInAsyncScope(() => task(user)).then(resolve, reject);
        },
        fail: (error: unknown) => {
          removeListener();
          reject(error);
        },
        isCounted,
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
        this.actingUser = user;
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
