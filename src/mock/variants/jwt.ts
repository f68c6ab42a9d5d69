// Access tokens as signed JWTs. The service looks up all tokens, so nobody verifies the signature.
import { createHmac, randomBytes } from 'node:crypto';

const key = randomBytes(32);

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a JWT. Times are epoch milliseconds; the JWT has seconds. */
export function createJwt(subject: string, issuedAt: number, expiresAt: number): string {
  const header = encoded({ alg: 'HS256', typ: 'JWT' });
  const claims = encoded({
    sub: subject,
    iat: Math.floor(issuedAt / 1000),
    exp: Math.floor(expiresAt / 1000),
    jti: randomBytes(12).toString('base64url'),
  });
  const signature = createHmac('sha256', key).update(`${header}.${claims}`).digest('base64url');
  return `${header}.${claims}.${signature}`;
}
