// A new, renamed or removed file survives a crash of the machine only with its folder.
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Brings the names in a folder to the disk. Windows does so by itself, and cannot open a folder. */
export function settleFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
