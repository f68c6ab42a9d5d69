// Keeps a damaged file under another name, so that nothing in it is lost.
import { closeSync, copyFileSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from './file-error.js';

/** Moves the file away; gives its new name. */
export function moveAside(path: string): string {
  return aside(path, renameSync);
}

/** Leaves the file where it is; gives the name of its copy. */
export function copyAside(path: string): string {
  return aside(path, copyFileSync);
}

/** Renaming replaces what is there, so the name is taken first with an empty file, which fails where there is one. */
function aside(path: string, put: (from: string, to: string) => void): string {
  const stamped = `${path}.corrupt-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  let name = stamped;
  for (let next = 2; !tookName(name); next++) name = `${stamped}-${next}`;
  try {
    put(path, name);
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  }
  return name;
}

function tookName(name: string): boolean {
  try {
    closeSync(openSync(name, 'wx', 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
