// Hashes a client key for a file name or a Redis key. The key contains an address and a user name,
// and others can read such names.
import { createHash } from 'node:crypto';

/** Returns 32 characters that are valid in any file name. */
export function hashedName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
