// Wakes a process that waits for a turn. It is connected to the process whose end it waits for: the one before it in the queue, or the
// holder. When that one ends its turn or leaves, it closes the connection; when it dies, the system does.
//
// Each process that waits listens at an address of its own until its turn is over. A connection begins with a line of the one who connects:
// the key of the address and "after", to learn of the end of the one who listens; or "holder" and its id, to tell of its own.
import { chmodSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { addressIn, removeSocket, temporaryAddress, type WakeAddress } from './wake-address.js';

const HELLO = '+';
/** Longer than any first line. */
const MAX_LINE_LENGTH = 200;

export class WakeUp {
  #server: Server | null = null;
  #address: WakeAddress | null = null;
  /** Connections that tell about somebody's end, by that one's id. */
  readonly #watched = new Map<Socket, string>();
  readonly #sockets = new Set<Socket>();
  readonly #gone = new Set<string>();
  #isFollowing = false;
  #isRung = false;
  #ring = () => {};

  /** Listens in the folder of turns, or in a temporary one. The address; null when there can be none. */
  async listen(folder: string): Promise<WakeAddress | null> {
    for (const choose of [() => addressIn(folder), temporaryAddress]) {
      const address = choose();
      if (address === null) continue;
      const server = await listening(address, (socket) => this.#accept(socket, address.key));
      if (server !== null) {
        this.#server = server;
        this.#address = address;
        return address;
      }
      removeSocket(address);
    }
    return null;
  }

  /** Connects to the one ahead, unless a connection to one is open or being made. */
  follow(address: WakeAddress, id: string): void {
    if (this.#isFollowing || this.isLinked) return;
    this.#isFollowing = true;
    const socket = this.#add(connect(address.path));
    socket.once('connect', () => socket.write(`${address.key} after\n`));
    // Without its greeting, the end of a connection says nothing about the other end: a process without free file numbers closes it too.
    socket.once('data', () => {
      this.#isFollowing = false;
      this.#watch(socket, id);
      // Nobody told of what happened before the greeting.
      this.#wake();
    });
    socket.once('close', () => {
      if (!this.#watched.has(socket)) this.#isFollowing = false;
    });
  }

  /** Whether the end of somebody ahead will wake this process. */
  get isLinked(): boolean {
    return this.#watched.size > 0;
  }

  /** Whether the process of this id has ended its turn, has left, or is dead. */
  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  /** Resolves when somebody ahead has ended, when the time is over, or when the signal fires. Keeps the process alive. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.#ring = () => {};
        this.#isRung = false;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#ring = done;
      signal?.addEventListener('abort', done);
      if (this.#isRung || signal?.aborted) done();
    });
  }

  /** Wakes the one behind. Call it when the turn, or the place in the queue, is given up. */
  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#address) removeSocket(this.#address);
    this.#address = null;
  }

  #accept(socket: Socket, key: string): void {
    this.#add(socket);
    let line = '';
    const read = (chunk: string) => {
      line += chunk;
      if (!line.includes('\n')) {
        if (line.length > MAX_LINE_LENGTH) socket.destroy();
        return;
      }
      socket.off('data', read).resume();
      const [given, role, id = ''] = line.trimEnd().split(' ');
      if (given !== key) socket.destroy();
      else if (role === 'holder') this.#watch(socket, id);
      else socket.write(HELLO);
    };
    socket.setEncoding('utf8').on('data', read);
  }

  #watch(socket: Socket, id: string): void {
    this.#watched.set(socket, id);
    const onOver = () => {
      if (!this.#watched.delete(socket)) return;
      this.#gone.add(id);
      this.#wake();
    };
    // The first of the two; the other comes a millisecond later, or there is only that one, after an error.
    socket.once('end', onOver).once('close', onOver);
  }

  #add(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.unref();
    // Errors end with 'close'.
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #wake(): void {
    this.#isRung = true;
    this.#ring();
  }
}

/** Tells the process at this address that the one with this id holds the turn, until the socket is closed. */
export function announceHolder({ path, key }: WakeAddress, id: string): Socket {
  const socket = connect(path);
  socket.unref();
  socket.on('error', () => undefined).once('connect', () => socket.write(`${key} holder ${id}\n`));
  // Nothing is sent back; but without reading, its end would not be noticed.
  return socket.resume();
}

function listening({ path }: WakeAddress, onConnection: (socket: Socket) => void): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer(onConnection);
    server.once('error', () => resolve(null));
    // Exclusive: in a worker of node:cluster the socket belongs to the worker, whose end it tells about.
    server.listen({ path, exclusive: true }, () => {
      server.on('error', () => undefined);
      try {
        if (process.platform !== 'win32') chmodSync(path, 0o600);
        resolve(server);
      } catch {
        server.close();
        resolve(null);
      }
    });
    server.unref();
  });
}
