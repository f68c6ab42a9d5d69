import { chmodSync } from "node:fs";
import { connect, createServer } from "node:net";
import { addressIn, removeSocket, temporaryAddress } from "./wake-address.js";
const HELLO = "+";
const MAX_LINE_LENGTH = 200;
class WakeUp {
  #server = null;
  #address = null;
  /** Connections that tell about somebody's end, by that one's id. */
  #watched = /* @__PURE__ */ new Map();
  #sockets = /* @__PURE__ */ new Set();
  #gone = /* @__PURE__ */ new Set();
  #isFollowing = false;
  #isRung = false;
  #ring = () => {
  };
  /** Listens in the folder of turns, or in a temporary one. The address; null when there can be none. */
  async listen(folder) {
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
  follow(address, id) {
    if (this.#isFollowing || this.isLinked) return;
    this.#isFollowing = true;
    const socket = this.#add(connect(address.path));
    socket.once("connect", () => socket.write(`${address.key} after
`));
    socket.once("data", () => {
      this.#isFollowing = false;
      this.#watch(socket, id);
      this.#wake();
    });
    socket.once("close", () => {
      if (!this.#watched.has(socket)) this.#isFollowing = false;
    });
  }
  /** Whether the end of somebody ahead will wake this process. */
  get isLinked() {
    return this.#watched.size > 0;
  }
  /** Whether the process of this id has ended its turn, has left, or is dead. */
  isGone(id) {
    return this.#gone.has(id);
  }
  /** Resolves when somebody ahead has ended, when the time is over, or when the signal fires. Keeps the process alive. */
  sleep(ms, signal) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.#ring = () => {
        };
        this.#isRung = false;
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#ring = done;
      signal?.addEventListener("abort", done);
      if (this.#isRung || signal?.aborted) done();
    });
  }
  /** Wakes the one behind. Call it when the turn, or the place in the queue, is given up. */
  close() {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#address) removeSocket(this.#address);
    this.#address = null;
  }
  #accept(socket, key) {
    this.#add(socket);
    let line = "";
    const read = (chunk) => {
      line += chunk;
      if (!line.includes("\n")) {
        if (line.length > MAX_LINE_LENGTH) socket.destroy();
        return;
      }
      socket.off("data", read).resume();
      const [given, role, id = ""] = line.trimEnd().split(" ");
      if (given !== key) socket.destroy();
      else if (role === "holder") this.#watch(socket, id);
      else socket.write(HELLO);
    };
    socket.setEncoding("utf8").on("data", read);
  }
  #watch(socket, id) {
    this.#watched.set(socket, id);
    const onOver = () => {
      if (!this.#watched.delete(socket)) return;
      this.#gone.add(id);
      this.#wake();
    };
    socket.once("end", onOver).once("close", onOver);
  }
  #add(socket) {
    this.#sockets.add(socket);
    socket.unref();
    socket.on("error", () => void 0).once("close", () => this.#sockets.delete(socket));
    return socket;
  }
  #wake() {
    this.#isRung = true;
    this.#ring();
  }
}
function announceHolder({ path, key }, id) {
  const socket = connect(path);
  socket.unref();
  socket.on("error", () => void 0).once("connect", () => socket.write(`${key} holder ${id}
`));
  return socket.resume();
}
function listening({ path }, onConnection) {
  return new Promise((resolve) => {
    const server = createServer(onConnection);
    server.once("error", () => resolve(null));
    server.listen({ path, exclusive: true }, () => {
      server.on("error", () => void 0);
      try {
        if (process.platform !== "win32") chmodSync(path, 384);
        resolve(server);
      } catch {
        server.close();
        resolve(null);
      }
    });
    server.unref();
  });
}
export {
  WakeUp,
  announceHolder
};
