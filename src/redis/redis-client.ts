// Adapts the user's Redis client to the operations that turns and sessions need: send a command,
// and open a second connection like the first. `redis` and `ioredis` differ in both.

/** The used part of a `redis` (node-redis) client, as `createClient()` returns it. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
  duplicate(): NodeRedisClient;
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'connect' | 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** The used part of an `ioredis` client, such as `new Redis()`. */
export interface IoRedisClient {
  call(command: string, args: string[]): Promise<unknown>;
  duplicate(): IoRedisClient;
  disconnect(): void;
  on(event: 'connect' | 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** A connected client of `redis` 6 or `ioredis` 6, which you connect and close yourself. */
export type RedisClient = NodeRedisClient | IoRedisClient;

export interface Connection {
  send(command: string, args: readonly string[]): Promise<unknown>;
  /** Opens a second connection for blocking commands. It closes with the original client. */
  open(): Connection;
  close(): void;
}

export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string) => typeof Reflect.get(value, name) === 'function';
  return has('duplicate') && has('on') && (isIoRedis(value) ? has('disconnect') : has('sendCommand') && has('destroy'));
}

export function connectionOver(client: RedisClient): Connection {
  const opened = new Set<RedisClient>();
  const closeOpened = () => {
    for (const duplicateClient of opened) end(duplicateClient);
    opened.clear();
  };
  let isWatched = false;
  return {
    send: senderOf(client),
    open() {
      if (!isWatched) client.on('end', closeOpened);
      isWatched = true;
      const duplicateClient = client.duplicate();
      opened.add(duplicateClient);
      // Otherwise a lost connection would end the process. The pending command fails anyway.
      duplicateClient.on('error', () => undefined);
      // A node-redis client that is closed while reconnecting would still connect and leak.
      duplicateClient.on('connect', () => {
        if (!opened.has(duplicateClient)) end(duplicateClient);
      });
      const ready = isIoRedis(duplicateClient) ? Promise.resolve() : duplicateClient.connect();
      // The failure is reported by `send`.
      ready.catch(() => undefined);
      const send = senderOf(duplicateClient);
      return {
        ...connectionOver(duplicateClient),
        send: (command, args) => ready.then(() => send(command, args)),
        close() {
          opened.delete(duplicateClient);
          end(duplicateClient);
        },
      };
    },
    close: () => end(client),
  };
}

/** Turns exceptions of a closed client into rejections. */
function senderOf(client: RedisClient): Connection['send'] {
  return isIoRedis(client)
    ? async (command, args) => client.call(command, [...args])
    : async (command, args) => client.sendCommand([command, ...args]);
}

function end(client: RedisClient): void {
  try {
    if (isIoRedis(client)) client.disconnect();
    else client.destroy();
  } catch {
    // The connection is closed already.
  }
}

/** Clients of ioredis have a `sendCommand` too, with other arguments. */
function isIoRedis(client: object): client is IoRedisClient {
  return typeof Reflect.get(client, 'call') === 'function';
}
