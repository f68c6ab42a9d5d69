import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.js";
function makeFolder(path, mode = 448) {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || existsSync(parent)) throw error;
    makeFolder(parent, mode);
    makeFolder(path, mode);
  }
}
export {
  makeFolder
};
