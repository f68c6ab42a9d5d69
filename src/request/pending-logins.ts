// The active login requests, so that a timeout error can name what the caller waited for.
import type { LoginStep } from '../auth/login-endpoints.js';
import type { CallProgress, WaitedFor } from './retry.js';

interface PendingLogin {
  readonly step: LoginStep;
  readonly progress: CallProgress;
}

export class PendingLogins {
  readonly #pending: PendingLogin[] = [];

  async during<T>(login: PendingLogin, work: () => Promise<T>): Promise<T> {
    this.#pending.push(login);
    try {
      return await work();
    } finally {
      this.#pending.splice(this.#pending.indexOf(login), 1);
    }
  }

  readonly waitedFor = (): WaitedFor => {
    // The list of users needs a token, so the token comes first.
    const login = this.#pending.find(({ step }) => step !== 'userinfo') ?? this.#pending[0];
    if (login === undefined) return { text: 'the token store or the credentials function had not answered' };
    const { step, progress } = login;
    const text = `the service had not answered the ${step === 'userinfo' ? 'request for the users of the login (userinfo)' : `${step} request`}`;
    return { text, refusal: (progress.lastRefusal ?? progress.lastFailure)?.errorFor(step) };
  };
}
