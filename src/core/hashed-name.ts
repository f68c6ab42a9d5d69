// Names of files and of keys in Redis that stand for a key of the client. A key holds an address and the name of a login, which are nobody
// else's business.
import { createHash } from 'node:crypto';

/** The same for the same key; 32 characters that fit in any file name. */
export function hashedName(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
