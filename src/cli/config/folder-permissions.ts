// Checks access to the config folder: others could redirect commands and steal sessions.
import { chmodSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors/cli-error.js';

/** Returns the user id, for root too: it would run the commands of the folder. Null on Windows. */
function currentUid(): number | null {
  return process.getuid?.() ?? null;
}

/** Refuses a file, and a folder or content of another user. Removes write access of others. */
export function guardFolder(folder: string, warn: (line: string) => void, uid: number | null = currentUid()): void {
  const own = statOf(folder);
  if (process.platform === 'win32' || own === null) return;
  // The path may be a device such as /dev/null, whose access rights must not change.
  if (!own.isDirectory()) {
    throw new CliError('CONFIGURATION', `The configuration folder ${folder} is not a folder.`, {
      hint: 'Set FLEET_CONFIG_DIR to a folder, or unset it.',
    });
  }
  if (uid !== null) {
    for (const path of [folder, join(folder, 'config.json'), join(folder, 'sessions'), join(folder, 'turns')]) {
      const owner = (path === folder ? own : statOf(path))?.uid;
      if (owner !== undefined && owner !== uid && owner !== 0) throw ownedByAnother(path);
    }
  }
  removeWriteAccess(folder, own, warn, uid);
}

function ownedByAnother(path: string): CliError {
  return new CliError(
    'CONFIGURATION',
    `${path} belongs to another user of this machine, who could read or change it.`,
    {
      hint: 'Set FLEET_CONFIG_DIR to a folder of your own, or become the owner of this one with chown.',
    },
  );
}

const WRITABLE_BY_OTHERS = 0o022;
/** In a sticky folder such as /tmp everyone may write, but only owners may change their files. */
const STICKY = 0o1000;

function removeWriteAccess(
  folder: string,
  { mode, uid: owner }: Stats,
  warn: (line: string) => void,
  uid: number | null,
): void {
  if ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0 || (uid !== null && owner !== uid)) return;
  try {
    chmodSync(folder, mode & 0o7777 & ~WRITABLE_BY_OTHERS);
    warn(`Other users could write to ${folder}; now only you can.`);
  } catch {
    warn(`Other users can write to ${folder}, and its access rights could not be changed.`);
  }
}

/** Follows symbolic links. Returns null for a missing or unreadable path. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
