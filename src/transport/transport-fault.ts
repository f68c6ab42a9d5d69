// Detects exceptions in a transport that are no network failure: a bug in a custom fetch, or a
// module that a bundler left out. They are not retried, and the caller learns where they were
// thrown.
import { bareCause } from '../core/errors.js';
import { isNetworkCode } from '../core/network-errors.js';
import { UndiciNotLoaded } from './load-undici.js';

/** Messages of network failures without a code, in the fetch of all runtimes. */
const NETWORK_MESSAGE =
  /^(fetch failed|failed to fetch|load failed|terminated|networkerror when attempting|network request failed|network connection lost|error sending request|socket hang up|premature close)/i;
const NETWORK_NAME = /^(AbortError|TimeoutError|FetchError|NetworkError|HTTPParserError)$/;

/** True when this is no network failure. `codes`: those of the error and its causes. */
export function isTransportFault(thrown: unknown, codes: readonly string[]): boolean {
  if (codes.some(isNetworkCode)) return false;
  if (!(thrown instanceof Error)) return true;
  return !NETWORK_NAME.test(thrown.name) && !NETWORK_MESSAGE.test(thrown.message);
}

/**
 * Returns the name, code and place of the exception. Its message may quote a token, a password or
 * the value of a variable. This package's own exceptions are returned unchanged.
 */
export function causeOfFault(thrown: unknown): Error {
  if (thrown instanceof UndiciNotLoaded) return thrown;
  const cause = bareCause(thrown);
  const frames = framesOf(thrown);
  const { name, message } = cause;
  if (frames.length > 0) cause.stack = [message === name ? name : `${name}: ${message}`, ...frames].join('\n');
  return cause;
}

/** A stack line of V8 that names a place; other lines belong to the message. */
const FRAME = /^ +at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;

function framesOf(thrown: unknown): readonly string[] {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return typeof stack === 'string' ? stack.split('\n').filter((line) => FRAME.test(line)) : [];
}
