// Who logs in: a username and a password, or a function that says so when they are needed.
import { AuthenticationError, FleetError } from '../core/errors.js';
import type { Credentials } from './login-endpoints.js';

/** Credentials, or a function that fetches them when they are needed, for example from a secret manager. */
export type CredentialsSource = Credentials | (() => Credentials | Promise<Credentials>);

/** Whether this is a username and a password, both given. */
export function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const { username, password } = value as Partial<Record<keyof Credentials, unknown>>; // only read, and checked below
  return typeof username === 'string' && username !== '' && typeof password === 'string' && password !== '';
}

/** The credentials, asked for now when a function gives them. What it throws is not repeated: it may quote a secret. */
export async function readCredentials(source: CredentialsSource): Promise<Credentials> {
  if (typeof source !== 'function') return source;
  let given: Credentials;
  try {
    given = await source();
  } catch (error) {
    if (error instanceof FleetError) throw error;
    throw new AuthenticationError('The credentials function failed, so there is nothing to log in with. Look there.', {
      operation: 'login',
    });
  }
  if (!isCredentials(given)) {
    throw new AuthenticationError(
      'The credentials function gave no { username, password } of two non-empty strings, so there is nothing to log in with.',
      { operation: 'login' },
    );
  }
  return given;
}
