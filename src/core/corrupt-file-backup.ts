import { closeSync, copyFileSync, openSync, rmSync } from 'node:fs';
import { errorCode } from './error-code.js';

/** Copies a corrupt file to a backup, and returns the name of the copy. */
export function copyToBackup(path: string): string {
  // Copying would replace an existing file, so an empty file reserves the name first.
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

function reserve(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
