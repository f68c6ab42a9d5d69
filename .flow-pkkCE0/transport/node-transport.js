import { CONNECT_TIMEOUT_MS, IDLE_SOCKET_MS, TCP_KEEP_ALIVE_MS } from "./connection-times.js";
import { ACCEPT_ENCODING, BufferedResponse } from "./http-response.js";
import { trustOptions } from "./http-transport.js";
function nodeTransport(tls = {}, clock = Date) {
  const schemes = /* @__PURE__ */ new Map();
  const prepared = /* @__PURE__ */ new Set();
  const schemeOf = async ({ protocol }) => {
    const scheme = schemes.get(protocol) ?? load(protocol, tls, clock);
    schemes.set(protocol, scheme);
    return scheme;
  };
  return {
    prepare(url) {
      if (prepared.has(url)) return null;
      prepared.add(url);
      return schemeOf(new URL(url));
    },
    async fetch(url, init) {
      const address = new URL(url);
      const loaded = await schemeOf(address);
      loaded.closeStale();
      return nodeRequest(loaded, address, init);
    },
    async close() {
      const loaded = [...schemes.values()];
      schemes.clear();
      for (const { agent } of await Promise.all(loaded)) agent.destroy();
    }
  };
}
async function load(protocol, tls, clock) {
  const options = { keepAlive: true, keepAliveMsecs: TCP_KEEP_ALIVE_MS, timeout: IDLE_SOCKET_MS };
  if (protocol !== "https:") {
    const { Agent: Agent2, request: request2 } = await import("node:http");
    const agent2 = new Agent2(options);
    return { agent: agent2, request: request2, readyEvent: "connect", closeStale: staleCloser(agent2, clock) };
  }
  const { Agent, request } = await import("node:https");
  const agent = new Agent({ ...options, ...trustOptions(tls) });
  return { agent, request, readyEvent: "secureConnect", closeStale: staleCloser(agent, clock) };
}
function staleCloser(agent, clock) {
  const freeSince = /* @__PURE__ */ new WeakMap();
  agent.on("free", (socket) => freeSince.set(socket, clock.now()));
  return () => {
    const now = clock.now();
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      const idleMs = now - (freeSince.get(socket) ?? now);
      if (idleMs < 0 || idleMs > IDLE_SOCKET_MS) socket.destroy();
    }
  };
}
function nodeRequest({ agent, request, readyEvent }, url, init) {
  const { method, headers, body, signal, beforeSend } = init;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const response = new BufferedResponse(init);
    const outgoing = request(url, { method, headers: { "accept-encoding": ACCEPT_ENCODING, ...headers }, agent });
    const abort = () => {
      reject(signal?.reason);
      outgoing.destroy();
    };
    signal?.addEventListener("abort", abort);
    const send = () => {
      try {
        beforeSend?.();
      } catch (error) {
        reject(error);
        outgoing.destroy();
        return;
      }
      outgoing.end(body);
    };
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) return send();
      const timer = setTimeout(() => outgoing.destroy(connectTimeout()), CONNECT_TIMEOUT_MS);
      const stop = () => clearTimeout(timer);
      socket.once(readyEvent, stop).once(readyEvent, send).once("close", stop);
    });
    outgoing.on("response", (incoming) => {
      response.begin(incoming.statusCode ?? 0, incoming.headers, incoming);
      incoming.on("data", (chunk) => {
        const excess = response.addChunk(chunk);
        if (!excess) return;
        reject(excess);
        outgoing.destroy();
      });
      incoming.on("error", (error) => response.fail(error));
      incoming.on("close", () => resolve(response));
    });
    outgoing.on("upgrade", (incoming, socket) => {
      socket.destroy();
      response.begin(incoming.statusCode ?? 0, incoming.headers);
      resolve(response);
    });
    outgoing.on("error", (error) => {
      if (response.status === 0) reject(error);
      else response.fail(error);
    });
    outgoing.on("close", () => {
      signal?.removeEventListener("abort", abort);
      if (response.status === 0) reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
    });
  });
}
function connectTimeout() {
  return Object.assign(new Error("connect ETIMEDOUT"), { code: "ETIMEDOUT", syscall: "connect" });
}
export {
  nodeTransport
};
