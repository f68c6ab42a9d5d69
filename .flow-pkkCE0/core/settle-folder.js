import { closeSync, fsyncSync, openSync } from "node:fs";
function settleFolder(folder) {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
export {
  settleFolder
};
