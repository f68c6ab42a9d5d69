// Wakes a process that waits for a turn. It is connected to the process before it in the queue, or
// to the holder. That process closes the connection when it ends its turn or leaves; the system
// closes it when the process dies.
//
// Each waiting process listens at its own address until its turn is over. The first line of a
// connection is the key of the address and a role. The role "after" asks to be informed of the
// listener's end; "holder" and an id announce the end of the connecting process.
import { chmodSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { addressIn, removeSocket, temporaryAddress, type WakeAddress } from './wake-address.js';

const HELLO = '+';
const MAX_LINE_LENGTH = 200;

export class WakeUp {
  #server: Server | null = null;
  #address: WakeAddress | null = null;
  /** Connections that report the end of a process, with its id. */
  readonly #watched = new Map<Socket, string>();
  readonly #sockets = new Set<Socket>();
  readonly #gone = new Set<string>();
  #isFollowing = false;
  #isRung = false;
  #ring = () => {};

  /** Listens in the folder of turns, or in a temporary one. Returns the address, or null. */
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

  /** Connects to the process ahead, unless a connection exists or is being made. */
  follow(address: WakeAddress, id: string): void {
    if (this.#isFollowing || this.isLinked) return;
    this.#isFollowing = true;
    const socket = this.#add(connect(address.path));
    socket.once('connect', () => socket.write(`${address.key} after\n`));
    // Only a greeting proves a living process: one without free descriptors also closes.
    socket.once('data', () => {
      this.#isFollowing = false;
      this.#watch(socket, id);
      // Events before the greeting are not reported.
      this.#wake();
    });
    socket.once('close', () => {
      if (!this.#watched.has(socket)) this.#isFollowing = false;
    });
  }

  /** True when the end of a process ahead will wake this one. */
  get isLinked(): boolean {
    return this.#watched.size > 0;
  }

  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  /** Resolves at the end of a process ahead, after `ms`, or on abort. Keeps the process alive. */
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

  /** Wakes the next process. Call it when the turn, or the place in the queue, is given up. */
  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#address) removeSocket(this.#address);
    this.#address = null;
  }

  /** Reads one line: the key, and from the process that has the turn also `holder` and its id. */
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
      const [receivedKey, role, id = ''] = line.trimEnd().split(' ');
      if (receivedKey !== key) socket.destroy();
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
    // After an error there is only 'close'; otherwise 'end' comes a millisecond earlier.
    socket.once('end', onOver).once('close', onOver);
  }

  #add(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.unref();
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #wake(): void {
    this.#isRung = true;
    this.#ring();
  }
}

/** Announces the turn of the process with this id, until the socket is closed. */
export function announceHolder({ path, key }: WakeAddress, id: string): Socket {
  const socket = connect(path);
  socket.unref();
  socket.on('error', () => undefined).once('connect', () => socket.write(`${key} holder ${id}\n`));
  // Nothing is sent back, but the end is noticed only while reading.
  return socket.resume();
}

function listening({ path }: WakeAddress, onConnection: (socket: Socket) => void): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer(onConnection);
    server.once('error', () => resolve(null));
    // Exclusive: in a worker of node:cluster the socket belongs to the worker, and closes with it.
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
