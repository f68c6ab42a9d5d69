// Detects refused tokens. Services and gateways report them as GraphQL errors, in the terms of RFC
// 6750, or as both.
import { classificationOf, type GraphQLErrorEntry } from './errors.js';

const CODES: readonly string[] = [
  'UNAUTHORIZED',
  'UNAUTHENTICATED',
  'INVALID_TOKEN',
  'TOKEN_EXPIRED',
  'EXPIRED_TOKEN',
  'INVALID-JWT',
  'INVALID_JWT',
  'JWT_EXPIRED',
];
/** Matches the whole message: a longer one may be about rights. */
const MESSAGE =
  /^(unauthori[sz]ed|unauthenticated|not authenticated|(could not verify jwt: jwt ?expired)|((jwt|token|access token) ?(is |has )?(expired|invalid))|(invalid|expired) ((access )?token|jwt))[.!]?$/i;

export function refusesToken(error: GraphQLErrorEntry): boolean {
  const codes = [classificationOf(error), error.extensions?.code];
  return (
    codes.some((code) => typeof code === 'string' && CODES.includes(code.toUpperCase())) || MESSAGE.test(error.message)
  );
}

/** True when the header or body of a 403 refuses the token; otherwise it is about rights. */
export function isTokenError(challenge: string | null, text: string): boolean {
  return /\berror="?(invalid_token|expired_token)\b/i.test(challenge ?? '') || hasTokenError(parsed(text));
}

function hasTokenError(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const words = ['error', 'code', 'error_code'].map((name): unknown => Reflect.get(body, name));
  if (words.some((word) => typeof word === 'string' && CODES.includes(word.toUpperCase()))) return true;
  const errors: unknown = Reflect.get(body, 'errors');
  return Array.isArray(errors) && errors.some((entry: unknown) => isEntry(entry) && refusesToken(entry));
}

function isEntry(value: unknown): value is GraphQLErrorEntry {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
