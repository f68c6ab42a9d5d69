// Exceptions in a transport that no network explains: a bug in a fetch of the program, or a module that a bundler left out. They are not
// repeated, and their cause is kept.
import { inspect } from 'node:util';
import { isNetworkCode } from '../core/network-errors.js';

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

/** What was handed to the fetch. */
export interface SentRequest {
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The exception as it was, unless it quotes what was handed to the fetch: a token, a password, the value of a variable. Then an error
 * that says the same without these.
 */
export function causeWithoutSecrets(thrown: unknown, sent: SentRequest): unknown {
  const secrets = secretsIn(sent);
  if (!quotesAny(thrown, secrets)) return thrown;
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const clean = new Error(without(message, secrets));
  clean.name = without(name, secrets);
  clean.stack = without(stack ?? '', secrets);
  return clean;
}

function quotesAny(thrown: unknown, secrets: readonly string[]): boolean {
  try {
    const shown = `${inspect(thrown, { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: null })} ${String(thrown)}`;
    return secrets.some((secret) => shown.includes(secret));
  } catch {
    // What cannot be shown cannot be searched.
    return true;
  }
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
}

/** Shorter values are in many texts by chance, and so are short numbers. */
const SHORTEST = 3;
const SHORTEST_NUMBER = 6;
const HARMLESS = /^(accept|accept-encoding|content-type|user-agent)$/i;

/** The longest first, so that no part of one is left. Each also as JSON within JSON spells it. */
function secretsIn({ headers, body = '' }: SentRequest): readonly string[] {
  const secretHeaders = Object.entries(headers).filter(([name]) => !HARMLESS.test(name));
  const inHeaders = secretHeaders.map(([, value]) => value.replace(/^Bearer /, ''));
  const values = [...inHeaders, body, ...valuesOfBody(body)];
  const spelled = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  const spelledTwice = spelled.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(spelledTwice)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** The variables of a GraphQL request, or the lines of a form. */
function valuesOfBody(body: string): readonly string[] {
  try {
    const { variables }: { variables?: unknown } = JSON.parse(body);
    return leavesOf(variables);
  } catch {
    return body.split(/\r?\n/).filter((line) => !/^(--|content-)/i.test(line));
  }
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  if (typeof value === 'number') return String(value).length < SHORTEST_NUMBER ? [] : [String(value)];
  return typeof value === 'string' ? [value] : [];
}
