// Which login requests are under way, for whoever runs out of patience meanwhile and wants to know what the wait was for.
import type { LoginStep, SendLogin } from '../auth/login-endpoints.js';

export class PendingLogins {
  readonly #open: LoginStep[] = [];

  /** The same sender, watched. */
  watch(send: SendLogin): SendLogin {
    return async (request) => {
      this.#open.push(request.step);
      try {
        return await send(request);
      } finally {
        this.#open.splice(this.#open.indexOf(request.step), 1);
      }
    };
  }

  /** What keeps a caller who needs a token or the users of the login. */
  readonly waitedFor = (): string => {
    // A token comes before everything that is asked with it.
    const step = this.#open.find((one) => one !== 'userinfo') ?? this.#open[0];
    return step === undefined
      ? 'the token store or the credentials function had not answered'
      : `the service had not answered the ${step === 'userinfo' ? 'question for the users of the login (userinfo)' : step}`;
  };
}
