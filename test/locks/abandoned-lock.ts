// Leaves a lock like a killed process whose pid this process now has.
import { readFileSync, writeFileSync } from 'node:fs';
import { tryAcquireLease } from '../../src/locks/lease.js';

interface Earlier {
  readonly boot?: string;
  readonly ticks?: string;
}

/** Linux only: on other systems a lock has no start time of its process. */
export function leaveLock(path: string, { boot = '$1', ticks = '1' }: Earlier = {}): void {
  const lease = tryAcquireLease(path);
  const held = readFileSync(path, 'utf8');
  lease?.release();
  writeFileSync(path, held.replace(/"startedAt":"(\S+) \d+"/, `"startedAt":"${boot} ${ticks}"`));
}
