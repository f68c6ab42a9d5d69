import { createHmac, randomBytes } from "node:crypto";
const key = randomBytes(32);
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
function createJwt(subject, issuedAt, expiresAt) {
  const header = encoded({ alg: "HS256", typ: "JWT" });
  const claims = encoded({
    sub: subject,
    iat: Math.floor(issuedAt / 1e3),
    exp: Math.floor(expiresAt / 1e3),
    jti: randomBytes(12).toString("base64url")
  });
  const signature = createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url");
  return `${header}.${claims}.${signature}`;
}
export {
  createJwt
};
