import { closeSync, copyFileSync, openSync, rmSync } from "node:fs";
import { errorCode } from "./error-code.js";
function copyToBackup(path) {
  const stamped = `${path}.corrupt-${(/* @__PURE__ */ new Date()).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  let name = stamped;
  for (let next = 2; !reserve(name); next++) name = `${stamped}-${next}`;
  try {
    copyFileSync(path, name);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
  return name;
}
function reserve(name) {
  try {
    closeSync(openSync(name, "wx", 384));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
export {
  copyToBackup
};
