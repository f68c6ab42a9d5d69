// One folder for the temporary folders of all tests, removed after the run. In memory if there is
// space: most tests write and remove a few small synced files.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setUp(): () => void {
  const folder = mkdtempSync(join(roomIn('/dev/shm') > 2 ** 30 ? '/dev/shm' : tmpdir(), 'fleet-tests-'));
  // The tests' PostgreSQL runs as another user when they run as root.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function roomIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
