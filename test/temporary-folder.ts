// One folder for the temporary folders of all tests, removed after the run. It is in memory where there is room: most tests write a few
// small files that are synced to the disk, and remove them.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setUp(): () => void {
  const folder = mkdtempSync(join(roomIn('/dev/shm') > 2 ** 30 ? '/dev/shm' : tmpdir(), 'fleet-tests-'));
  // A PostgreSQL of the tests' own runs as another user when they run as root.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function roomIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
