// The credentials of a login: a username and a password, or a function that returns them when they are needed.
import { CredentialsError, FleetError } from '../core/errors.js';
import type { Credentials } from './login-endpoints.js';

/** Credentials, or a function that fetches them when they are needed, for example from a secret manager. */
export type CredentialsSource = Credentials | (() => Credentials | Promise<Credentials>);

const withOwnKeys = new WeakSet<object>();

/** Marks a function whose sessions are stored under a key that no other login uses, so that it is not called to learn their user name. */
export function withOwnKey<Source extends CredentialsSource>(source: Source): Source {
  withOwnKeys.add(source);
  return source;
}

export function hasOwnKey(source: CredentialsSource): boolean {
  return withOwnKeys.has(source);
}

/** Whether this is a username and a password, both non-empty. */
export function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const { username, password } = value as Partial<Record<keyof Credentials, unknown>>; // only read, and checked below
  return typeof username === 'string' && username !== '' && typeof password === 'string' && password !== '';
}

/** Calls the function if there is one. What it throws becomes the cause of the error. */
export async function readCredentials(source: CredentialsSource): Promise<Credentials> {
  if (typeof source !== 'function') return source;
  let credentials: Credentials;
  try {
    credentials = await source();
  } catch (error) {
    if (FleetError.is(error)) throw error;
    throw new CredentialsError(
      'The credentials function failed, so there are no credentials to log in with: error.cause is what it threw. Make the call again when the function works.',
      { operation: 'login', cause: error },
    );
  }
  if (!isCredentials(credentials)) {
    throw new CredentialsError(
      'The credentials function must return { username, password }, two non-empty strings. There are no credentials to log in with.',
      { operation: 'login' },
    );
  }
  return credentials;
}
