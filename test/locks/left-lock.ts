// Leaves a lock as a process that was killed does, whose number this process has got.
import { readFileSync, writeFileSync } from 'node:fs';
import { tryAcquireLease } from '../../src/locks/lease.js';

interface Earlier {
  readonly boot?: string;
  readonly ticks?: string;
}

/** Linux only: elsewhere a lock does not have the start of its process. */
export function leaveLock(path: string, { boot = '$1', ticks = '1' }: Earlier = {}): void {
  const lease = tryAcquireLease(path);
  const held = readFileSync(path, 'utf8');
  lease?.release();
  writeFileSync(path, held.replace(/"startedAt":"(\S+) \d+"/, `"startedAt":"${boot} ${ticks}"`));
}
