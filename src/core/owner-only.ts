// Files and folders that only their owner may read and write.
import { chmodSync, statSync } from 'node:fs';

/** Restricts a file or folder to its owner; true when that was needed. Windows has no such modes. */
export function restrictToOwner(path: string, mode: number): boolean {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return false;
  chmodSync(path, mode);
  return true;
}
