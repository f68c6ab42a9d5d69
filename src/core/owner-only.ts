import { chmodSync, statSync } from 'node:fs';

/** Restricts a file or folder to its owner; returns true if it was open. Not on Windows. */
export function restrictToOwner(path: string, mode: number): boolean {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return false;
  chmodSync(path, mode);
  return true;
}
