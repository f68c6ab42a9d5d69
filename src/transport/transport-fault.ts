// Exceptions in a transport that no network explains: a bug in a fetch of the program, or a module that a bundler left out. They are not
// repeated, and the caller learns where they were thrown.
import { bareCause } from '../core/errors.js';
import { isNetworkCode } from '../core/network-errors.js';
import { UndiciNotLoaded } from './load-undici.js';

/** How the fetch of Node, Deno, Bun and the browsers, and node-fetch, name a failure of the network that they give no code. */
const NETWORK_MESSAGE =
  /^(fetch failed|failed to fetch|load failed|terminated|networkerror when attempting|network request failed|network connection lost|error sending request|socket hang up|premature close)/i;
const NETWORK_NAME = /^(AbortError|TimeoutError|FetchError|NetworkError|HTTPParserError)$/;

/** Whether this is no failure of the network. `codes`: those of the error and its causes. */
export function isTransportFault(thrown: unknown, codes: readonly string[]): boolean {
  if (codes.some(isNetworkCode)) return false;
  if (!(thrown instanceof Error)) return true;
  return !NETWORK_NAME.test(thrown.name) && !NETWORK_MESSAGE.test(thrown.message);
}

/**
 * What of the exception may be shown: its name, its code and where it was thrown. Its message may quote what was handed to the fetch: a
 * token, a password, the value of a variable. This package's own exceptions stay whole.
 */
export function causeOfFault(thrown: unknown): Error {
  if (thrown instanceof UndiciNotLoaded) return thrown;
  const cause = bareCause(thrown);
  const frames = framesOf(thrown);
  const { name, message } = cause;
  if (frames.length > 0) cause.stack = [message === name ? name : `${name}: ${message}`, ...frames].join('\n');
  return cause;
}

/** A line of a stack of V8 that names a place. All other lines are the message. */
const FRAME = /^ +at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;

function framesOf(thrown: unknown): readonly string[] {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return typeof stack === 'string' ? stack.split('\n').filter((line) => FRAME.test(line)) : [];
}
