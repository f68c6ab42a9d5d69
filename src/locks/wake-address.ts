// The address of a waiting process: a Unix socket that only its owner can open, or a named pipe on
// Windows. The key proves that a caller could read the owner's files.
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export interface WakeAddress {
  readonly path: string;
  readonly key: string;
}

/** The limit of macOS; Linux allows four bytes more. */
const MAX_PATH_BYTES = 103;
const SOCKET_NAME = /^[\da-f]{12}\.sock$/;
const TEMPORARY_FOLDER = /^fleet-turn-\w{6}$/;

/** Returns an address in this private folder; null when the path would be too long. */
export function addressIn(folder: string, platform: NodeJS.Platform = process.platform): WakeAddress | null {
  const id = randomUUID();
  const key = randomUUID();
  if (platform === 'win32') return { path: `\\\\.\\pipe\\fleet-turn-${id}`, key };
  const path = join(folder, `${id.slice(-12)}.sock`);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES ? { path, key } : null;
}

/** Returns an address in a new temporary folder with mode 0700; null when impossible. */
export function temporaryAddress(): WakeAddress | null {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'fleet-turn-'));
  } catch {
    return null;
  }
  const address = addressIn(folder);
  if (address === null) removeFolder(folder);
  return address;
}

/** Removes the socket file of a process that is gone. A named pipe is gone with its process. */
export function removeSocket({ path }: WakeAddress): void {
  try {
    // Addresses are read from files, so only sockets of this package may be removed.
    if (!SOCKET_NAME.test(basename(path))) return;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
    removeFolder(dirname(path));
  } catch {
    // A leftover socket does no harm.
  }
}

function removeFolder(folder: string): void {
  if (!TEMPORARY_FOLDER.test(basename(folder))) return;
  try {
    rmdirSync(folder);
  } catch {
    // The folder is gone, or not empty.
  }
}

export function parseAddress(value: unknown): WakeAddress | null {
  if (typeof value !== 'object' || value === null) return null;
  const path: unknown = Reflect.get(value, 'path');
  const key: unknown = Reflect.get(value, 'key');
  return typeof path === 'string' && typeof key === 'string' ? { path, key } : null;
}
