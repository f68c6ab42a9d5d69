// Checks the Redis that shares gate and sessions, and the holder of the user's lock in it.

import { turnKey, userById } from '../../auth/acting-user.js';
import { redisGate } from '../../redis/redis-gate.js';
import { connectRedis, isUnencrypted, redisAddress } from '../connection/redis-sharing.js';
import type { Run } from '../context/context.js';
import { type CheckFinding, ok, warning } from './check.js';
import { LONG_TURN_MS } from './turn.js';

/** A slower response is reported. */
const SLOW_REDIS_MS = 100;

/** Checks the connection and settings of Redis. Throws CliError when it cannot be reached. */
export async function checkRedis(run: Run, url: string): Promise<CheckFinding> {
  const client = await connectRedis(run, url);
  try {
    const startedAt = performance.now();
    await client.ping();
    const ms = performance.now() - startedAt;
    const info = await client.info();
    const read = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? null;
    const name = read('valkey_version') === null ? 'Redis' : 'Valkey';
    const version = read('valkey_version') ?? read('redis_version') ?? 'of unknown version';
    const found = `${redisAddress(url)} answers in ${ms.toFixed(1)} ms (${name} ${version})`;
    const policy = read('maxmemory_policy') ?? 'noeviction';
    if (policy !== 'noeviction' && Number(read('maxmemory')) > 0) {
      return warning(
        `${found}; when its memory is full it drops keys (${policy})`,
        'Set maxmemory-policy to noeviction, or use a Redis of its own: a dropped session means a new login, a dropped lock a 429.',
      );
    }
    if (ms > SLOW_REDIS_MS) {
      return warning(found, 'Every request waits for it. Use a Redis that is closer, or find out what slows it down.');
    }
    if (isUnencrypted(run)) {
      return warning(
        `${found}; the tokens in it are not encrypted (FLEET_REDIS_KEY=none)`,
        'Set FLEET_REDIS_KEY to the output of `openssl rand -base64 32`, the same on all machines.',
      );
    }
    return ok(`${found}; turns and session are shared through it`);
  } finally {
    client.disconnect();
  }
}

export async function checkTurnInRedis(run: Run, url: string, baseUrl: string, userId: string): Promise<CheckFinding> {
  const client = await connectRedis(run, url);
  try {
    const state = await redisGate(client).state(turnKey(baseUrl, userById(userId)));
    const { isHeld, heldMs, waiting, pausedMs } = state;
    const pause = pausedMs > 0 ? `; paused for ${Math.ceil(pausedMs / 1000)} s after a 429` : '';
    if (!isHeld) return ok(`free on all machines${pause}`);
    const held = `held for ${Math.round(heldMs / 1000)} s by a process of any machine${waiting === 0 ? '' : `; ${waiting} waiting`}${pause}`;
    if (heldMs < LONG_TURN_MS) return ok(held);
    return warning(held, 'Commands of this user wait for it. Find the process that works with this login for so long.');
  } finally {
    client.disconnect();
  }
}
