// Keeps a corrupt file under another name, so that its content is not lost.
import { closeSync, copyFileSync, openSync, rmSync } from 'node:fs';
import { errorCode } from './error-code.js';

/** Copies the file and returns the name of the copy. */
export function copyToBackup(path: string): string {
  // Copying replaces an existing file, so the new name is first reserved with an empty file.
  const stamped = `${path}.corrupt-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
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

/** False when the file exists already. */
function reserve(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
