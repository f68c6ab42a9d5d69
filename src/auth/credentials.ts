import { CredentialsError, FleetError } from '../core/errors.js';
import type { Credentials } from './login-endpoints.js';

/** Credentials, or a function that fetches them when needed, such as from a secret manager. */
export type CredentialsSource = Credentials | (() => Credentials | Promise<Credentials>);

const withOwnKeys = new WeakSet<object>();

/** Marks a function whose sessions have their own store key, not the user name. */
export function withOwnKey<Source extends CredentialsSource>(source: Source): Source {
  withOwnKeys.add(source);
  return source;
}

export function hasOwnKey(source: CredentialsSource): boolean {
  return withOwnKeys.has(source);
}

export function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const { username, password } = value as Partial<Record<keyof Credentials, unknown>>;
  return typeof username === 'string' && username !== '' && typeof password === 'string' && password !== '';
}

/** Returns the credentials. The exception of a credentials function becomes the `cause`. */
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
