import { chmodSync, statSync } from "node:fs";
function restrictToOwner(path, mode) {
  if (process.platform === "win32" || (statSync(path).mode & 63) === 0) return false;
  chmodSync(path, mode);
  return true;
}
export {
  restrictToOwner
};
