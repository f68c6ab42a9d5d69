import { createHash } from "node:crypto";
function hashedName(key) {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
export {
  hashedName
};
