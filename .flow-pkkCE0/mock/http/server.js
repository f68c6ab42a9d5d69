import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import {
  bodyTooLarge,
  maxBodyBytes
} from "../core/messages.js";
import { turnOfEventLoop } from "../core/real-time.js";
import { compress, compressionStream, preferredEncoding } from "./compression.js";
import { foreignHostResponse } from "./foreign-hosts.js";
async function listen(handle, idleConnectionMs, { port = 0, host = "127.0.0.1", allowHosts = [] } = {}) {
  const allowed = [host, ...allowHosts];
  const idleTimers = /* @__PURE__ */ new WeakMap();
  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    clearTimeout(idleTimers.get(socket));
    incoming.on("error", () => {
    });
    outgoing.on("error", () => {
    });
    collectBody(incoming, (body) => {
      outgoing.once("finish", () => {
        const ms = idleConnectionMs();
        if (ms !== void 0) idleTimers.set(socket, setTimeout(() => socket.destroy(), ms).unref());
      });
      if (body === null) return sendTooLarge(outgoing);
      const request = toServiceRequest(incoming, body);
      const refusal = foreignHostResponse(request.path, request.headers, allowed);
      if (refusal !== null) return sendString(refusal, String(refusal.body), null, outgoing);
      const handled = handle(request, someTurns);
      if (handled instanceof Promise) handled.then((result) => sendHandled(result, incoming, outgoing));
      else sendHandled(handled, incoming, outgoing);
    });
  });
  const sockets = /* @__PURE__ */ new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    else socket.destroy();
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  const hostname = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${hostname}:${address.port}`,
    port: address.port,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    })
  };
}
async function someTurns() {
  for (let turn = 0; turn < 3; turn += 1) await turnOfEventLoop();
}
function collectBody(incoming, onBody) {
  const chunks = [];
  let size = 0;
  incoming.on("data", (chunk) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else if (size - chunk.length <= maxBodyBytes) onBody(null);
  });
  incoming.on("end", () => {
    if (size > maxBodyBytes) return;
    const [only] = chunks;
    onBody(chunks.length === 1 && only !== void 0 ? only : Buffer.concat(chunks));
  });
}
function toServiceRequest(incoming, body) {
  const url = incoming.url ?? "/";
  const query = url.indexOf("?");
  const headers = incoming.headers;
  return { method: incoming.method ?? "GET", path: query < 0 ? url : url.slice(0, query), headers, body };
}
function sendTooLarge(outgoing) {
  outgoing.sendDate = false;
  const { status, headers, body } = bodyTooLarge();
  outgoing.writeHead(status, { ...headers, connection: "close" });
  outgoing.end(body);
}
function sendHandled(handled, incoming, outgoing) {
  const { response, connectionFault } = handled;
  if (connectionFault === "reset" || outgoing.destroyed || incoming.socket.destroyed) {
    handled.release();
    incoming.socket.destroy();
    return;
  }
  outgoing.once("finish", handled.release);
  outgoing.once("close", handled.release);
  const encoding = preferredEncoding(incoming.headers["accept-encoding"]);
  try {
    if (connectionFault === "truncate") sendHalf(response, outgoing);
    else if (typeof response.body === "string") sendString(response, response.body, encoding, outgoing);
    else sendChunks(response, response.body, encoding, outgoing);
  } catch {
    outgoing.destroy();
  }
}
function withEncoding(headers, encoding) {
  return { ...headers, "content-encoding": encoding, vary: "accept-encoding" };
}
function sendString({ status, headers }, body, encoding, outgoing) {
  const compressed = encoding === null ? null : compress(body, encoding);
  if (compressed !== null && encoding !== null) {
    outgoing.writeHead(status, { ...withEncoding(headers, encoding), "content-length": compressed.length });
    outgoing.end(compressed);
    return;
  }
  const length = status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(body);
}
function sendHalf({ status, headers, body }, outgoing) {
  const bytes = Buffer.from(typeof body === "string" ? body : [...body].join(""));
  outgoing.writeHead(status, { ...headers, "content-length": bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}
function sendChunks({ status, headers }, body, encoding, outgoing) {
  if (encoding !== null) {
    outgoing.writeHead(status, withEncoding(headers, encoding));
    pipeline(Readable.from(body), compressionStream(encoding), outgoing, () => {
    });
    return;
  }
  const chunks = body[Symbol.iterator]();
  outgoing.writeHead(status, headers);
  const writeNext = () => {
    while (!outgoing.destroyed) {
      const next = nextChunk(chunks);
      if (next === null) {
        outgoing.destroy();
        return;
      }
      if (next.done === true) {
        outgoing.end();
        return;
      }
      if (!outgoing.write(next.value)) {
        outgoing.once("drain", () => void turnOfEventLoop().then(writeNext));
        return;
      }
    }
  };
  writeNext();
}
function nextChunk(chunks) {
  try {
    return chunks.next();
  } catch {
    return null;
  }
}
export {
  listen
};
