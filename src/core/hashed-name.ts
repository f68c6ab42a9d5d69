// Hashes a key of the client for the name of a file or of a Redis key. The key holds an address and a user name, and such names can be read
// by others.
import { createHash } from 'node:crypto';

/** The same for the same key; 32 characters that fit in any file name. */
export function hashedName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
