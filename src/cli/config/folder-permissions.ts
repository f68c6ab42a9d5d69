// Who else could reach into the config folder. Whoever owns it could lead commands to a service of their own, which would then be
// sent the password of the environment; whoever may write into it could take kept sessions away and put others there.
import { chmodSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../errors/cli-error.js';

/** Windows protects a user's folders in ways of its own, and root answers for what it opens: a mounted volume, or sudo. */
function reader(): number | null {
  const uid = process.getuid?.() ?? null;
  return uid === 0 ? null : uid;
}

/**
 * Refuses what is no folder, and a folder, or a file or folder of ours in it, that belongs to somebody else, also by way of a symbolic link. A folder of
 * one's own that others may write to is closed to them, with a warning.
 */
export function guardFolder(folder: string, warn: (line: string) => void, uid: number | null = reader()): void {
  const own = statOf(folder);
  if (process.platform === 'win32' || own === null) return;
  // What is said may be /dev/null, whose access rights are everybody's.
  if (!own.isDirectory()) {
    throw new CliError('CONFIGURATION', `${folder} is to be the folder of the configuration, and is no folder.`, {
      hint: 'Set FLEET_CONFIG_DIR to a folder, or unset it.',
    });
  }
  if (uid !== null) {
    for (const path of [folder, join(folder, 'config.json'), join(folder, 'sessions'), join(folder, 'turns')]) {
      const owner = (path === folder ? own : statOf(path))?.uid;
      if (owner !== undefined && owner !== uid && owner !== 0) throw foreign(path);
    }
  }
  closeToOthers(folder, own, warn, uid);
}

function foreign(path: string): CliError {
  return new CliError(
    'CONFIGURATION',
    `${path} belongs to another user of this machine, who could read or change it.`,
    {
      hint: 'Set FLEET_CONFIG_DIR to a folder of your own, or take this one over with chown.',
    },
  );
}

const WRITABLE_BY_OTHERS = 0o022;
/** In a folder like /tmp everybody writes, and nobody may touch what belongs to others. */
const STICKY = 0o1000;

function closeToOthers(
  folder: string,
  { mode, uid: owner }: Stats,
  warn: (line: string) => void,
  uid: number | null,
): void {
  if ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0 || (uid !== null && owner !== uid)) return;
  try {
    chmodSync(folder, mode & 0o7777 & ~WRITABLE_BY_OTHERS);
    warn(`Others could write to ${folder}; now only you can.`);
  } catch {
    warn(`Others can write to ${folder}, and its access rights could not be changed.`);
  }
}

/** Of what a symbolic link leads to; null when nothing is there, or it may not be looked at. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}
