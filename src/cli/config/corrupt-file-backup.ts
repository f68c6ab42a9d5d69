// Keeps a corrupt file under another name, so that its content is not lost.
import { closeSync, copyFileSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from './file-error.js';

/** Renames the file and returns its new name. */
export function moveToBackup(path: string): string {
  return backUp(path, renameSync);
}

/** Copies the file and returns the name of the copy. */
export function copyToBackup(path: string): string {
  return backUp(path, copyFileSync);
}

/** Renaming replaces an existing file, so the new name is first reserved with an empty file. */
function backUp(path: string, put: (from: string, to: string) => void): string {
  const stamped = `${path}.corrupt-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = stamped;
  for (let next = 2; !reserve(name); next++) name = `${stamped}-${next}`;
  try {
    put(path, name);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
  return name;
}

/** False when the file exists already. */
function reserve(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
