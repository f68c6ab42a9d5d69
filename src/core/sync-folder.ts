// A new, renamed or removed file survives a crash of the machine only after an fsync of its folder.
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs the names in a folder to disk. Windows syncs by itself, and cannot open a folder. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
