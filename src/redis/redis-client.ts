// The Redis client that the user already has, reduced to the little that turns and sessions need: send a command, and open a second
// connection like the first. `redis` and `ioredis` differ in how they do both.

/** The part of a client of `redis` (node-redis) that is used. What `createClient()` returns is one. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
  duplicate(): NodeRedisClient;
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'connect' | 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** The part of a client of `ioredis` that is used. `new Redis()` is one. */
export interface IoRedisClient {
  call(command: string, args: string[]): Promise<unknown>;
  duplicate(): IoRedisClient;
  disconnect(): void;
  on(event: 'connect' | 'error' | 'end', listener: (error?: unknown) => void): unknown;
}

/** A connected client of `redis` 6 or `ioredis` 6. It stays yours: you connect it and you close it. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** A connection to Redis, whichever client makes it. */
export interface Connection {
  send(command: string, args: readonly string[]): Promise<unknown>;
  /** Another connection with the same settings, for commands that block. It is closed when the client it came from ends. */
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
    for (const second of opened) end(second);
    opened.clear();
  };
  let isWatched = false;
  return {
    send: senderOf(client),
    open() {
      if (!isWatched) client.on('end', closeOpened);
      isWatched = true;
      const second = client.duplicate();
      opened.add(second);
      // Without a listener, a lost connection would end the process. The command under way fails in any case.
      second.on('error', () => undefined);
      // A client of node-redis that is closed while it connects again connects nevertheless, and nobody would own the connection.
      second.on('connect', () => {
        if (!opened.has(second)) end(second);
      });
      const ready = isIoRedis(second) ? Promise.resolve() : second.connect();
      // Whoever sends learns of it.
      ready.catch(() => undefined);
      const send = senderOf(second);
      return {
        ...connectionOver(second),
        send: (command, args) => ready.then(() => send(command, args)),
        close() {
          opened.delete(second);
          end(second);
        },
      };
    },
    close: () => end(client),
  };
}

/** The promise of a closed client may be an exception. */
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
    // It is closed already.
  }
}

/** Clients of ioredis have a `sendCommand` too, which takes something else. */
function isIoRedis(client: object): client is IoRedisClient {
  return typeof Reflect.get(client, 'call') === 'function';
}
