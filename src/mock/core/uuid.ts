// Recognises UUIDs, and derives UUIDs from names.
import { hash } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isIdText(value: unknown): value is string {
  return typeof value === 'string' && uuidPattern.test(value);
}

/** Returns a UUID of version 5's form. A name always gives the same UUID. */
export function uuidFromName(name: string): string {
  const digest = hash('sha1', name);
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
