// Where a process that waits for a turn can be reached by another one: a Unix socket that only its owner can open, or a named pipe on
// Windows. The key is the proof that a caller could read the owner's files.
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

export interface WakeAddress {
  readonly path: string;
  readonly key: string;
}

/** A longer path cannot be bound on macOS; Linux has four bytes more. */
const MAX_PATH_BYTES = 103;
const SOCKET_NAME = /^[\da-f]{12}\.sock$/;
const TEMPORARY_FOLDER = /^fleet-turn-\w{6}$/;

/** An address in the folder of turns, which must be its owner's only; null when the path would be too long there. */
export function addressIn(folder: string, platform: NodeJS.Platform = process.platform): WakeAddress | null {
  const id = randomUUID();
  const key = randomUUID();
  if (platform === 'win32') return { path: `\\\\.\\pipe\\fleet-turn-${id}`, key };
  const path = join(folder, `${id.slice(-12)}.sock`);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES ? { path, key } : null;
}

/** An address in a new folder below the system's temporary one, mode 0700. Null when there can be none. */
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
    // Addresses are read from files: nothing but a socket of ours is removed.
    if (!SOCKET_NAME.test(basename(path))) return;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
    removeFolder(dirname(path));
  } catch {
    // It disturbs nobody.
  }
}

function removeFolder(folder: string): void {
  if (!TEMPORARY_FOLDER.test(basename(folder))) return;
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or not empty.
  }
}

/** The address in something that was read from a file; null when there is none. */
export function parseAddress(value: unknown): WakeAddress | null {
  if (typeof value !== 'object' || value === null) return null;
  const path: unknown = Reflect.get(value, 'path');
  const key: unknown = Reflect.get(value, 'key');
  return typeof path === 'string' && typeof key === 'string' ? { path, key } : null;
}
