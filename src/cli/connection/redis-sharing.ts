// Shares gate and session through Redis. Loaded on demand, because the client library loads slowly.
// Messages show only host, port and database of the address, which may contain a password.
import type { Redis } from 'ioredis';
import { fileGate } from '../../locks/file-gate.js';
import { type RedisGate, redisGate } from '../../redis/redis-gate.js';
import { type RedisTokenStore, redisTokenStore } from '../../redis/redis-token-store.js';
import type { Settings } from '../config/settings.js';
import type { Context, Run } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';

const REDIS_CONNECT_MS = 2_000;

interface RedisSharing {
  readonly gate: RedisGate;
  readonly tokenStore: RedisTokenStore;
}

type RedisSettings = Pick<Settings, 'folder'> & { readonly redis: string };

/** Returns the address without user, password and query. Throws CliError CONFIGURATION. */
export function redisAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new CliError('CONFIGURATION', 'The address of Redis is not valid.', {
      hint: 'Write it as redis://host:6379/0, or rediss:// with TLS (--redis or FLEET_REDIS_URL).',
    });
  }
  return `${parsed.protocol}//${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`;
}

/** True when FLEET_REDIS_KEY disables the encryption of sessions. */
export function isUnencrypted(run: Run): boolean {
  return run.io.env.FLEET_REDIS_KEY === 'none';
}

/** Returns gate and token store. Throws CliError NETWORK or CONFIGURATION. */
export async function redisSharing(context: Context, settings: RedisSettings): Promise<RedisSharing> {
  const keys = (context.io.env.FLEET_REDIS_KEY ?? '').split(',').filter((key) => key.trim() !== '');
  if (keys.length === 0) {
    throw new CliError(
      'CONFIGURATION',
      'FLEET_REDIS_KEY is not set: sessions are stored in Redis only with encryption.',
      {
        hint: 'Set it to the output of `openssl rand -base64 32`, the same on all machines. With FLEET_REDIS_KEY=none the tokens are stored in clear.',
      },
    );
  }
  const client = await connectRedis(context, settings.redis);
  const onWarning = ({ message }: { readonly message: string }) => context.report.warn(message);
  const gate = redisGate(client, { fallback: fileGate({ directory: settings.folder }), onWarning });
  try {
    const tokenStore = redisTokenStore(client, {
      ...(isUnencrypted(context) ? { unencrypted: true } : { encryptionKey: keys }),
      ...(context.io.clock ? { clock: context.io.clock } : {}),
      // The gate reports the outage.
      onWarning: (event) => {
        if (event.code === 'SESSION_STORE') onWarning(event);
      },
    });
    // Cleanups run in order, so the connection is closed last.
    context.service.onEnd(() => Promise.all([gate.close(), tokenStore.close()]).then(() => client.disconnect()));
    return { gate, tokenStore };
  } catch (error) {
    client.disconnect();
    throw new CliError('CONFIGURATION', 'FLEET_REDIS_KEY is not a valid key.', {
      hint: 'It is 32 random bytes in base64 or hex, as `openssl rand -base64 32` prints them; several are separated by commas.',
      cause: error,
    });
  }
}

/** Returns a connected client. Throws CliError NETWORK when it cannot connect in time. */
export async function connectRedis(run: Run, url: string): Promise<Redis> {
  const address = redisAddress(url);
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    lazyConnect: true,
    connectTimeout: REDIS_CONNECT_MS,
    // The gate limits the time of a command.
    maxRetriesPerRequest: null,
    retryStrategy: (tries) => Math.min(1_000, tries * 100),
  });
  let reason = '';
  client.on('error', (error: unknown) => {
    reason ||= codeOf(error);
  });
  const stop = () => client.disconnect();
  const timer = setTimeout(stop, REDIS_CONNECT_MS);
  run.io.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    await client.ping();
    return client;
  } catch (error) {
    stop();
    throw new CliError('NETWORK', `Redis at ${address} cannot be used (${reason || codeOf(error) || 'no answer'}).`, {
      hint: 'Check the address, user and password in --redis or FLEET_REDIS_URL. Without them, commands share turns and session on this machine only.',
    });
  } finally {
    clearTimeout(timer);
    run.io.signal.removeEventListener('abort', stop);
  }
}

/** Returns only a code: messages may contain the address or a value. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code;
  return /^([A-Z]{3,})(?: |$)/.exec(error.message)?.[1] ?? '';
}
