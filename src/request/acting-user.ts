// The step in which calls wait until the user that they act for is known, and then go on in the order in which they were made.
import { AsyncResource } from 'node:async_hooks';
import type { ActingUser } from '../auth/acting-user.js';
import type { CallAnswer, UserOfCall } from './call.js';
import type { CallDeadline } from './deadline.js';
import type { TimedCall } from './deadlines.js';
import type { Step } from './steps.js';

/** The user of a client: known from the start, or chosen when the first call needs it. */
export class UserOfClient implements UserOfCall {
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

  get known(): ActingUser | null {
    return this.#user;
  }

  async withUser<T>(deadline: CallDeadline, task: (user: ActingUser) => Promise<T>): Promise<T> {
    if (this.#user) return task(this.#user);
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

/** A call whose user is known. */
export interface CallOfUser extends Omit<TimedCall, 'user'> {
  readonly user: ActingUser;
}

/** The step. */
export const actForUser: Step<TimedCall, CallAnswer, CallOfUser> = (request, next) => {
  const { user, deadline } = request;
  return user.known
    ? next({ ...request, user: user.known })
    : user.withUser(deadline, (chosen) => next({ ...request, user: chosen }));
};
