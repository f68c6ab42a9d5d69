// Encrypts the texts in Redis with AES-256-GCM. Several keys can decrypt and the first one
// encrypts, so keys can be rotated without downtime.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InvalidInputError } from '../core/errors.js';

/** A key of 32 random bytes, or their base64 or hex text (`openssl rand -base64 32`). */
export type EncryptionKey = string | Uint8Array;

export interface Seal {
  /** Encrypts a text. `context` is needed to decrypt, so that a sealed text cannot be moved. */
  seal(text: string, context: string): string;
  /** Returns the text, or why it cannot be decrypted. */
  open(sealed: string, context: string): { readonly text: string } | { readonly problem: 'unknown key' | 'damaged' };
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = 'sealed1';
const CLEAR = 'clear1';

/**
 * Returns a seal that encrypts with the first key.
 * @throws {InvalidInputError} that shows no key
 */
export function sealWith(keys: readonly EncryptionKey[]): Seal {
  const all = keys.map((key, index) => {
    const bytes = bytesOf(key);
    if (bytes === null) {
      throw new InvalidInputError(
        `redisTokenStore: ${keys.length > 1 ? `encryptionKey ${index + 1}` : 'encryptionKey'} must be 32 random bytes, or their text in base64 or hex. \`openssl rand -base64 32\` prints one.`,
      );
    }
    return { id: nameOf(bytes), bytes };
  });
  const [first] = all;
  if (!first) throw new InvalidInputError('redisTokenStore: encryptionKey holds no key.');
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.bytes, iv);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [SEALED, first.id, body.toString('base64url')].join('.');
    },
    open(sealed, context) {
      const [kind, id, body = ''] = sealed.split('.');
      // It was written by a store without a key.
      if (kind === CLEAR) return { problem: 'unknown key' };
      if (kind !== SEALED) return { problem: 'damaged' };
      const key = all.find((candidate) => candidate.id === id);
      if (!key) return { problem: 'unknown key' };
      const bytes = Buffer.from(body, 'base64url');
      try {
        const iv = bytes.subarray(0, IV_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(context));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
        return { text: text.toString('utf8') };
      } catch {
        return { problem: 'damaged' };
      }
    },
  };
}

export const noSeal: Seal = {
  seal: (text) => `${CLEAR}.${text}`,
  open(sealed) {
    if (sealed.startsWith(`${CLEAR}.`)) return { text: sealed.slice(CLEAR.length + 1) };
    return { problem: sealed.startsWith(`${SEALED}.`) ? 'unknown key' : 'damaged' };
  },
};

function bytesOf(key: unknown): Buffer | null {
  if (key instanceof Uint8Array) return key.length === KEY_BYTES ? Buffer.from(key) : null;
  if (typeof key !== 'string') return null;
  const text = key.trim();
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Returns an id of the key that reveals nothing about it. */
function nameOf(key: Buffer): string {
  return createHash('sha256').update('fleet-telematics key name').update(key).digest('hex').slice(0, 8);
}
