import { statfsSync } from "node:fs";
import { isLocked } from "./lock-wait.js";
async function toWriteAheadLog(database, wait) {
  await wait.whenFree(() => database.all("PRAGMA journal_mode = WAL"));
  try {
    await wait.whenFree(() => database.transaction(() => void 0));
    database.exec("PRAGMA synchronous = NORMAL");
    return true;
  } catch (error) {
    if (isLocked(error)) throw error;
    return false;
  }
}
function toRollbackJournal(database) {
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.all("SELECT name FROM sqlite_master");
  database.all("PRAGMA journal_mode = DELETE");
  database.exec("PRAGMA locking_mode = NORMAL");
  database.all("SELECT name FROM sqlite_master");
}
function settleWriteAheadLog(database) {
  try {
    database.all("PRAGMA journal_mode = DELETE");
  } catch (error) {
    if (!isLocked(error)) throw error;
    const [[isBusy] = []] = database.all("PRAGMA wal_checkpoint(TRUNCATE)");
    if (isBusy !== 0) throw error;
  }
}
const sharedSystems = /* @__PURE__ */ new Set([
  26985,
  // NFS
  4283649346,
  // CIFS
  4266872130,
  // SMB 2
  20859,
  // SMB
  16914839,
  // 9p, of virtual machines
  1702057286,
  // FUSE: sshfs, and folders that containers share with their host
  12805120,
  // Ceph
  198183888
  // Lustre
]);
function isLocalFolder(folder) {
  return !sharedSystems.has(statfsSync(folder).type >>> 0);
}
export {
  isLocalFolder,
  settleWriteAheadLog,
  toRollbackJournal,
  toWriteAheadLog
};
