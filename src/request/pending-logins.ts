// Knows which login requests are under way, so that the error of a caller whose deadline is exceeded says what the caller waited for.
import type { LoginStep } from '../auth/login-endpoints.js';
import type { CallProgress, WaitedFor } from './retry.js';

interface PendingLogin {
  readonly step: LoginStep;
  readonly progress: CallProgress;
}

export class PendingLogins {
  readonly #pending: PendingLogin[] = [];

  /** Notes a login request while the work for it lasts. */
  async during<T>(login: PendingLogin, work: () => Promise<T>): Promise<T> {
    this.#pending.push(login);
    try {
      return await work();
    } finally {
      this.#pending.splice(this.#pending.indexOf(login), 1);
    }
  }

  /** What a caller waits for that needs a token or the users of the login. */
  readonly waitedFor = (): WaitedFor => {
    // A token is needed for the list of users, so it is what is waited for first.
    const login = this.#pending.find(({ step }) => step !== 'userinfo') ?? this.#pending[0];
    if (login === undefined) return { text: 'the token store or the credentials function had not answered' };
    const { step, progress } = login;
    const text = `the service had not answered the ${step === 'userinfo' ? 'request for the users of the login (userinfo)' : `${step} request`}`;
    return { text, refusal: (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step) };
  };
}
