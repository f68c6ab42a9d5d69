// Which login requests are under way, so that a caller whose deadline is exceeded meanwhile is told what it was waiting for.
import type { LoginStep, SendLogin } from '../auth/login-endpoints.js';

export class PendingLogins {
  readonly #steps: LoginStep[] = [];

  /** The same sender; its requests are noted while they are under way. */
  track(send: SendLogin): SendLogin {
    return async (request) => {
      this.#steps.push(request.step);
      try {
        return await send(request);
      } finally {
        this.#steps.splice(this.#steps.indexOf(request.step), 1);
      }
    };
  }

  /** What a caller waits for that needs a token or the users of the login, as the end of a sentence. */
  readonly waitedFor = (): string => {
    // A token is needed for the list of users, so it is what is waited for first.
    const step = this.#steps.find((pending) => pending !== 'userinfo') ?? this.#steps[0];
    if (step === undefined) return 'the token store or the credentials function had not answered';
    return `the service had not answered the ${step === 'userinfo' ? 'request for the users of the login (userinfo)' : `${step} request`}`;
  };
}
